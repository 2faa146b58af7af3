"""Public knowledge of face-down tiles: the facts that draws, passes, answers and shows establish.

A draw, a pass or an answer comes with a proof that no position its seat held at the time has any
of certain tiles. A tile drawn later has another position, about which nothing is known. Knowledge
therefore belongs to positions. A peer at the table, a reader of a record and an arena all build it
up in the same way: move by move, from the deal on.
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
    """Facts that a round's moves have proved about face-down positions; immutable.

    `after` makes the next value. A position that has left the hands may stay in it until the next
    proof.
    """

    lacks: Mapping[Position, int]
    """For each position, the bit set of the tiles it cannot have; nothing is proved of others."""

    def after(self, table: Table, move: Move) -> "Knowledge":
        """Return the knowledge after a legal move; `table` is the table before it.

        A draw, pass or answer with a claim rules out the claimed tiles at every position of its
        seat, except under `strategic-error=yes`, where claims may be false. A shown tile rules out
        all others at its position. Any other move returns this same knowledge.
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
"""The knowledge right after a deal: none."""


def known_after(history: Iterable[tuple[Table, Move]]) -> Knowledge:
    """Return the knowledge after these moves since a deal, each with the table before it."""
    known = NOTHING_KNOWN
    for table, move in history:
        known = known.after(table, move)
    return known
