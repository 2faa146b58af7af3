"""The lengths of one hand's trains, for bots, which often ask about few tiles.

With few tiles it is fastest to try all trains and to remember, by the pip at the end and the tiles
laid, how many more can follow. When that takes too long, the search over left-out tiles takes over.
"""

from collections.abc import Iterable
from typing import Final

from engine.longest_train.search import TrainSearch, proven
from engine.tiles import Tile

TRIED_MAX: Final = 500
"""The most tries for one answer: they take about as long as the other search."""


class HandTrains:
    """Finds the lengths of one hand's longest trains, from any pip, with one of its tiles left out.

    Answers are exact and remembered between calls; after `tried_max` tries for one answer,
    `TrainSearch` finds it. Blanks join blanks only.
    """

    def __init__(self, hand: Iterable[Tile], tried_max: int = TRIED_MAX) -> None:
        self._bits: dict[Tile, int] = {}
        self._fitting: dict[int, list[tuple[int, int]]] = {}
        for tile in hand:
            low, high = tile
            bit = self._bits[tile] = 1 << len(self._bits)
            if low == high:  # first, because `_onward` tries nothing else once it finds a double
                self._fitting.setdefault(low, []).insert(0, (bit, low))
            else:
                self._fitting.setdefault(low, []).append((bit, high))
                self._fitting.setdefault(high, []).append((bit, low))
        self._known: dict[tuple[int, int], int] = {}
        self._tries = self._tried_max = tried_max

    def length(self, start: int, without: Tile) -> int:
        """Return the length of the longest train from `start`, in tiles, without one tile.

        Return 0 if nothing joins. Raise KeyError if `without` is not a tile of the hand.
        """
        self._tries = self._tried_max
        laid = self._bits[without]
        length = self._onward(start, laid)
        if self._tries < 0:
            search = TrainSearch([tile for tile in self._bits if tile != without], start)
            length = self._known[start, laid] = proven(search).reached
        return length

    def _onward(self, pip: int, laid: int) -> int:
        """Return the most tiles that can follow an end that shows `pip`.

        A double is always laid first, because it costs nothing. `laid` is the bit set of tiles not
        to use. Once `_tries` is below 0, the result is meaningless, and is not remembered.
        """
        known = self._known.get((pip, laid))
        if known is not None:
            return known
        self._tries -= 1
        most = 0
        for bit, end in self._fitting.get(pip, ()):
            if not laid & bit:
                if self._tries < 0:
                    return 0
                length = 1 + self._onward(end, laid | bit)
                if length > most:
                    most = length
                if end == pip:
                    break  # a double
        if self._tries >= 0:
            self._known[pip, laid] = most
        return most
