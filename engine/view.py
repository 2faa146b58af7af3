"""One seat's view: the public table, its own tiles, and the proved facts about other hands."""

from msgspec import Struct

from engine.knowledge import NOTHING_KNOWN, Knowledge
from engine.play.legal_moves import legal_moves
from engine.table.moves import Move
from engine.table.table import Hand, Table
from engine.table.trains import Seat


class SeatView(Struct, frozen=True, gc=False):
    """The table as one seat sees it, with its own hand and the proved facts about the others.

    A watcher has neither seat nor hand. Bots get this and nothing else.
    """

    table: Table
    seat: Seat | None
    hand: Hand | None
    known: Knowledge = NOTHING_KNOWN
    """The knowledge that the moves of the round have proved, or part of it."""

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of this seat now, in the order of `legal_moves`; empty for a watcher.

        A seat that is not to move may still have calls to make. If it has none, return ().
        """
        return () if self.hand is None else legal_moves(self.table, self.hand)
