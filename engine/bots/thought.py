"""What a search asks of a world, whichever rules it plays by: a deal, a move made in it, its worth.

There are two: rounds on integers, many hundred a second, under the rules that the fast world knows
(`search`); and rounds from table to table, as the engine itself plays them, under all (`tables`).
"""

from typing import NamedTuple, Protocol

from engine.bots.world import is_played_fast
from engine.table.moves import Move
from engine.table.table import Table


class Rollouts(NamedTuple):
    """How many rounds are played out at most: in the fast world, and from table to table."""

    fast: int
    tables: int

    def at(self, table: Table) -> int:
        """How many that is at this table."""
        return self.fast if is_played_fast(table) else self.tables


class Thought(Protocol):
    """Deals that agree with what a seat knows, and what its moves come to in them."""

    def is_usual(self, move: Move) -> bool:
        """Whether it is what who plays the rounds out begins with: the one to beat."""
        ...

    def reach(self, move: Move) -> int:
        """How long the own train gets that begins with it, tiles laid elsewhere left aside."""
        ...

    def deal(self) -> None:
        """Draw the next deal, of which `worth` is asked then."""
        ...

    def worth(self, move: Move) -> float:
        """By how much the others end worse in this deal, in points, if the seat makes this move."""
        ...
