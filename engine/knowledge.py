"""Public knowledge of face-down tiles: what draws, passes and answers have proved.

Each such move comes with a proof that none of the positions its seat then held has one of certain
tiles. A tile drawn later is at another position, of which nothing is known. Knowledge therefore
belongs to positions, and is folded from the moves of a round in order: by a peer at the table, from
a record, or in an arena.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.play.judge import hidden_claim
from engine.table.moves import Move
from engine.table.rounds import begin_seek
from engine.table.table import Table
from engine.table.trains import Position
from engine.table.turn import EngineSearch, HighDraw, OpeningAll
from engine.tiles import tile_bits


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Facts that a round's moves have proved about face-down positions; a value, never changed.

    `after` makes the next one. A position that has left the hands may stay until the next proof.
    """

    lacks: Mapping[Position, int]
    """By position: bit set of tiles that are not there. Nothing is proved of other positions."""

    def after(self, table: Table, move: Move) -> "Knowledge":
        """Return the knowledge after a legal move; `table` is the one before it.

        A draw, pass or answer that claims something adds it for every position that its seat holds.
        Any other move returns this same knowledge. A new deal begins with nothing known. Under
        `strategic-error=yes` nothing ever is.
        """
        lacks = {} if _begins(table) else self.lacks
        if table.rules.strategic_error.is_yes:
            return NOTHING_KNOWN
        claim = hidden_claim(table, move)
        if not claim:
            return self if lacks is self.lacks else NOTHING_KNOWN
        denied = tile_bits(claim)
        held = {at for hand in table.hands for at in hand}
        kept = {at: bits for at, bits in lacks.items() if at in held}
        for at in table.hands[move.seat]:
            kept[at] = kept.get(at, 0) | denied
        return Knowledge(kept)


NOTHING_KNOWN: Final = Knowledge({})
"""The knowledge when a round has just been dealt: none."""


def known_after(history: Iterable[tuple[Table, Move]]) -> Knowledge:
    """Return the knowledge after these moves of a round, each with the table before it."""
    known = NOTHING_KNOWN
    for table, move in history:
        known = known.after(table, move)
    return known


def _begins(table: Table) -> bool:
    """Whether this is a new deal, in which nothing can have been proved yet."""
    if table.turns or any(train.lays for train in table.trains):
        return False
    if max(map(len, table.hands)) > table.spec.hand:
        return False  # somebody has drawn
    match table.now:
        case EngineSearch() as seek:
            return seek == begin_seek(table)
        case HighDraw():
            return True
        case OpeningAll() as opening if opening != OpeningAll():
            return False
        case _:
            return table.rules.engine.is_set_aside
