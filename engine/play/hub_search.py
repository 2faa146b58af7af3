"""The search for the hub's double: the questions and their answers. [docs/rules.md §1.4-§1.8]

This file judges; `hub_outcome` carries out. Where the rules have it, the draw for the first turn,
or the question for the heaviest tile in a hand, comes before.
"""

from typing import Final

from engine.refusals import Refusal, RefusalReason, refused
from engine.table import moves
from engine.table.table import Table
from engine.table.trains import Position, Seat
from engine.table.turn import EngineSearch, HighDraw, Returning, SeekStep
from engine.tiles import Tile

TOGETHER: Final = frozenset(
    {SeekStep.HEAVIEST, SeekStep.ASK, SeekStep.CLAIM, SeekStep.FORCED, SeekStep.ALL_DRAW}
)
"""Steps in which every seat answers, in any order."""

_ANSWERS: Final[dict[SeekStep, tuple[type, ...]]] = {
    SeekStep.HEAVIEST: (moves.Show, moves.NoDouble),
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


def seats_seeking(table: Table) -> tuple[Seat, ...]:
    """The seats that must answer or turn up a tile now, in seat order.

    Empty in every phase but the draw for the first turn and the search.
    """
    match table.now:
        case EngineSearch(step) | Returning(step) if step not in TOGETHER:
            return (table.to_move,)
        case HighDraw(said=said) | EngineSearch(said=said):
            return tuple(seat for seat in table.present if not said >> seat & 1)
        case _:
            return ()


def answers(table: Table) -> tuple[type, ...]:
    """The kinds of move that the search takes now, as types; empty in other phases."""
    match table.now:
        case HighDraw():
            return (moves.TurnUp,)
        case EngineSearch(SeekStep.ASK) if table.rules.engine.is_declared:
            return _DECLARING
        case EngineSearch(step) | Returning(step):
            return _ANSWERS[step]
        case _:
            return ()


def asks_heaviest(table: Table) -> bool:
    """Whether the heaviest tile in a hand is asked for now, before all else. [§1.5]"""
    return isinstance(table.now, EngineSearch) and table.now.step is SeekStep.HEAVIEST


def must_declare(table: Table) -> bool:
    """Whether no seat may keep a double back by silence: in the last round. [docs/rules.md §1.7]

    Whether the rules know declaring at all is not asked.
    """
    return table.round_number + 1 >= table.spec.rounds


def next_turned(table: Table, seat: Seat) -> Position | None:
    """The boneyard position that the seat turns up or looks at next.

    None if none is left, and in phases in which nothing is turned up. The step of the search is not
    asked, and the seat matters only in the draw for the first turn.
    """
    match table.now:
        case HighDraw(run_offs=run_offs):
            # a tile for each seat every time, whether or not it still takes part
            at = seat + table.spec.seats * run_offs
        case EngineSearch(turned=turned) | Returning(turned=turned):
            at = len(turned)
        case _:
            return None
    return table.boneyard[at] if at < len(table.boneyard) else None


def is_looked_at(table: Table) -> bool:
    """Whether the next boneyard tile is for one seat alone to see. [docs/rules.md §1.7]"""
    return isinstance(table.now, EngineSearch) and table.now.step is SeekStep.LOOK


def turned_now(table: Table) -> tuple[tuple[Seat, Position, bool], ...]:
    """The boneyard tiles that must be turned up or looked at now: seat, position, for all.

    The last value says whether all see the tile, or only that seat. In seat order; empty where
    nothing is to be turned up. [docs/rules.md §1.5, §1.7]
    """
    if moves.TurnUp not in answers(table):
        return ()
    for_all = not is_looked_at(table)
    found = ((seat, next_turned(table, seat)) for seat in seats_seeking(table))
    return tuple((seat, position, for_all) for seat, position in found if position is not None)


def found_position(table: Table) -> Position | None:
    """The boneyard position whose tile may be laid in the hub now; None if there is none."""
    found = table.now.found if isinstance(table.now, EngineSearch) else None
    return None if found is None else found[0]


def why_not_sought(table: Table, move: moves.Move) -> Refusal | None:
    """The first rule that a move of the search breaks on the public table; None if none.

    Raises KeyError for a call, of which `calls.why_not_called` judges.
    """
    kinds = answers(table)
    if not isinstance(move, kinds):
        is_too_soon = asks_heaviest(table) and isinstance(move, moves.TurnMove)
        reason = RefusalReason.TURN_BEFORE_LEAD
        return Refusal(reason) if is_too_soon else not_asked(type(move))
    due = seats_seeking(table)
    if move.seat not in due:
        return refused(RefusalReason.ANOTHERS_ANSWER, to_move=due[0])
    match table.now, move:
        case EngineSearch() as seek, moves.LayHub() | moves.Declare():
            return _why_not_hub(table, seek, move)
        case EngineSearch() as seek, moves.Show():
            return _why_not_shown(table, seek, move)
        case (EngineSearch() | HighDraw()) as now, moves.TurnUp():
            return _why_not_turned(table, now, move)
        case Returning(layer=layer), moves.PullBack():
            is_there = move.other == layer and move.position in table.hands[layer]
        case Returning(), moves.Discard():
            is_there = move.position in table.hands[move.seat]
        case _:
            return None
    return None if is_there else Refusal(RefusalReason.TILE_NOT_THERE)


_NOT_ASKED: Final[dict[type, RefusalReason]] = {
    moves.LayTile: RefusalReason.LAY_BEFORE_HUB,
    moves.LayChain: RefusalReason.LAY_BEFORE_HUB,
    moves.DrawTile: RefusalReason.DRAW_BEFORE_HUB,
    moves.Pass: RefusalReason.TURN_BEFORE_HUB,
    moves.Done: RefusalReason.TURN_BEFORE_HUB,
    moves.Mark: RefusalReason.TURN_BEFORE_HUB,
    moves.LayHub: RefusalReason.NO_DOUBLE_ASKED,
    moves.NoDouble: RefusalReason.NO_DOUBLE_ASKED,
    moves.Declare: RefusalReason.NO_DECLARING,
    moves.Silent: RefusalReason.NO_SILENCE,
    moves.TurnUp: RefusalReason.NO_LOOK,
    moves.Discard: RefusalReason.NO_DISCARD,
    moves.PullBack: RefusalReason.NO_PULL,
    moves.Show: RefusalReason.NO_SHOWING,
}


def not_asked(kind: type[moves.Move]) -> Refusal:
    """The refusal of a move of another phase: of a turn during the search, or the reverse.

    Raises KeyError for the kinds of call, which no phase refuses so.
    """
    return Refusal(_NOT_ASKED[kind])


def _why_not_hub(
    table: Table, seek: EngineSearch, move: moves.LayHub | moves.Declare
) -> Refusal | None:
    found = seek.found
    held = table.hands[move.seat] if found is None else found[:1]
    shown = None if found is None else found[1]
    if move.position not in held or shown not in (None, move.tile):
        return refused(RefusalReason.DOUBLE_NOT_HELD, tile=move.tile)
    if move.tile not in seek.asked_now:
        return refused(RefusalReason.WRONG_ENGINE, tile=move.tile)
    return None


def _why_not_shown(table: Table, seek: EngineSearch, move: moves.Show) -> Refusal | None:
    if move.position not in table.hands[move.seat]:
        return refused(RefusalReason.TILE_NOT_HELD, tile=move.tile)
    if move.tile not in seek.asked_now:
        return refused(RefusalReason.TILE_NOT_ASKED, tile=move.tile)
    return None


def _why_not_turned(
    table: Table, now: EngineSearch | HighDraw, move: moves.TurnUp
) -> Refusal | None:
    position, tile = next_turned(table, move.seat), move.tile
    if move.position != position or (tile is None) != is_looked_at(table):
        return Refusal(RefusalReason.TILE_NOT_THERE)
    if tile is None:
        return None
    in_set = 0 <= tile.low <= tile.high <= table.spec.pip_max
    if in_set and tile not in dict(now.turned).values():
        return None
    return refused(RefusalReason.TILE_NOT_THERE, tile=tile)


def denied_doubles(table: Table, seek: EngineSearch, move: moves.Move) -> tuple[Tile, ...] | None:
    """The tiles that a move of the search claims not to hold; None if it claims none.

    Draws claim nothing: all seats have said before that they have no such double. [§1.6] Recovery
    denies the double asked for in the last round only. The seat asked first that lays a double
    denies all higher ones, which may be none: then the tuple is empty.
    """
    match move:
        case moves.NoDouble():
            return seek.asked_now
        case moves.Silent() if seek.step is SeekStep.ASK and must_declare(table):
            return seek.asked[:1]
        case moves.LayHub() if seek.step is SeekStep.IN_TURN and not seek.said:
            lays_any = not table.rules.engine.asks_in_turn  # the last winner, not the first seat
            return None if lays_any else tuple(tile for tile in seek.asked if tile > move.tile)
        case _:
            return None
