"""A small table to be searched: its seats, its ballots, its log."""

from dataclasses import dataclass
from typing import NamedTuple

from netgame.wire.statements import Ballot


class Table(NamedTuple):
    """What is searched: its seats, ballots, the authors of each step, wishes, and who does what.

    `wishes` are the sets of seats that may be named, `leavers` who may leave, `final` the steps at
    which nobody can go.
    """

    seats: int
    ballots: tuple[Ballot, ...]
    steps: tuple[int, ...] = ()
    wishes: tuple[int, ...] = (0,)
    leavers: int = 0
    liar: int | None = None
    final: frozenset[int] = frozenset()
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
