"""The search for the hub's double: the questions and their answers. [docs/rules.md §1.4-§1.8]

This file judges; `hub_outcome` carries out. Where the rules have it, the draw for the first turn
comes before.
"""

from typing import Final, assert_never

from engine.refusals import Refusal, RefusalReason
from engine.table import moves
from engine.table.table import RoundPhase, Table
from engine.table.trains import Position, Seat
from engine.table.turn import EngineSearch, SeekStep
from engine.tiles import Tile

TOGETHER: Final = frozenset({SeekStep.ASK, SeekStep.CLAIM, SeekStep.FORCED, SeekStep.ALL_DRAW})
"""Steps in which every seat answers, in any order."""

_ANSWERS: Final[dict[SeekStep, tuple[type, ...]]] = {
    SeekStep.ASK: (moves.LayHub, moves.NoDouble),
    SeekStep.IN_TURN: (moves.LayHub, moves.NoDouble),
    SeekStep.ALL_DRAW: (moves.DrawTile,),
    SeekStep.TURN_DRAW: (moves.DrawTile,),
    SeekStep.DRAWN: (moves.LayHub, moves.NoDouble),
    SeekStep.CLAIM: (moves.NoDouble, moves.Silent),
    SeekStep.LOOK: (moves.TurnUp,),
    SeekStep.LOOKED: (moves.Declare, moves.Silent),
    SeekStep.FORCED: (moves.LayHub, moves.NoDouble),
    SeekStep.TURN: (moves.TurnUp,),
    SeekStep.FOUND: (moves.LayHub,),
    SeekStep.DISCARD: (moves.Discard,),
    SeekStep.PULL: (moves.PullBack,),
}
_DECLARING: Final = (moves.Declare, moves.Silent)


def seek_of(table: Table) -> EngineSearch:
    """The search in progress; the table must be in it."""
    seek = table.memory.seek
    assert seek is not None
    return seek


def asks_one(table: Table) -> bool:
    """Whether one double is asked for at a time, from the highest down."""
    return seek_of(table).step in (SeekStep.ASK, SeekStep.FORCED)


def seats_seeking(table: Table) -> tuple[Seat, ...]:
    """The seats that must answer now, in seat order."""
    if table.phase is RoundPhase.ENGINE and seek_of(table).step not in TOGETHER:
        return (table.to_move,)
    said = 0 if table.memory.seek is None else table.memory.seek.said
    return tuple(seat for seat in table.present if not said >> seat & 1)


def answers(table: Table) -> tuple[type, ...]:
    """The kinds of move that the search takes now."""
    if table.phase is RoundPhase.HIGH_DRAW:
        return (moves.TurnUp,)
    step = seek_of(table).step
    if step is SeekStep.ASK and table.rules.engine.facts.is_declared:
        return _DECLARING
    return _ANSWERS[step]


def must_declare(table: Table) -> bool:
    """Whether a declared double may not be kept back: in the last round. [docs/rules.md §1.7]"""
    return table.round_number + 1 >= table.spec.rounds


def next_turned(table: Table, seat: Seat) -> Position | None:
    """The boneyard position that the seat turns up or looks at next; None if none is left."""
    if table.phase is RoundPhase.HIGH_DRAW:
        at = seat + table.spec.seats * (table.memory.seek.run_offs if table.memory.seek else 0)
    else:
        at = len(seek_of(table).turned)
    return table.boneyard[at] if at < len(table.boneyard) else None


def turned_now(table: Table) -> tuple[tuple[Seat, Position, bool], ...]:
    """The boneyard tiles that must be turned up or looked at now: seat, position, for all.

    The last value says whether all see the tile, or only that seat. [docs/rules.md §1.5, §1.7]
    """
    if table.phase not in (RoundPhase.HIGH_DRAW, RoundPhase.ENGINE) or moves.TurnUp not in answers(
        table
    ):
        return ()
    for_all = table.phase is RoundPhase.HIGH_DRAW or seek_of(table).step is not SeekStep.LOOK
    found = ((seat, next_turned(table, seat)) for seat in seats_seeking(table))
    return tuple((seat, position, for_all) for seat, position in found if position is not None)


def found_position(table: Table) -> Position | None:
    """The boneyard position whose tile may be laid in the hub now; None if there is none."""
    seek = table.memory.seek
    if seek is None or seek.step not in (SeekStep.LOOKED, SeekStep.FOUND):
        return None
    return seek.turned[-1][0]


def why_not_sought(table: Table, move: moves.Move) -> Refusal | None:
    """The first rule that a move of the search breaks on the public table; None if none."""
    kinds = answers(table)
    if not isinstance(move, kinds):
        return not_asked(move)
    due = seats_seeking(table)
    if move.seat not in due:
        return Refusal(RefusalReason.ANOTHERS_ANSWER, (("to_move", due[0]),))
    match move:
        case moves.LayHub() | moves.Declare():
            return _why_not_hub(table, move)
        case moves.TurnUp():
            return _why_not_turned(table, move)
        case moves.Discard() | moves.PullBack():
            return _why_not_returned(table, move)
        case _:
            return None


def not_asked(move: moves.Move) -> Refusal:  # noqa: C901 - one branch a kind of move
    """The refusal of a move of another phase: of a turn during the search, or the reverse."""
    match move:
        case moves.LayTile() | moves.LayChain():
            return Refusal(RefusalReason.LAY_BEFORE_HUB)
        case moves.DrawTile():
            return Refusal(RefusalReason.DRAW_BEFORE_HUB)
        case moves.Pass() | moves.Done() | moves.Mark():
            return Refusal(RefusalReason.TURN_BEFORE_HUB)
        case moves.Tap() | moves.Catch() | moves.Quiet():
            return Refusal(RefusalReason.NOTHING_TO_CALL)
        case moves.LayHub() | moves.NoDouble():
            return Refusal(RefusalReason.NO_DOUBLE_ASKED)
        case moves.Declare():
            return Refusal(RefusalReason.NO_DECLARING)
        case moves.Silent():
            return Refusal(RefusalReason.NO_SILENCE)
        case moves.TurnUp():
            return Refusal(RefusalReason.NO_LOOK)
        case moves.Discard():
            return Refusal(RefusalReason.NO_DISCARD)
        case moves.PullBack():
            return Refusal(RefusalReason.NO_PULL)
        case _:
            assert_never(move)


def _why_not_returned(table: Table, move: moves.Discard | moves.PullBack) -> Refusal | None:
    owner = seek_of(table).layer if isinstance(move, moves.PullBack) else move.seat
    named = move.other if isinstance(move, moves.PullBack) else move.seat
    if owner is not None and owner == named and move.position in table.hands[owner]:
        return None
    return Refusal(RefusalReason.TILE_NOT_THERE)


def _why_not_hub(table: Table, move: moves.LayHub | moves.Declare) -> Refusal | None:
    found = found_position(table)
    held = table.hands[move.seat] if found is None else (found,)
    seek = seek_of(table)
    shown = seek.turned[-1][1] if found is not None and seek.step is SeekStep.FOUND else move.tile
    if move.position not in held or shown != move.tile:
        return Refusal(RefusalReason.DOUBLE_NOT_HELD, (("tile", move.tile),))
    may = seek.asked[:1] if asks_one(table) else seek.asked
    if move.tile not in may:
        return Refusal(RefusalReason.WRONG_ENGINE, (("tile", move.tile),))
    return None


def _why_not_turned(table: Table, move: moves.TurnUp) -> Refusal | None:
    position = next_turned(table, move.seat)
    assert position is not None, "the step is over once every tile was turned"
    known = [tile for _, tile in _shown(table) if tile is not None]
    private = table.phase is RoundPhase.ENGINE and seek_of(table).step is SeekStep.LOOK
    tile = move.tile
    if move.position != position or (tile is None) != private:
        return Refusal(RefusalReason.TILE_NOT_THERE)
    if tile is None:
        return None
    in_set = 0 <= tile.low <= tile.high <= table.spec.pip_max
    if in_set and tile not in known:
        return None
    return Refusal(RefusalReason.TILE_NOT_THERE, (("tile", tile),))


def _shown(table: Table) -> tuple[tuple[Position, Tile | None], ...]:
    return () if table.memory.seek is None else table.memory.seek.turned


def denied_doubles(table: Table, move: moves.Move) -> tuple[Tile, ...] | None:
    """The doubles that a move of the search claims not to hold; None if it claims none.

    Draws claim nothing: what they need was claimed before them. [docs/rules.md §1.6]
    """
    seek = seek_of(table)
    match move:
        case moves.NoDouble():
            return seek.asked[:1] if asks_one(table) else seek.asked
        case moves.Silent() if seek.step is SeekStep.ASK and must_declare(table):
            return seek.asked[:1]
        case moves.LayHub() if seek.step is SeekStep.IN_TURN and not seek.said:
            return tuple(tile for tile in seek.asked if tile > move.tile)
        case _:
            return None
