"""The seats that may act now, and a simultaneous opening seen as one seat's turn."""

from collections.abc import Iterable

from engine.play.hub_search import TOGETHER, seats_seeking
from engine.struct import replace
from engine.table.moves import Declare, DrawTile, LayHub, Move, Pass
from engine.table.table import RoundPhase, Table
from engine.table.trains import Seat, Train
from engine.table.turn import Chain, Turn


def due_seats(table: Table) -> tuple[Seat, ...]:
    """The seats whose move the table waits for; none while tiles are shuffled or play is over."""
    match table.phase:
        case RoundPhase.PLAY:
            return (table.to_move,)
        case RoundPhase.ENGINE | RoundPhase.HIGH_DRAW:
            return seats_seeking(table)
        case RoundPhase.OPENING_ALL:
            done = table.memory.finished | table.memory.gone
            return tuple(Seat(seat) for seat in range(table.spec.seats) if not done >> seat & 1)
        case _:
            return ()


def due_together(table: Table) -> bool:
    """Whether all the seats due act in one step.

    Each then acts on the same table; the moves are applied in seat order, and a double laid in the
    hub after the other answers of its step. [docs/rules.md §1.6, §3.1]
    """
    if table.phase is RoundPhase.ENGINE:
        seek = table.memory.seek
        return seek is not None and seek.step in TOGETHER
    return table.phase in (RoundPhase.HIGH_DRAW, RoundPhase.OPENING_ALL)


def in_step_order(moves: Iterable[Move]) -> tuple[Move, ...]:
    """The moves of seats that acted together, in the order in which they are applied.

    By seat; but a double laid in the hub ends the search, so it comes last.
    """
    return tuple(sorted(moves, key=_step_rank))


def as_left(table: Table, move: Move) -> Move:
    """A move of a step, adapted to the moves before it in that step.

    A draw for which no tile is left becomes a pass, which makes the same claim. [§3.1]
    """
    gone = isinstance(move, DrawTile) and not table.boneyard
    return Pass(move.seat) if gone else move


def _step_rank(move: Move) -> tuple[bool, int]:
    return isinstance(move, LayHub | Declare), move.seat


def turn_of(table: Table, seat: Seat) -> Table:
    """A simultaneous opening as if it were this seat's turn in it. [docs/rules.md §3.1]"""
    train = table.trains[seat]
    turn = Turn(at_once=True)
    if train.lays:
        turn = replace(turn, stage=Chain(train.id, len(train.lays) - 1), laid=True)
    drew = bool(table.memory.drew >> seat & 1)
    return replace(table, phase=RoundPhase.PLAY, to_move=seat, turns=seat, drawn=drew, turn=turn)


def with_turn(table: Table, seat: Seat, after: Table, *, finished: bool) -> Table:
    """A simultaneous opening with the changes of one seat's turn in it."""
    trains: list[Train] = list(table.trains)
    trains[seat] = after.trains[seat]
    memory = after.memory
    bit = 1 << seat
    memory = replace(
        memory,
        finished=table.memory.finished | bit if finished else table.memory.finished,
        drew=table.memory.drew | bit if after.drawn and not finished else table.memory.drew,
    )
    return replace(
        table,
        trains=tuple(trains),
        hands=after.hands,
        boneyard=after.boneyard,
        seen=after.seen,
        passed=after.passed,
        memory=memory,
    )
