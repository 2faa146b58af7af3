"""Domino tiles, the sets they come in, and the numbering that makes a set of tiles one integer.

A tile is a pair of pip values, smaller first, and equals the plain pair. Its orientation belongs to
a lay, never to the tile. [docs/rules.md §1.1]

Every tile of the largest set has a number, in canonical order (low half, then high half), and keeps
it in the smaller sets. A collection of tiles is a Python int with the bits of those numbers set;
reading the bits upwards gives canonical order without sorting.
"""

from typing import Final, NamedTuple, TypeAlias

PIP_MAX: Final = 18
"""The highest pip value of the largest set, double-eighteen."""

SET_SIZES: Final = (6, 9, 12, 15, 18)
"""The sets in use, each named by its highest pip value. [docs/rules.md §1.1]"""


class Tile(NamedTuple):
    """One domino: its two halves in pips, `0 <= low <= high`. Make one with `make_tile`."""

    low: int
    high: int

    @property
    def is_double(self) -> bool:
        """True if both halves show the same value."""
        return self.low == self.high

    @property
    def pips(self) -> int:
        """The sum of both halves; a blank counts 0 here (scoring may differ)."""
        return self.low + self.high

    def has(self, pip: int) -> bool:
        """Return True if either half shows `pip`."""
        return pip in (self.low, self.high)

    def other_end(self, pip: int) -> int:
        """Return the half that stays open when the half showing `pip` joins; a double's is `pip`.

        Not checked: if no half shows `pip`, the result is meaningless.
        """
        return self.low + self.high - pip

    def __str__(self) -> str:
        """Return the written form, smaller half first, such as `3-5`."""
        return f"{self.low}-{self.high}"


def make_tile(a: int, b: int) -> Tile:
    """Return the tile with halves `a` and `b`, in either order; their range is not checked."""
    return Tile(a, b) if a <= b else Tile(b, a)


TILES: Final = tuple(
    Tile(low, high) for low in range(PIP_MAX + 1) for high in range(low, PIP_MAX + 1)
)
"""All 190 tiles of the largest set in canonical order; the index is the tile's number."""

TILE_BITS: Final = {tile: 1 << number for number, tile in enumerate(TILES)}
"""For each tile, the bit set with just that tile."""


def tile_bits(tiles: tuple[Tile, ...]) -> int:
    """Return the bit set of these tiles; 0 for none. Raise KeyError if a pair is not a tile."""
    bits = 0
    for tile in tiles:
        bits |= TILE_BITS[tile]
    return bits


def tiles_in(bits: int) -> tuple[Tile, ...]:
    """Return the tiles of a bit set, in canonical order; empty for 0.

    Raise IndexError if a bit belongs to no tile.
    """
    found = []
    while bits:
        lowest = bits & -bits
        found.append(TILES[lowest.bit_length() - 1])
        bits ^= lowest
    return tuple(found)


def full_set(pip_max: int) -> tuple[Tile, ...]:
    """Return all tiles of the set with this highest value, in canonical order. [docs/rules.md §1.1]

    Any value from 0 to `PIP_MAX` has a set, in use or not; raise IndexError for a higher one.
    """
    return _FULL_SETS[pip_max]


_FULL_SETS: Final = tuple(
    tuple(tile for tile in TILES if tile.high <= pip_max) for pip_max in range(PIP_MAX + 1)
)

SET_BITS: Final = tuple(tile_bits(tiles) for tiles in _FULL_SETS)
"""For each highest pip value, the bit set of the whole set."""

TILE_PIPS: Final = {tile: 1 << tile.low | 1 << tile.high for tile in TILES}
"""For each tile, the bit set of its pip values."""

Joins: TypeAlias = dict[Tile, tuple[tuple[int, ...], ...]]
"""For each tile and each pip value of an end, the halves that join it, low one first."""


def what_joins(*, wild: bool) -> dict[str, object]:
    """Return the facts `joins`, `fits` and `faces` of the `wild-blanks` switch.

    `joins` gives, for each tile and each pip value of an end, the halves that join it: low one
    first, a double's half once. `fits` and `faces` give, for each pip value of an end, the bit set
    of the tiles and of the pip values that join it. If `wild`, blanks join everything.
    [docs/rules.md §2.2, §2.7]
    """
    pips = range(PIP_MAX + 1)
    faces = [1 << pip | wild for pip in pips]
    faces[0] = (2 << PIP_MAX) - 1 if wild else 1
    joins: Joins = {
        tile: tuple(tuple(half for half in sorted({*tile}) if face >> half & 1) for face in faces)
        for tile in TILES
    }
    fits = [tile_bits(tuple(tile for tile in TILES if TILE_PIPS[tile] & face)) for face in faces]
    return {"joins": joins, "fits": tuple(fits), "faces": tuple(faces)}
