"""The seats that may act now, and a simultaneous opening seen as one seat's turn."""

from collections.abc import Iterable

from msgspec.structs import replace

from engine.play.hub_search import TOGETHER, seats_seeking
from engine.table.moves import Declare, DrawTile, LayHub, Move, Pass, Show
from engine.table.table import Table
from engine.table.trains import Seat
from engine.table.turn import EngineSearch, HighDraw, InChain, InPlay, OpeningAll, Turn


def due_seats(table: Table) -> tuple[Seat, ...]:
    """The seats whose move the table waits for, in seat order.

    In play that is the seat in turn alone. Empty while tiles are shuffled and once play is over.
    """
    match table.now:
        case InPlay():
            return (table.to_move,)
        case OpeningAll(finished):
            return tuple(seat for seat in table.present if not finished >> seat & 1)
        case _:
            return seats_seeking(table)


def due_together(table: Table) -> bool:
    """Whether all the seats due act in one step.

    Each then acts on the same table; the moves are applied in seat order, and a double laid in the
    hub, or a tile shown, after the other answers of its step. False in play, where one seat answers
    alone, and when nobody is due. [docs/rules.md §1.5, §1.6, §3.1]
    """
    match table.now:
        case EngineSearch(step):
            return step in TOGETHER
        case now:
            return isinstance(now, (HighDraw, OpeningAll))


def in_step_order(moves: Iterable[Move]) -> tuple[Move, ...]:
    """The moves of seats that acted together, in the order in which they are applied.

    By seat; but a double laid in the hub, or a tile shown, ends the asking, so it comes last.
    """
    ends = LayHub | Declare | Show
    return tuple(sorted(moves, key=lambda move: (isinstance(move, ends), move.seat)))


def as_left(table: Table, move: Move) -> Move:
    """A move of a step, adapted to the moves before it in that step.

    `table` is the one after those. A draw for which they left no tile becomes a pass, which makes
    the same claim; any other move stays as it is. [§3.1]
    """
    gone = isinstance(move, DrawTile) and not table.boneyard
    return Pass(move.seat) if gone else move


def turn_of(table: Table, seat: Seat) -> Table:
    """A simultaneous opening as if it were this seat's turn in it; any other table as it is.

    Nothing checks that the seat is still due.
    """
    opening = table.now
    # asked of every move of a bot, and play is what it nearly always is
    if isinstance(opening, InPlay) or not isinstance(opening, OpeningAll):
        return table
    train = table.trains[seat]
    turn = Turn(at_once=True)
    if train.lays:
        turn = replace(turn, stage=InChain(train.id, len(train.lays) - 1), laid=True)
    drew = bool(opening.drew >> seat & 1)
    return replace(table, now=InPlay(), to_move=seat, turns=seat, drawn=drew, turn=turn)


def with_turn(table: Table, after: Table, now: OpeningAll) -> Table:
    """A simultaneous opening with the changes of one seat's turn in it, and `now` as its phase.

    Trains, hands, boneyard, `seen`, `passed` and memory are those `after` the turn; `to_move`,
    `turns` and the rest stay as in `table`.
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
