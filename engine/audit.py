"""The second check: a finished round replayed with every hand open. [docs/rules.md §7.6]

In play a draw or a pass is proved over the hidden hand. Here the same claims are checked against
the opened tiles, by other means, so neither check has to be trusted alone.
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
    """The seat of a round's first move that was illegal by its open hand, and the rule broken."""

    seat: Seat
    refusal: Refusal


def audit(
    history: Sequence[tuple[Table, Move]], tiles: Mapping[Position, Tile]
) -> AuditFinding | None:
    """Return a finding on the first move that its seat's true hand did not allow, or None.

    `history` pairs each move, in the order made, with the table it was made at. `tiles` has the
    tile of every position that came into a hand and was opened in the end. A tile that went back
    unseen is not in it, and claims about it rest on their proof. A move that the public table alone
    forbids is a finding, too.
    """
    for table, move in history:
        held = tuple(
            (position, tiles[position]) for position in table.hands[move.seat] if position in tiles
        )
        refusal = why_illegal_holding(table, Hand(move.seat, held), move)
        if refusal is not None:
            return AuditFinding(move.seat, refusal)
    return None
