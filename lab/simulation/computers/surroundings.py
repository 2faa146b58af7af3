"""The surroundings of a simulated process: the world that starts it, and what goes wrong there.

Both are written for processes of any kind `P`, as they know nothing of how one works.
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
    """The things that go wrong, told of every instant at which one can; nothing does by itself."""

    counts_effects = False
    """Whether `strikes` wants to hear of every effect."""

    def attach(self, world: Any) -> None:  # noqa: ANN401 - a table of these very processes
        """Say at which table things go wrong."""

    def wrote(self, process: P, record: bytes) -> None:
        """Hear that a process has appended an entry of its own."""

    def said(self, process: P) -> None:
        """Hear that a process has noted a statement of its own."""

    def strikes(self, process: P, point: Point, effect: Effect | None = None) -> bool:
        """Whether the process dies at this point, or at this effect: dead when this returns."""
        return False

    def moved(self, process: P) -> None:
        """Hear that an honest process has carried out all that it has decided."""

    def doubted(self, process: P) -> None:
        """Hear a person say that their seat signs nothing, and that others can go on without it."""

    def paused(self, process: P) -> None:
        """Hear that the disk of a process has failed."""

    @property
    def takes_seats(self) -> bool:
        """Whether seats are left for good in this game, or given up while they are away."""
        return False


class Starter(Protocol[P]):
    """The world that starts the processes of a game, and gives each new life what it needs."""

    room: Room
    network: Network
    trouble: Fate[P]
    """The things that go wrong in this game."""
    left: set[int]
    """The numbers of processes that never come back."""

    def secret(self, label: str, number: int) -> bytes:
        """Octets that are fixed by the seed."""

    def person(self, process: P) -> Callable[[Notice], None]:
        """The person at a process: a function of each notice that its core tells."""

    def moved(self, process: P) -> None:
        """A process has carried out all that it has decided: it may have come further."""

    def somebody_near(self, process: P) -> PeerKey | None:
        """The key that a process joins that has lost its table; None if the table never began."""
