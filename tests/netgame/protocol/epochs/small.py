"""A small table to be searched: its seats, its ballots, its log."""

from dataclasses import dataclass
from typing import NamedTuple

from netgame.wire.statements import Ballot


class Table(NamedTuple):
    """What is searched."""

    seats: int
    """How many there are."""
    ballots: tuple[Ballot, ...]
    """Those that may be opened."""
    steps: tuple[int, ...] = ()
    """The authors of each step, as a bit set."""
    wishes: tuple[int, ...] = (0,)
    """The sets of seats that may be named, as bit sets."""
    leavers: int = 0
    """Who may leave, as a bit set."""
    liar: int | None = None
    """The seat that signs whatever it likes; None without one."""
    final: frozenset[int] = frozenset()
    """The steps at which nobody can go."""
    lies: int = 99
    """The liar signs so many statements and entries at the most."""
    exact: bool = False
    """Proposals that count other statements are others, and a conflict is blamed on whoever is
    convicted by the two certificates alone."""

    @property
    def company(self) -> int:
        """All seats."""
        return (1 << self.seats) - 1


def head(step: int) -> bytes:
    """The head before a step, where nobody signs two entries for a slot."""
    return step.to_bytes(64)


@dataclass(frozen=True)
class Chain:
    """The one log there is."""

    table: Table

    def holds(self, step: int, at: bytes) -> bool:
        """Whether it is a head of this log."""
        return 1 <= step <= len(self.table.steps) + 1 and at == head(step)

    def is_final(self, step: int) -> bool:
        """Whether nobody can go there."""
        return step in self.table.final


class Broken(Exception):
    """A promise of the cut does not hold; what was signed leads there."""
