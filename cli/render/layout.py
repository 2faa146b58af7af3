"""The arrangement of a hand: sorted, by its longest train, or in the player's own groups."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from msgspec import Struct

from cli.input.plan import longest_plan
from cli.scene import Scene, lays
from engine.tiles import Tile, make_tile


class HandOrder(Enum):
    """An order of a hand, whose value is the sentence that describes it.

    `hand sort` steps through the first four.
    """

    NUMBER = "Your hand is sorted by number."
    VALUE = "Your hand is sorted heaviest first."
    TRAIN = "Your hand is sorted with its longest train first."
    ENDS = "Your hand is sorted playable first."
    GROUPS = "Your hand stays as you arranged it."


HAND_ORDERS: Final = {
    "number": HandOrder.NUMBER,
    "value": HandOrder.VALUE,
    "train": HandOrder.TRAIN,
    "playable": HandOrder.ENDS,
}
"""The orders by the word that somebody types for them."""

Group = tuple[tuple[int, int], ...]
"""Tiles side by side, each as its two halves from left to right."""


class HandLayout(Struct, frozen=True):
    """The `order` of a hand, and for the order `GROUPS` the player's own `groups`."""

    order: HandOrder = HandOrder.NUMBER
    groups: tuple[Group, ...] = ()
    new: frozenset[Tile] = frozenset()
    """The tiles drawn since the last turn."""


AS_DEALT = HandLayout()


def hand_groups(scene: Scene, layout: HandLayout) -> tuple[Group, ...]:
    """Return the player's own tiles in groups, as the layout arranges them.

    `TRAIN` and `GROUPS` put the ungrouped tiles last, by number; all other orders make a single
    group. Empty for a watcher, and for an empty hand.
    """
    if scene.hand is None or not scene.hand.tiles:
        return ()
    tiles = [tile for _, tile in scene.hand.tiles]
    match layout.order:
        case HandOrder.TRAIN:
            plan = longest_plan(scene)
            return _with_rest(tiles, () if plan is None else (plan.pairs,))
        case HandOrder.GROUPS:
            return _with_rest(tiles, layout.groups)
        case HandOrder.VALUE:
            tiles.sort(key=lambda tile: (-tile.pips, -tile.high))
        case HandOrder.ENDS:
            playable = {move.tile for move in lays(scene)}
            tiles.sort(key=lambda tile: (tile not in playable, -tile.high, -tile.low))
        case HandOrder.NUMBER:
            tiles.sort(key=_by_number)
    return (_as_pairs(tiles),)


def _with_rest(held: Sequence[Tile], groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return the groups, then a group of the other tiles held, by number.

    Tiles that are not held, and empty groups, are left out.
    """
    kept = [tuple(pair for pair in group if make_tile(*pair) in held) for group in groups]
    placed = {make_tile(*pair) for group in kept for pair in group}
    rest = sorted((tile for tile in held if tile not in placed), key=_by_number)
    return tuple(group for group in (*kept, _as_pairs(rest)) if group)


def _by_number(tile: Tile) -> tuple[int, int]:
    return -tile.high, -tile.low


def _as_pairs(tiles: Sequence[Tile]) -> Group:
    return tuple((tile.high, tile.low) for tile in tiles)
