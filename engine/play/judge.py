"""The one judge of moves: it returns the first rule that a move breaks, or None if it is legal.

`why_illegal` reads only the public table, so every peer reaches the same answer about every seat.
`why_illegal_holding` also uses a hand, which its owner or a referee knows. Codes and their order
are those of the notation; `cli` words the sentences.
"""

from typing import assert_never

from engine.play.calls import why_not_called
from engine.play.chain import why_no_chain, why_not_alone, why_not_continued
from engine.play.claim import why_no_claim, why_no_start
from engine.play.denial import denied_bits
from engine.play.due import due_seats, turn_of
from engine.play.hub_search import (
    asks_heaviest,
    denied_doubles,
    not_asked,
    seats_seeking,
    why_not_sought,
)
from engine.play.playable import playable_bits
from engine.play.step_rules import (
    not_marked,
    why_no_draw,
    why_no_lay,
    why_no_pass,
    why_not_done,
    why_not_marked,
)
from engine.refusals import Refusal, RefusalReason, first_refusal, refused
from engine.table import moves
from engine.table.table import AllScored, Hand, PlayOver, Scored, Table
from engine.table.trains import Seat
from engine.table.turn import (
    EngineSearch,
    HighDraw,
    InPlay,
    OpeningAll,
    Reshuffle,
    Returning,
    TurnStage,
)
from engine.tiles import Tile, tiles_in


def why_illegal(table: Table, move: moves.Move) -> Refusal | None:
    """Return the first rule that `move` breaks on the public table, or None if it is legal there.

    The move may come from a hostile peer, so every number in it is checked before use. This must
    agree with `legal_moves` and `playable_tiles`. [docs/rules.md §2-§7]
    """
    refusal = why_illegal_step(table, move)
    if refusal is None and isinstance(move, moves.LayTile):
        return why_not_alone(turn_of(table, move.seat), move)
    return refusal


def why_illegal_step(table: Table, move: moves.Move) -> Refusal | None:
    """Return the first rule that one step of a move breaks, or None if the step is legal.

    Unlike `why_illegal`, this allows a tile that needs further tiles in the same move. A written
    game lays such tiles one by one; between peers they are a single move.
    """
    if isinstance(table.now, InPlay) and move.seat == table.to_move:
        return _why_not_now(table, move)
    return _why_not_due(table, move)


def _why_not_due(table: Table, move: moves.Move) -> Refusal | None:
    if isinstance(move, moves.Call):
        return why_not_called(table, move)
    match table.now:
        case HighDraw() | EngineSearch() | Returning():
            return why_not_sought(table, move)
        case OpeningAll():
            if move.seat not in due_seats(table):
                return Refusal(RefusalReason.OPENED_ALREADY)
            return _why_not_at_once(table, move)
        case InPlay() if isinstance(move, moves.TurnMove):
            return refused(RefusalReason.ANOTHERS_TURN, to_move=table.to_move)
        case InPlay():
            return not_asked(type(move))
        case Reshuffle() | PlayOver() | Scored() | AllScored():
            return Refusal(RefusalReason.ROUND_OVER)
        case _:
            assert_never(table.now)


def _why_not_now(table: Table, move: moves.Move) -> Refusal | None:
    match move:
        case moves.LayTile():
            return why_no_lay(table, move)
        case moves.DrawTile():
            return why_no_draw(table)
        case moves.Pass():
            return why_no_pass(table)
        case moves.LayChain():
            return why_no_chain(table, move)
        case moves.Done():
            return why_not_done(table)
        case moves.Mark():
            return why_not_marked(table, up=move.up)
        case moves.Tap() | moves.Catch() | moves.Quiet():
            return why_not_called(table, move)
        case _:
            return not_asked(type(move))


def _why_not_at_once(table: Table, move: moves.TurnMove | moves.HubMove) -> Refusal | None:
    """Return the rule that a move of a simultaneous opening breaks, or None if it is legal.

    A seat may lay only on its own train, and may not choose its marker.
    """
    if not isinstance(move, moves.TurnMove):
        return not_asked(type(move))
    if isinstance(move, moves.Mark):
        return not_marked(up=move.up)
    if isinstance(move, moves.LayChain) and move.bullet:
        return Refusal(RefusalReason.NO_BULLET)
    if isinstance(move, (moves.LayTile, moves.LayChain)) and int(move.train) != move.seat:
        return refused(RefusalReason.FIRST_TURN, train=move.train)
    return _why_not_now(turn_of(table, move.seat), move)


def hidden_claim(table: Table, move: moves.Move) -> tuple[Tile, ...] | None:
    """Return the tiles that the seat claims not to hold by this move, in canonical order.

    Return None if the move claims nothing about the hand, and () if it makes a claim but no tile is
    left to deny. The move must be legal on the public table. Proofs, the referee and the audit all
    use this. [docs/rules.md §2.3, §1.6]
    """
    if isinstance(table.now, EngineSearch):
        denied = denied_doubles(table, table.now, move)
        return None if denied is None else tuple(sorted(denied))
    claims = isinstance(move, (moves.DrawTile, moves.Pass))
    seen = turn_of(table, move.seat)
    if not claims or seen.turn.stage is TurnStage.LOST:
        return None
    return tiles_in(denied_bits(seen))


def why_illegal_holding(table: Table, hand: Hand, move: moves.Move) -> Refusal | None:
    """Return the first rule that `move` breaks for the owner of `hand`, or None if it is legal.

    A referee may know only part of the hand: at a position that `hand` does not name, assume the
    tile that the move claims. Judge a move of another seat, or of a seat that is not due, by the
    public table alone.
    """
    return _with_hand(table, hand, move, why_illegal(table, move))


def why_illegal_written(table: Table, hand: Hand, move: moves.Move) -> Refusal | None:
    """Return the first rule that `move` breaks for the owner of `hand` in a written game, or None.

    Unlike `why_illegal_holding`, this allows a tile that needs further tiles in the same move.
    """
    return _with_hand(table, hand, move, why_illegal_step(table, move))


def _with_hand(
    table: Table, hand: Hand, move: moves.Move, public: Refusal | None
) -> Refusal | None:
    private = None
    if move.seat == hand.seat and move.seat in due_seats(table):
        private = _why_not_with(table, hand, move, legal=public is None)
    return first_refusal(public, private)


def _why_not_with(table: Table, hand: Hand, move: moves.Move, *, legal: bool) -> Refusal | None:
    held = dict(hand.tiles)
    for position, tile in moves.shows(move):
        if held.get(position, tile) != tile:
            return refused(RefusalReason.TILE_NOT_HELD, tile=tile)
    if isinstance(move, moves.LayTile | moves.LayChain):
        return why_not_laid(turn_of(table, move.seat), hand, move) if legal else None
    if isinstance(table.now, (EngineSearch, Returning)):
        return _why_not_declared(table, hand, move)
    if isinstance(move, moves.DrawTile | moves.Pass):
        return why_no_claim(turn_of(table, move.seat), hand)
    return None


def why_not_laid(table: Table, hand: Hand, move: moves.LayTile | moves.LayChain) -> Refusal | None:
    """Return the refusal of a lay if the hand lacks the start or the follower it needs, else None.

    The lay must be legal on the public table.
    """
    refusal = why_no_start(table, hand, move.train)
    if refusal is None and isinstance(move, moves.LayTile):
        return why_not_continued(table, hand, move)
    return refusal


def _why_not_declared(table: Table, hand: Hand, move: moves.Move) -> Refusal | None:
    """Return the refusal of an answer that denies a tile which the hand holds, else None.

    A lay in the hub may deny higher doubles.
    """
    if not isinstance(move, moves.NoDouble | moves.Silent | moves.LayHub):
        return None
    claim = hidden_claim(table, move) or ()
    kept = next((tile for _, tile in hand.tiles if tile in claim), None)
    if kept is None:
        return None
    reason = RefusalReason.DOUBLE_KEPT
    if isinstance(move, moves.LayHub):
        reason = RefusalReason.HIGHER_HELD
    elif asks_heaviest(table):
        reason = RefusalReason.HEAVIEST_KEPT
    return refused(reason, tile=kept)


def playable_tiles(table: Table, seat: Seat) -> tuple[Tile, ...]:
    """Return every unseen tile that `seat` could lay now, whatever else it holds.

    They are in canonical order, without doubles that need another tile in the same move. Return ()
    when it is another seat's turn, and during the search for the hub's double. For the tiles that a
    draw or pass denies, see `hidden_claim`.
    """
    if seat not in due_seats(table) or seats_seeking(table):
        return ()
    return tiles_in(playable_bits(turn_of(table, seat)))


def unseen_tiles(table: Table) -> tuple[Tile, ...]:
    """Return every tile in a hand or in the boneyard, in canonical order."""
    return tiles_in(table.unseen)
