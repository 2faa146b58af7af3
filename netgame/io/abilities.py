"""The abilities of the place where a program runs: a computer has all, a browser few.

Code that needs an ability asks for it here. It does without the ability where it can, and otherwise
raises `Unable`, whose text is the one sentence that says so.
"""

from contextvars import ContextVar
from typing import Final

from netgame.errors import NetgameError
from netgame.frozen import FrozenStruct


class Unable(NetgameError):
    """The program cannot do this where it runs; the text is one sentence."""


class Abilities(FrozenStruct, kw_only=True):
    """The things that a place lets a program do."""

    listens: bool = True
    """Others can open a connection to it."""
    discovers: bool = True
    """It can hear what is announced on its network, and announce something there: mDNS."""
    knows_networks: bool = True
    """It can tell which addresses its computer has, and in which networks."""
    starts_processes: bool = True
    """It can start other programs, and itself once more."""
    has_threads: bool = True
    """It can run threads."""
    is_tab: bool = False
    """It is a tab of a browser: nobody can open a connection to it, and it may be put to sleep."""


_ALL: Final = Abilities()
ABILITIES: Final[ContextVar[Abilities]] = ContextVar("abilities", default=_ALL)
"""The abilities of the place where this task's player is."""
