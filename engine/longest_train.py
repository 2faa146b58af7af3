"""The longest chain a hand can lay from one end, by a search that is bounded, so always quick."""

from collections.abc import Iterable
from typing import Final

from engine.tiles import Tile

NODES_MAX: Final = 2_000
"""Tiles tried before the best chain found so far is taken: about 2 ms, and exact for the hands of
most deals, which hold up to fifteen tiles with few of each value."""


def longest_chain(
    start: int, tiles: Iterable[Tile], nodes_max: int = NODES_MAX
) -> tuple[Tile, ...]:
    """The chain of most tiles (then most pips) that joins `start`, as far as the bound allows."""
    hand = sorted(tiles, key=lambda tile: (-tile.is_double, -tile.pips, tile))
    fitting: dict[int, list[Tile]] = {}
    for tile in hand:
        for pip in {tile.low, tile.high}:
            fitting.setdefault(pip, []).append(tile)
    best: list[Tile] = []
    best_pips = 0
    chain: list[Tile] = []
    used: set[Tile] = set()
    nodes = 0

    def extend(pip: int, pips: int) -> None:
        nonlocal best, best_pips, nodes
        if (len(chain), pips) > (len(best), best_pips):
            best, best_pips = chain.copy(), pips
        for tile in fitting.get(pip, ()):
            if tile in used or nodes >= nodes_max:
                continue
            nodes += 1
            chain.append(tile)
            used.add(tile)
            extend(tile.other_end(pip), pips + tile.pips)
            used.remove(tile)
            chain.pop()

    extend(start, 0)
    return tuple(best)
