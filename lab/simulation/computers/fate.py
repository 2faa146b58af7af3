"""What a simulated process is told to meet: its person, its fate, and who starts it.

`P` is a process; it is named by who plays these parts, so that none has to know the others.
"""

from typing import Protocol, TypeVar

from lab.simulation.computers.death import Point
from netgame.protocol.notices import Notice
from netgame.protocol.peer.effects import Effect, PeerKey

P = TypeVar("P", contravariant=True)


class Hearer(Protocol):
    """Whoever sits at a process and hears what its core tells."""

    def hear(self, notice: Notice) -> None:
        """Take in one notice."""


class Fate(Protocol[P]):
    """What goes wrong, told of every instant at which something can."""

    counts_effects: bool
    """Whether `before` and `after` want to hear of every effect."""

    def wrote(self, process: P, record: bytes) -> None:
        """A process has appended an entry of its own."""

    def said(self, process: P) -> None:
        """A process has noted a statement of its own."""

    def before(self, process: P, effect: Effect) -> bool:
        """Whether the process dies before this effect; it is dead when this returns."""

    def after(self, process: P, effect: Effect) -> bool:
        """Whether the process dies after this effect; it is dead when this returns."""

    def strikes(self, process: P, point: Point) -> bool:
        """Whether the process dies at this point; it is dead when this returns."""

    def paused(self, process: P) -> None:
        """Its disk has failed."""

    @property
    def takes_seats(self) -> bool:
        """Whether seats are left for good in this game, or given up while they are away."""

    def has_left(self, number: int) -> bool:
        """Whether this process was killed and never comes back."""


class Starter(Protocol[P]):
    """Who starts the processes of a game, and what a new life of one begins with."""

    @property
    def trouble(self) -> Fate[P]:
        """What goes wrong in this game."""

    def secret(self, label: str, number: int) -> bytes:
        """Octets that are fixed by the seed."""

    def person(self, process: P) -> Hearer:
        """Somebody who sits down at a process."""

    def moved(self, process: P) -> None:
        """A process has carried out all that it has decided: it may have come further."""

    def somebody_near(self, process: P) -> PeerKey | None:
        """Who a process that has lost its table joins; nobody if the table never began."""
