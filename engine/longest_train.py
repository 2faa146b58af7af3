"""The longest chain a hand can lay from one end, by a search that is bounded, so always quick."""

from collections.abc import Iterable
from typing import Final

from engine.tiles import Tile

NODES_MAX: Final = 2_000
"""Tiles tried before the best chain found so far is taken: about 2 ms, and exact for the hands of
most deals, which hold up to fifteen tiles with few of each value."""


class HandChains:
    """The chains that one hand can lay, searched for from any end."""

    def __init__(self, tiles: Iterable[Tile]) -> None:
        """Doubles come first, then heavy tiles: what the bound cuts off matters least."""
        hand = sorted(tiles, key=lambda tile: (tile[0] != tile[1], -tile[0] - tile[1], tile))
        self._bits = {tile: 1 << number for number, tile in enumerate(hand)}
        self._fitting: dict[int, list[tuple[Tile, int, int, int]]] = {}
        for tile, bit in self._bits.items():
            low, high = tile
            self._fitting.setdefault(low, []).append((tile, bit, high, low + high))
            if low != high:
                self._fitting.setdefault(high, []).append((tile, bit, low, low + high))

    def longest(
        self, start: int, without: Tile | None = None, nodes_max: int = NODES_MAX
    ) -> tuple[Tile, ...]:
        """The chain of most tiles, then most pips, that joins `start`, as far as the bound goes."""
        best: list[Tile] = []
        best_pips = 0
        chain: list[Tile] = []
        nodes = 0
        fitting = self._fitting

        def extend(pip: int, pips: int, used: int) -> None:
            nonlocal best, best_pips, nodes
            if (len(chain), pips) > (len(best), best_pips):
                best, best_pips = chain.copy(), pips
            for tile, bit, end, more in fitting.get(pip, ()):
                if used & bit or nodes >= nodes_max:
                    continue
                nodes += 1
                chain.append(tile)
                extend(end, pips + more, used | bit)
                chain.pop()

        extend(start, 0, 0 if without is None else self._bits[without])
        return tuple(best)
