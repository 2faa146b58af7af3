"""The abilities of the place where a program runs: a computer has all of them, a browser few.

Code that needs an ability looks it up here. Where the ability is missing, the code does without it
if it can, and otherwise raises `Unable`.
"""

from contextvars import ContextVar
from typing import Final

from netgame.errors import NetgameError
from netgame.frozen import FrozenStruct


class Unable(NetgameError):
    """The program cannot do what was asked in the place where it runs; the text is one sentence."""


class Abilities(FrozenStruct, kw_only=True):
    """The abilities that a program has in one place, such as a tab of a browser."""

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
"""The abilities of the place where the player of this task is."""
