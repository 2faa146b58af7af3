"""The seats that must act now, and a simultaneous opening seen as one seat's turn."""

from collections.abc import Iterable

from msgspec.structs import replace

from engine.play.hub_search import TOGETHER, seats_seeking
from engine.table.moves import Declare, DrawTile, LayHub, Move, Pass, Show
from engine.table.table import Table
from engine.table.trains import Seat
from engine.table.turn import EngineSearch, HighDraw, InChain, InPlay, OpeningAll, Turn


def due_seats(table: Table) -> tuple[Seat, ...]:
    """Return the seats that must move now, in seat order.

    In play that is only the seat to move. Return () during a shuffle and once play is over.
    """
    match table.now:
        case InPlay():
            return (table.to_move,)
        case OpeningAll(finished):
            return tuple(seat for seat in table.present if not finished >> seat & 1)
        case _:
            return seats_seeking(table)


def due_together(table: Table) -> bool:
    """Return True if all due seats act in one step.

    They then all act on the same table; `in_step_order` gives the order in which their moves apply.
    Return False in play, when only one seat answers, and when nobody is due. [docs/rules.md §1.5,
    §1.6, §3.1]
    """
    match table.now:
        case EngineSearch(step):
            return step in TOGETHER
        case now:
            return isinstance(now, (HighDraw, OpeningAll))


def in_step_order(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return the moves of seats that acted together, in the order in which they apply.

    The order is by seat. A move that lays a double in the hub or shows a tile ends the asking, so
    it comes last.
    """
    ends = LayHub | Declare | Show
    return tuple(sorted(moves, key=lambda move: (isinstance(move, ends), move.seat)))


def as_left(table: Table, move: Move) -> Move:
    """Return a move of a step, adapted to the earlier moves of that step.

    `table` is the table after the earlier moves. If they left no tile to draw, a draw becomes a
    pass, which makes the same claim. Any other move stays as it is. [§3.1]
    """
    gone = isinstance(move, DrawTile) and not table.boneyard
    return Pass(move.seat) if gone else move


def turn_of(table: Table, seat: Seat) -> Table:
    """Return a simultaneous opening as if it were this seat's turn; any other table as it is.

    Nothing checks that the seat is still due.
    """
    opening = table.now
    # the first test is for speed: bots call this for every move, nearly always in play
    if isinstance(opening, InPlay) or not isinstance(opening, OpeningAll):
        return table
    train = table.trains[seat]
    turn = Turn(at_once=True)
    if train.lays:
        turn = replace(turn, stage=InChain(train.id, len(train.lays) - 1), laid=True)
    drew = bool(opening.drew >> seat & 1)
    return replace(table, now=InPlay(), to_move=seat, turns=seat, drawn=drew, turn=turn)


def with_turn(table: Table, after: Table, now: OpeningAll) -> Table:
    """Return a simultaneous opening with the changes of one seat's turn, and `now` as its phase.

    Trains, hands, boneyard, `seen`, `passed` and memory come from `after`; `to_move`, `turns` and
    the rest come from `table`.
    """
    return replace(
        table,
        trains=after.trains,
        hands=after.hands,
        boneyard=after.boneyard,
        seen=after.seen,
        passed=after.passed,
        memory=after.memory,
        now=now,
    )
