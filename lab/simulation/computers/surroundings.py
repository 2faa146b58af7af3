"""The surroundings of a simulated process: the world that starts it, and its fate.

Both serve processes of any kind `P`, because neither depends on how a process works.
"""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from lab.simulation.computers.death import Point
from lab.simulation.computers.network import Network
from lab.simulation.computers.room import Room
from netgame.protocol.notices import Notice
from netgame.protocol.peer.effects import Effect, PeerKey

P = TypeVar("P")


class Fate(Generic[P]):
    """The faults of a game; this base class has none.

    Its methods are called at every instant at which a fault can happen.
    """

    counts_effects = False
    """True if `strikes` wants to hear of every effect."""

    def attach(self, world: Any) -> None:  # noqa: ANN401 - a table of these very processes
        """Take the world in which the faults are to happen."""

    def wrote(self, process: P, record: bytes) -> None:
        """Hear that a process has appended an entry of its own."""

    def said(self, process: P) -> None:
        """Hear that a process has noted a statement of its own."""

    def strikes(self, process: P, point: Point, effect: Effect | None = None) -> bool:
        """Return True if this fate has just killed the process, at this point or effect."""
        return False

    def moved(self, process: P) -> None:
        """Hear that an honest process has carried out all effects of its last input."""

    def doubted(self, process: P) -> None:
        """Hear that a process doubts its own journal.

        Its seat signs nothing for now, but the others can go on without it.
        """

    def paused(self, process: P) -> None:
        """Hear that the disk of a process has failed."""

    @property
    def takes_seats(self) -> bool:
        """True if in this game people leave for good, or lose their seats while they are away."""
        return False


class Starter(Protocol[P]):
    """The world that starts the processes of a game, and gives each new life what it needs."""

    room: Room
    network: Network
    trouble: Fate[P]
    """The faults of this game."""
    left: set[int]
    """The numbers of the processes that never come back."""

    def secret(self, label: str, number: int) -> bytes:
        """Return octets that follow from the game's seed, `label` and `number`."""

    def person(self, process: P) -> Callable[[Notice], None]:
        """Return the person at a process: a function to call with each notice of its core."""

    def moved(self, process: P) -> None:
        """Note that a process has carried out all its effects, and may have reached a new step."""

    def somebody_near(self, process: P) -> PeerKey | None:
        """Return a peer through which a process without a table can join, or None."""
