"""Rules for one step of the seat to move: lay a tile, draw, pass, end the turn, set the marker."""

from engine.play.places import names_double, places, why_left_out
from engine.play.playable import dies, draw_due, is_led, shuts_doubles, why_draws_not
from engine.refusals import Fact, Refusal, RefusalReason, refused
from engine.rules.switches import OpeningDouble
from engine.table.moves import LayTile
from engine.table.table import Table, joining_halves
from engine.table.trains import Train
from engine.table.turn import InChain, TurnStage
from engine.tiles import TILE_BITS, Tile


def why_no_lay(table: Table, move: LayTile) -> Refusal | None:
    """Return the refusal of a lay as one step of the turn, or None if it is legal.

    The position must be in the seat's hand, and the tile in the set and unseen; whether the tile is
    really at that position is not checked. `chain.why_not_alone` decides whether a double may be
    laid by itself.
    """
    tile, train, on = move.tile, move.train, move.on
    low, high = tile
    in_set = 0 <= low <= high <= table.spec.pip_max
    if not in_set or table.seen & TILE_BITS[tile] or move.position not in table.hands[move.seat]:
        return refused(RefusalReason.TILE_NOT_HELD, tile=tile)
    now = places(table)
    for end in now.doubles if low == high else now.plain:
        if end.on == on and end.train == train:
            if move.joined in table.spec.rules.wild_blanks.joins[tile][end.pip]:
                if low != high and table.turn.double_count < 2:
                    return None  # the usual lay, which `why_not_held` allows anyway
                return why_not_held(table, move)
            return mismatch(table.train(train), tile)
    return _why_not_there(table, move)


def why_not_held(table: Table, move: LayTile) -> Refusal | None:
    """Return the refusal of a tile that fits but may not be laid now, or None if it is allowed.

    The cover of a second double must not have been drawn in this turn [§5.8]. Depending on the
    rules, a double may not be the last tile unless it is dead [§7.1], and may not end a chain
    [§3.5].
    """
    turn, tile = table.turn, move.tile
    if turn.double_count > 1 and turn.stage is TurnStage.HELD and move.position in turn.drawn:
        return Refusal(RefusalReason.COVER_DRAWN)
    if tile[0] != tile[1]:
        return None
    if shuts_doubles(table) and not dies(table, tile):
        return Refusal(RefusalReason.LAST_DOUBLE)
    ends = len(table.hands[move.seat]) == 1 or dies(table, tile)
    return chain_refusal(table) if ends and is_led(table, move) else None


def mismatch(train: Train, tile: Tile) -> Refusal:
    """Return the refusal of a tile that does not fit the train's open ends.

    Its facts are the tile, the train, and a pip for each item of `train.ends`.
    """
    ends: tuple[Fact, ...] = tuple(("pip", end.pip) for end in train.ends)
    facts: tuple[Fact, ...] = (("tile", tile), ("train", train.id), *ends)
    return Refusal(RefusalReason.END_MISMATCH, facts)


def _why_not_there(table: Table, move: LayTile) -> Refusal:
    """Return the first reason why a place that `places` leaves out does not take the tile.

    If no rule shuts the place and no tile was lost, the tile does not fit, or the turn has had all
    its tiles (`LAID_ENOUGH`).
    """
    if not table.has_train(move.train):
        return refused(RefusalReason.NO_TRAIN, train=move.train)
    train, stage = table.train(move.train), table.turn.stage
    refusal = why_left_out(table, train, move.on)
    if refusal is not None:
        return refusal
    if stage is TurnStage.LOST:
        return Refusal(RefusalReason.TILE_LOST)
    there = [end for end in train.ends if end.on == move.on]
    fits = any(move.joined in joining_halves(table.rules, move.tile, end.pip) for end in there)
    if fits and not isinstance(stage, InChain):
        return Refusal(RefusalReason.LAID_ENOUGH)
    return mismatch(train, move.tile)


def why_no_draw(table: Table) -> Refusal | None:
    """Return the refusal of a draw by the public table, or None if it is allowed.

    The hand, which may have a tile to lay, is not checked here.
    """
    reason = why_draws_not(table)
    return None if reason is None else Refusal(reason)


def why_no_pass(table: Table) -> Refusal | None:
    """Return the refusal of a pass by the public table, or None if it is allowed.

    The hand, which may have a tile to lay, is not checked here.
    """
    stage = table.turn.stage
    if stage is TurnStage.HELD:
        return Refusal(RefusalReason.COVER_HELD)
    if table.turn.may_end or table.memory.bullet is not None:
        return Refusal(RefusalReason.NO_PASS)
    if draw_due(table):
        return Refusal(RefusalReason.MUST_DRAW)
    return None


def why_not_done(table: Table) -> Refusal | None:
    """Return the refusal to end the turn, or None if the seat to move may end it.

    A seat may end its turn at a stage that lets it stop (`Turn.may_end`), and at the start of a
    turn after a bullet train. It may not if its chain ends on a double and may not end there.
    """
    if not (follows_bullet(table) or table.turn.may_end):
        return Refusal(RefusalReason.NOT_DONE)
    return chain_refusal(table) if chain_ends_double(table) else None


def follows_bullet(table: Table) -> bool:
    """Return True if the seat to move may lay a chain now, after another's bullet train."""
    return table.memory.bullet is not None and table.turn.stage is TurnStage.START


def chain_ends_double(table: Table) -> bool:
    """Return True if the chain being laid ends on a double and may not end there. [§3.5]"""
    chain = table.turn.stage
    if not isinstance(chain, InChain) or not places(table).led:
        return False
    return table.train(chain.train).lays[chain.on].tile.is_double


def chain_refusal(table: Table) -> Refusal:
    """Return the refusal of a chain that ends on a double.

    It is `CHAIN_ENDS_DOUBLE` under `opening-double=refused`, else `LAST_PLAY_ALONE`.
    """
    refused = table.rules.opening_double is OpeningDouble.REFUSED
    reason = RefusalReason.CHAIN_ENDS_DOUBLE if refused else RefusalReason.LAST_PLAY_ALONE
    return Refusal(reason)


def not_marked(*, up: bool) -> Refusal:
    """Return the refusal to put the marker up, or to take it down if `up` is False."""
    return Refusal(RefusalReason.MARKER_NOT_UP if up else RefusalReason.MARKER_NOT_DOWN)


def why_not_marked(table: Table, *, up: bool) -> Refusal | None:
    """Return the refusal of a voluntary change of the marker, or None if it is allowed. [§6.4]

    It is allowed once a turn, but not between a draw and a lay from the hand, and not after a
    bullet train. The seat may take down only a marker that it put up by choice.
    """
    turn = table.turn
    seat = table.to_move
    memory = table.memory
    in_time = turn.mark is None and (turn.from_hand or not turn.drawn) and memory.bullet is None
    may = up or (memory.voluntary >> seat & 1 and table.trains[seat].marker)
    if in_time and may and table.rules.marker_voluntary.is_yes:
        return None
    return not_marked(up=up)


def pair_refusal(table: Table) -> Refusal:
    """Return the refusal of a double without the tile that must follow it.

    It is `LAST_PLAY_ALONE` in the last plays; else `SECOND_DOUBLE`, with the double that must be
    covered first, or `DOUBLE_ALONE` if there is none.
    """
    if table.memory.last is not None:
        return Refusal(RefusalReason.LAST_PLAY_ALONE)
    duty = places(table).duty
    if duty is not None:
        return names_double(RefusalReason.SECOND_DOUBLE, duty)
    return Refusal(RefusalReason.DOUBLE_ALONE)
