"""The second check: a finished round replayed with every hand open. [docs/rules.md §7.6]

During play, a draw or a pass comes with a proof over the hidden hand. The audit checks the same
claims against the opened tiles, by other means, so nobody has to trust either check alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.play.judge import why_illegal_holding
from engine.refusals import Refusal
from engine.table.moves import Move
from engine.table.table import Hand, Table
from engine.table.trains import Position, Seat
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """The seat that made a round's first illegal move, judged by its open hand, and the refusal."""

    seat: Seat
    refusal: Refusal


def audit(
    history: Sequence[tuple[Table, Move]], tiles: Mapping[Position, Tile]
) -> AuditFinding | None:
    """Return a finding on the first move that its seat's true hand did not allow, or None.

    `history` pairs each move, in order, with the table before it. `tiles` gives the tile of every
    position that was in a hand and was opened at the end. It lacks the tiles that went back unseen;
    claims about those rest on their proofs. A move that the public table alone forbids is also a
    finding.
    """
    for table, move in history:
        held = tuple(
            (position, tiles[position]) for position in table.hands[move.seat] if position in tiles
        )
        refusal = why_illegal_holding(table, Hand(move.seat, held), move)
        if refusal is not None:
            return AuditFinding(move.seat, refusal)
    return None
