"""The tiles that the seat to move could play, and whether it draws if it has none of them."""

from typing import Final

from engine.play.places import DOUBLE_BITS, OpenEnds, due_double, ends_bits, is_free_on, places
from engine.play.reach import own_trains
from engine.refusals import RefusalReason
from engine.rules.switches import LayerMiss, OpeningDouble
from engine.table.moves import LayTile
from engine.table.table import Table
from engine.table.trains import HUB, TrainId
from engine.table.turn import Stage, TurnStage
from engine.tiles import SET_BITS, TILE_BITS, TILES, Tile

_NOT_DUE: Final[dict[Stage, RefusalReason]] = {
    TurnStage.HELD: RefusalReason.COVER_HELD,
    TurnStage.LOST: RefusalReason.DRAWN_AND_LOST,
}
"""The reason against a draw in a stage in which no tile is due; `NO_DRAW` for all others."""


def playable_bits(table: Table) -> int:
    """Return the bit set of the unseen tiles that the seat to move could lay on their own.

    Doubles that need another tile with them or after them are left out, because a claim is about
    single tiles.
    """
    now = places(table)
    plain, doubles = now.plain, now.doubles
    bits = ends_bits(table, plain)
    if plain is not doubles or now.paired or now.led:
        bits = bits & ~DOUBLE_BITS | _double_bits(table, now)
    bits &= table.unseen
    if shuts_doubles(table):
        bits = bits & ~DOUBLE_BITS | _dying_bits(table, bits & DOUBLE_BITS)
    return bits


def _double_bits(table: Table, now: OpenEnds) -> int:
    """Return the bit set of the doubles that may be laid whatever else the hand has."""
    led = tuple(end for end in now.doubles if leads(table, end.train))
    others = tuple(end for end in now.doubles if end not in led) if led else now.doubles
    alone = ends_bits(table, others) & DOUBLE_BITS
    behind = ends_bits(table, led) & DOUBLE_BITS
    if now.paired:
        free = tuple(end for end in others if is_free_on(table, end.train))
        alone = 0 if table.memory.last is None else _dying_bits(table, alone)
        alone |= ends_bits(table, free) & DOUBLE_BITS
    refused = table.rules.opening_double is OpeningDouble.REFUSED
    return alone | (0 if refused else _dying_bits(table, behind))


def leads(table: Table, train: TrainId) -> bool:
    """Return True if a double on this train must be followed in its chain. [docs/rules.md §3.5]"""
    return places(table).led and train in own_trains(table, table.to_move)


def is_led(table: Table, move: LayTile) -> bool:
    """Return True if this lay is a double after which the same turn must go on.

    In the last plays a dead double needs no follower, but under `opening-double=refused` a chain
    may not end even on a dead one.
    """
    if move.tile[0] != move.tile[1] or not leads(table, move.train):
        return False
    refused = table.rules.opening_double is OpeningDouble.REFUSED
    return refused or not dies(table, move.tile)


def shuts_doubles(table: Table) -> bool:
    """Return True if the seat to move has one tile left, so it may not lay a live double. [§7.1]

    Return False if the rules allow a double as the last tile.
    """
    return len(table.hands[table.to_move]) == 1 and table.spec.rules.last_double.is_refused


def dies(table: Table, tile: Tile) -> bool:
    """Return True if nothing can join a double once it is laid. [docs/rules.md §5.5]"""
    return bool(_dying_bits(table, TILE_BITS[tile]))


def _dying_bits(table: Table, doubles: int) -> int:
    """Return the doubles among these that nothing can join once they are laid."""
    fits = table.spec.rules.wild_blanks.fits
    unseen = table.unseen
    found = 0
    doubles &= SET_BITS[table.spec.pip_max]
    while doubles:
        bit = doubles & -doubles
        doubles ^= bit
        if not fits[TILES[bit.bit_length() - 1][0]] & unseen & ~bit:
            found |= bit
    return found


def draw_due(table: Table) -> bool:
    """Return True if the seat to move must draw when it can lay nothing. [docs/rules.md §2.4]"""
    return why_draws_not(table) is None


def why_draws_not(table: Table) -> RefusalReason | None:
    """Return the first reason why a seat that can lay nothing does not draw; None if it must."""
    turn = table.turn
    # test the usual stage first, which saves calling `is_due`
    if not (turn.stage is TurnStage.START or turn.is_due):
        return _NOT_DUE.get(turn.stage, RefusalReason.NO_DRAW)
    if table.memory.bullet is not None:
        return RefusalReason.NO_DRAW
    if table.spec.rules.draw.is_never:
        return RefusalReason.NOBODY_DRAWS
    if not table.spec.rules.opening_miss.draws and _is_to_start(table):
        return RefusalReason.NO_OPENING_DRAW
    if is_for_drawn(table):
        return RefusalReason.DOUBLE_DRAWN
    if table.drawn and not draws_on(table):
        return RefusalReason.ALREADY_DRAWN
    return None if table.boneyard else RefusalReason.BONEYARD_EMPTY


def is_for_drawn(table: Table) -> bool:
    """Return True if the double to cover was drawn in this turn, and its cover may not be drawn.

    Return False if the rules let the seat draw again. [§5.11]
    """
    turn = table.turn
    if not (turn.drawn and turn.doubles) or table.rules.drawn_double.draws_again:
        return False
    laid = [table.train(end.train).lays[end.on] for end in due_double(table)]
    return any(lay.position in turn.drawn for lay in laid)


def _is_to_start(table: Table) -> bool:
    """Return True if the seat to move should start its train in its first turn. [rules.md §3.2]

    Return False with arms, because no seat has a train.
    """
    if table.rules.mexican.arms:
        return False
    return table.opening and table.turn.stage is TurnStage.START and not table.owed


def draws_on(table: Table) -> bool:
    """Return True if the seat to move may draw again after a draw. [docs/rules.md §2.4, §5.4]

    This does not check whether the boneyard is empty.
    """
    rules = table.rules
    if table.turn.doubles and rules.layer_miss is LayerMiss.DRAW_ONLY:
        return False
    if rules.draw.goes_on:
        return True
    if rules.opening_miss.draws > 1 and _is_to_start(table):
        return True
    if not rules.continuous_draw.is_yes or not table.owed:
        return False
    # continuous draw: the double comes back to its layer after every other seat has failed [§5.4]
    owed = table.owed[0]
    lays = table.train(owed.train).lays
    layer = None if owed.on == HUB else lays[owed.on].seat
    return layer == table.to_move and all(
        seat == layer or owed.left >> seat & 1 for seat in table.present
    )
