"""Deals that agree with everything a seat knows: counting them, drawing them evenly, and chances.

Proved facts belong to positions. Positions with the same facts form a *cell*, and positions that
may have any tile are free. If there are few cells, the deals are counted tile by tile, and drawn by
those counts, all equally likely. Otherwise random swaps mix a deal that agrees, which makes all
deals nearly equally likely.
"""

from collections.abc import Collection, Sequence
from math import factorial, prod
from struct import unpack
from typing import Final

from engine.chance import Entropy
from engine.knowledge import Knowledge
from engine.table.table import Hand, Table
from engine.table.trains import Position, Seat
from engine.tiles import TILE_BITS, Tile, tile_bits, tiles_in

STATES_MAX: Final = 1_000
"""The most states of the cells for which deals are counted: some 50 ms."""

SWEEPS: Final = 6
"""How often each position of a cell tries a swap between two drawn deals."""

_WORD_BITS: Final = 32


class HiddenTiles:
    """The positions whose tiles a seat does not see, those tiles, and the proved facts.

    It describes one table and does not follow the play. `tiles` is in canonical order, unrelated to
    the order of the positions.
    """

    def __init__(self, table: Table, hand: Hand, known: Knowledge) -> None:
        """Read a table in play; `hand` contains the tiles that the seat sees."""
        unseen = table.unseen & ~tile_bits(tuple(tile for _, tile in hand.tiles))
        self.tiles = tiles_in(unseen)
        self.owners: dict[Position, Seat | None] = {}
        """The seat that holds each hidden position, or None for the boneyard's, which come last in
        the order of drawing."""
        own = {at for at, _ in hand.tiles}
        for seat, held in enumerate(table.hands):
            self.owners.update((at, Seat(seat)) for at in held if at not in own)
        self.owners.update((at, None) for at in table.boneyard)
        self.lacks = [known.lacks.get(at, 0) & unseen for at in self.owners]
        """For each position, in the same order, the bit set of the tiles that it cannot have."""
        self._count: int | None = None

    def count(self) -> int | None:
        """Return how many deals agree with the facts, or None if there are too many cells."""
        if self._count is None and _is_countable(self.lacks):
            self._count = _Counted(self.tiles, self.lacks).deals
        return self._count

    def chance_at(self, positions: Collection[Position], bits: int) -> float | None:
        """Return the chance that one of these tiles is at one of these positions.

        All agreeing deals are equally likely. Tiles and positions that are not hidden are ignored;
        return 0.0 if no hidden tile, or no position, is given. Return None if there are too many
        cells to count the deals, or if no deal agrees.
        """
        bits &= tile_bits(self.tiles)
        if not bits or not positions:
            return 0.0
        without = [
            lacks | bits if at in positions else lacks
            for at, lacks in zip(self.owners, self.lacks, strict=True)
        ]
        if not _is_countable(without) or not (among := self.count()):
            return None
        return 1 - _Counted(self.tiles, without).deals / among


def _cells(lacks: Sequence[int]) -> dict[int, list[int]]:
    """Return the positions, by index, of each cell, keyed by the tiles that its facts exclude.

    Free positions belong to no cell.
    """
    cells: dict[int, list[int]] = {}
    for at, bits in enumerate(lacks):
        if bits:
            cells.setdefault(bits, []).append(at)
    return cells


def _is_countable(lacks: Sequence[int]) -> bool:
    return prod(len(held) + 1 for held in _cells(lacks).values()) <= STATES_MAX


class _Counted:
    """All ways to fill the cells, tile by tile.

    A state is a number whose digits are the numbers of places left in the cells. For each tile and
    each state in which it may be placed, `ways` has the number of ways to place it and all later
    tiles.
    """

    def __init__(self, tiles: Sequence[Tile], lacks: Sequence[int]) -> None:
        self.tiles = tiles
        cells = _cells(lacks)
        self.places = [*cells.values(), [at for at, bits in enumerate(lacks) if not bits]]
        strides = []
        full = 1
        for held in cells.values():
            strides.append(full)
            full *= len(held) + 1
        digits = [
            (bits, stride, len(held) + 1)
            for (bits, held), stride in zip(cells.items(), strides, strict=True)
        ]
        # for each tile, the digits of the cells where it may be; any tile may be in a free place
        self.may = [
            [(stride, radix) for bits, stride, radix in digits if not bits & TILE_BITS[tile]]
            for tile in tiles
        ]
        self.strides = strides
        self.start = full - 1  # every digit at its most
        self.ways = [{0: 1}]  # after the last tile, no cell has a place left
        for may in reversed(self.may):
            later = self.ways[-1]
            ways = later.copy()  # the tile is in a free place
            for state, count in later.items():
                for stride, radix in may:
                    if state // stride % radix < radix - 1:
                        ways[state + stride] = ways.get(state + stride, 0) + count
            self.ways.append(ways)
        self.ways.reverse()
        deals = self.ways[0].get(self.start, 0)
        # the tiles of a cell, and those in free places, may be in any order
        self.deals = deals * prod(factorial(len(held)) for held in self.places)

    def draw(self, entropy: Entropy) -> list[Tile]:
        """Draw one of the deals, all equally likely: the tile of each position, by index."""
        state = self.start
        filled = [list[Tile]() for _ in self.places]
        for tile, may, ways in zip(self.tiles, self.may, self.ways[1:], strict=True):
            free = ways.get(state, 0)
            options = [
                (stride, ways.get(state - stride, 0))
                for stride, radix in may
                if state // stride % radix
            ]
            total = free + sum(count for _, count in options)
            # scaled down from 128 bits: uneven by at most `total` in 2**128
            chosen = int.from_bytes(entropy(16), "big") * total >> 128
            cell = -1  # the free places come after all cells
            if chosen >= free:
                chosen -= free
                for stride, count in options:
                    if chosen < count:
                        state -= stride
                        cell = self.strides.index(stride)
                        break
                    chosen -= count
            filled[cell].append(tile)
        dealt = [Tile(0, 0)] * len(self.tiles)
        for held, placed in zip(self.places, filled, strict=True):
            mix(placed, entropy)
            for at, tile in zip(held, placed, strict=True):
                dealt[at] = tile
        return dealt


def mix(tiles: list[Tile], entropy: Entropy) -> None:
    """Shuffle the tiles in place, all orders equally likely."""
    words = _words(entropy, len(tiles))
    for last in range(len(tiles) - 1, 0, -1):
        at = words[last] * (last + 1) >> _WORD_BITS
        tiles[at], tiles[last] = tiles[last], tiles[at]


def _words(entropy: Entropy, count: int) -> tuple[int, ...]:
    """Draw `count` numbers of 32 bits, all equally likely.

    When such a number is scaled down to the index of a tile, all indexes are equally likely to
    within a millionth.
    """
    return unpack(f"<{count}I", entropy(4 * count))


class DealSource:
    """A source of random deals that agree with the known facts.

    If none agrees, it raises ValueError, when made or at the first `draw`.
    """

    def __init__(self, hidden: HiddenTiles, entropy: Entropy) -> None:
        self._entropy = entropy
        self._counted = None
        if _is_countable(hidden.lacks):
            self._counted = _Counted(hidden.tiles, hidden.lacks)
        else:
            self._lacks = hidden.lacks
            self._bound = [at for at, bits in enumerate(hidden.lacks) if bits]
            self._free = [at for at, bits in enumerate(hidden.lacks) if not bits]
            self._dealt = _first_deal(hidden, entropy)
            for _ in range(SWEEPS):
                self._sweep()

    def draw(self) -> list[Tile]:
        """Draw a deal: the tile of each position, in the order of `HiddenTiles.owners`.

        Use the list before the next draw, which may change it.
        """
        if self._counted is not None:
            return self._counted.draw(self._entropy)
        for _ in range(SWEEPS):
            self._sweep()
        return self._dealt

    def _sweep(self) -> None:
        """Try to swap each position of a cell with a random other one, and mix the free positions.

        Make a swap only if the result agrees with the facts. Each swap is as likely as its reverse,
        so no deal is favoured.
        """
        dealt = self._dealt
        lacks = self._lacks
        size = len(dealt)
        words = _words(self._entropy, len(self._bound))
        for at, word in zip(self._bound, words, strict=True):
            other = word * size >> _WORD_BITS
            one, two = dealt[at], dealt[other]
            if not (TILE_BITS[two] & lacks[at] or TILE_BITS[one] & lacks[other]):
                dealt[at], dealt[other] = two, one
        free = [dealt[at] for at in self._free]
        mix(free, self._entropy)
        for at, tile in zip(self._free, free, strict=True):
            dealt[at] = tile


def _first_deal(hidden: HiddenTiles, entropy: Entropy) -> list[Tile]:
    """Return some deal that agrees: mix the tiles, then find one for each position with facts.

    Raise ValueError if no deal agrees.
    """
    tiles = list(hidden.tiles)
    mix(tiles, entropy)
    lacks = hidden.lacks
    holder: dict[int, int] = {}  # the position of each placed tile, by the tile's number

    # an augmenting path: take a tile from another position if that position finds another tile
    def find(at: int, tried: set[int]) -> bool:
        for number, tile in enumerate(tiles):
            if number in tried or TILE_BITS[tile] & lacks[at]:
                continue
            tried.add(number)
            if number not in holder or find(holder[number], tried):
                holder[number] = at
                return True
        return False

    # positions with the fewest possible tiles come first
    for at in sorted(range(len(lacks)), key=lambda at: -lacks[at].bit_count()):
        if lacks[at] and not find(at, set()):
            raise ValueError("nothing agrees with what was proved")
    dealt = {at: tiles[number] for number, at in holder.items()}
    rest = iter([tile for number, tile in enumerate(tiles) if number not in holder])
    return [dealt[at] if at in dealt else next(rest) for at in range(len(lacks))]
