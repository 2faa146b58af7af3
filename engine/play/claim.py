"""The claim that a draw or a pass makes about the hand, checked against the hand.

A seat that draws or passes claims that it has no tile it must lay. All peers see which tiles the
claim denies (`denial`). The hand also shows lays that need several tiles together, and the tiles
drawn in this turn. [docs/rules.md §2.3, §3.5, §5.8, §5.11]
"""

from engine.play.chain import led_doubles, pairs
from engine.play.denial import binds, denied_bits, held_bits
from engine.play.places import places
from engine.refusals import Refusal, RefusalReason, refused
from engine.table.table import Hand, Table
from engine.tiles import TILE_BITS, Tile


def why_no_claim(table: Table, hand: Hand) -> Refusal | None:
    """Return the refusal if this hand has a tile that the seat to move must lay, else None.

    The refusal names such a tile.
    """
    denied = denied_bits(table)
    held = held_bits(table)
    drawn = table.turn.drawn
    for position, tile in hand.tiles:
        # the seat may keep a double drawn in this turn, but not one held before [§5.11]
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
    """Return a double that must be laid because the hand can follow it, or None."""
    for lay in led_doubles(table, hand):
        if binds(table, lay.train):
            return lay.tile
    for pair in pairs(table, hand):
        if binds(table, pair.train):
            return pair.lays[0].tile
    return None


def why_no_start(table: Table, hand: Hand, train: int) -> Refusal | None:
    """Return the refusal if the first turn may not go to this train, else None. [rules.md §3.6]

    Only a seat that could start its own train may play elsewhere instead. So its hand must contain
    a start: a tile that it would deny by drawing. A hand that is only partly known may contain one.
    """
    now = places(table)
    if not now.needs_start or train not in now.unbound:
        return None
    if len(hand.tiles) < len(table.hands[hand.seat]) or why_no_claim(table, hand) is not None:
        return None
    return refused(RefusalReason.START_NOT_HELD, train=train)
