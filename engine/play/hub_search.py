"""The search for the hub's double: the questions and their answers. [docs/rules.md §1.4-§1.8]

This module judges the answers; `hub_outcome` carries them out. The high draw for the first turn and
the question for the heaviest tile in a hand, which some rules put before the search, are here too.
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
"""The steps in which every seat answers, in any order."""

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
    """Return the seats that must answer or turn up a tile now, in seat order.

    Return () in every phase but the high draw and the search.
    """
    match table.now:
        case EngineSearch(step) | Returning(step) if step not in TOGETHER:
            return (table.to_move,)
        case HighDraw(said=said) | EngineSearch(said=said):
            return tuple(seat for seat in table.present if not said >> seat & 1)
        case _:
            return ()


def answers(table: Table) -> tuple[type, ...]:
    """Return the types of move that the search or the high draw accepts now.

    Return () in other phases.
    """
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
    """Return True if the seats are now asked for the heaviest tile in a hand. [§1.5]"""
    return isinstance(table.now, EngineSearch) and table.now.step is SeekStep.HEAVIEST


def must_declare(table: Table) -> bool:
    """Return True in the last round, where no seat may hide a double by silence. [§1.7]

    Whether the rules have declaring at all is not checked.
    """
    return table.round_number + 1 >= table.spec.rounds


def next_turned(table: Table, seat: Seat) -> Position | None:
    """Return the boneyard position that the seat turns up or looks at next.

    Return None if none is left, and in phases in which nothing is turned up. The step of the search
    is not checked. The seat matters only in the high draw.
    """
    match table.now:
        case HighDraw(run_offs=run_offs):
            # each run-off reserves a tile for every seat, even those no longer in it
            at = seat + table.spec.seats * run_offs
        case EngineSearch(turned=turned) | Returning(turned=turned):
            at = len(turned)
        case _:
            return None
    return table.boneyard[at] if at < len(table.boneyard) else None


def is_looked_at(table: Table) -> bool:
    """Return True if only one seat may see the next boneyard tile. [docs/rules.md §1.7]"""
    return isinstance(table.now, EngineSearch) and table.now.step is SeekStep.LOOK


def turned_now(table: Table) -> tuple[tuple[Seat, Position, bool], ...]:
    """Return the boneyard tiles to turn up or look at now, as (seat, position, for all).

    `for all` is True if all see the tile, False if only that seat does. The tiles are in seat
    order. Return () if nothing is to be turned up. [docs/rules.md §1.5, §1.7]
    """
    if moves.TurnUp not in answers(table):
        return ()
    for_all = not is_looked_at(table)
    found = ((seat, next_turned(table, seat)) for seat in seats_seeking(table))
    return tuple((seat, position, for_all) for seat, position in found if position is not None)


def found_position(table: Table) -> Position | None:
    """Return the boneyard position whose tile may be laid in the hub now, or None."""
    found = table.now.found if isinstance(table.now, EngineSearch) else None
    return None if found is None else found[0]


def why_not_sought(table: Table, move: moves.Move) -> Refusal | None:
    """Return the refusal of a move in the search or the high draw, or None if it is legal.

    The move is judged by the public table alone. Raise KeyError for a call; `calls.why_not_called`
    judges calls.
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
    """Return the refusal of a move that belongs to another phase: a turn or the search.

    Raise KeyError for a type of call, because calls are not refused in this way.
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
    """Return the tiles that a move of the search claims not to hold, or None if it claims nothing.

    Draws claim nothing: all seats have already said that they have no such double. [§1.6] Silence
    denies the double asked for, but only in the last round. If the seat asked first must lay its
    highest double, laying one denies all higher ones; the tuple is empty if there are none.
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
