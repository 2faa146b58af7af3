"""Public knowledge of face-down tiles: what draws, passes and answers have proved, or shown.

Each such move comes with a proof that none of the positions its seat then held has one of certain
tiles. A tile drawn later is at another position, of which nothing is known. Knowledge therefore
belongs to positions, and is folded from the moves since a deal in order: by a peer at the table,
from a record, or in an arena.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.play.judge import hidden_claim
from engine.table.moves import Move, Show
from engine.table.table import Table
from engine.table.trains import Position
from engine.tiles import SET_BITS, TILE_BITS, tile_bits


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Facts that a round's moves have proved about face-down positions; a value, never changed.

    `after` makes the next one. A position that has left the hands may stay until the next proof.
    """

    lacks: Mapping[Position, int]
    """By position: bit set of tiles that are not there. Nothing is proved of other positions."""

    def after(self, table: Table, move: Move) -> "Knowledge":
        """Return the knowledge after a legal move; `table` is the one before it.

        A draw, pass or answer that claims something adds it for every position that its seat holds,
        though not under `strategic-error=yes`; a tile that is shown leaves its position no other.
        Any other move returns this same knowledge.
        """
        if isinstance(move, Show):
            others = SET_BITS[table.spec.pip_max] & ~TILE_BITS[move.tile]
            return Knowledge({**self.lacks, move.position: others})
        if table.rules.strategic_error.is_yes or not (claim := hidden_claim(table, move)):
            return self
        denied = tile_bits(claim)
        held = {at for hand in table.hands for at in hand}
        kept = {at: bits for at, bits in self.lacks.items() if at in held}
        for at in table.hands[move.seat]:
            kept[at] = kept.get(at, 0) | denied
        return Knowledge(kept)


NOTHING_KNOWN: Final = Knowledge({})
"""The knowledge when a round has just been dealt: none."""


def known_after(history: Iterable[tuple[Table, Move]]) -> Knowledge:
    """Return the knowledge after these moves since a deal, each with the table before it."""
    known = NOTHING_KNOWN
    for table, move in history:
        known = known.after(table, move)
    return known
