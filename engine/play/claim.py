"""Whether a hand supports the claim of a draw or a pass: that it has nothing it must lay.

All peers see which tiles are denied (`denial`). With the hand one also sees what only several tiles
together can do, and what was drawn in this turn. [docs/rules.md §2.3, §3.5, §5.8, §5.11]
"""

from engine.play.chain import led_doubles, pairs
from engine.play.denial import binds, denied_bits, held_bits
from engine.play.places import places
from engine.refusals import Refusal, RefusalReason, refused
from engine.table.table import Hand, Table
from engine.tiles import TILE_BITS, Tile


def why_no_claim(table: Table, hand: Hand) -> Refusal | None:
    """Why the seat in turn may not claim that this hand has nothing it must lay; None if it may.

    The refusal names a tile that it must lay.
    """
    denied = denied_bits(table)
    held = held_bits(table)
    drawn = table.turn.drawn
    for position, tile in hand.tiles:
        # a double may be kept if it was drawn in this turn, but not if it was held before [§5.11]
        if TILE_BITS[tile] & (denied if position in drawn else denied | held):
            return refused(RefusalReason.TILE_PLAYABLE, tile=tile)
    now = places(table)
    if not (now.paired or now.led):
        return None
    followed = _followed(table, hand)
    if followed is None:
        return None
    if table.memory.last is not None:
        reason = RefusalReason.LAST_PLAY_HELD
    elif now.led:
        reason = RefusalReason.CHAIN_HELD
    else:
        reason = RefusalReason.COVER_HELD
    return refused(reason, tile=followed)


def _followed(table: Table, hand: Hand) -> Tile | None:
    """A double of the hand that must be laid, as the hand can follow it; None if there is none."""
    for lay in led_doubles(table, hand):
        if binds(table, lay.train):
            return lay.tile
    for pair in pairs(table, hand):
        if binds(table, pair.train):
            return pair.lays[0].tile
    return None


def why_no_start(table: Table, hand: Hand, train: int) -> Refusal | None:
    """Why a first turn may not go to this train; None if it may. [docs/rules.md §3.6]

    A seat that could start its own train may play elsewhere instead, and so must hold a start: a
    tile that it would have to deny in a draw. A hand of which only a part is known may have one.
    """
    now = places(table)
    if not now.needs_start or train not in now.unbound:
        return None
    if len(hand.tiles) < len(table.hands[hand.seat]) or why_no_claim(table, hand) is not None:
        return None
    return refused(RefusalReason.START_NOT_HELD, train=train)
