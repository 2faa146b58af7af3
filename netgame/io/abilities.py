"""The abilities of the place where a program runs: a computer has all, a browser few.

Whoever needs an ability asks for it here. What can be done without it is done without; else
`Unable` has the one sentence that says so.
"""

from contextvars import ContextVar
from typing import Final

from netgame.errors import NetgameError
from netgame.frozen import FrozenStruct


class Unable(NetgameError):
    """This program cannot do that where it runs; the text is one sentence."""


class Abilities(FrozenStruct, kw_only=True):
    """All that a place lets a program do."""

    listens: bool = True
    """Others can open a connection to it."""
    discovers: bool = True
    """It can hear what is announced on its network, and announce something there: mDNS."""
    knows_networks: bool = True
    """It can tell which addresses its computer has, and in which networks."""
    starts_processes: bool = True
    """It can start other programs, and itself once more."""
    has_threads: bool = True
    """It can do two things at a time."""
    is_tab: bool = False
    """It is a tab of a browser: nobody can open a connection to it, and it may be put to sleep."""


_ALL: Final = Abilities()
ABILITIES: Final[ContextVar[Abilities]] = ContextVar("abilities", default=_ALL)
"""Those of the place where whoever is served by this task is."""
