"""A small table for a search: its seats, its ballots, its log."""

from dataclasses import dataclass
from typing import NamedTuple

from netgame.wire.statements import Ballot


class Table(NamedTuple):
    """The table that a search goes through."""

    seats: int
    """The number of seats."""
    ballots: tuple[Ballot, ...]
    """The ballots that may be opened."""
    steps: tuple[int, ...] = ()
    """The authors of each step, as a bit set."""
    wishes: tuple[int, ...] = (0,)
    """The sets of seats that a promise may name to go, as bit sets."""
    leavers: int = 0
    """The seats that may leave, as a bit set."""
    liar: int | None = None
    """The seat that signs anything it likes, or None."""
    final: frozenset[int] = frozenset()
    """The steps at which nobody can leave the table."""
    lies: int = 99
    """The most statements and entries that the liar signs."""
    exact: bool = False
    """True if proposals of one value are kept apart when they count different statements.

    Then only the two certificates may convict the liar of a conflict.
    """

    @property
    def company(self) -> int:
        """Return all seats, as a bit set."""
        return (1 << self.seats) - 1


def head(step: int) -> bytes:
    """Return the head before a step, in a log where nobody signs two entries for a slot."""
    return step.to_bytes(64)


@dataclass(frozen=True)
class Chain:
    """The only log at this table."""

    table: Table

    def holds(self, step: int, at: bytes) -> bool:
        """Return True if `at` is the head of this log before the step."""
        return 1 <= step <= len(self.table.steps) + 1 and at == head(step)

    def is_final(self, step: int) -> bool:
        """Return True if nobody can leave the table at this step."""
        return step in self.table.final


class Broken(Exception):
    """An invariant of the cut does not hold; the notes list what was signed."""
