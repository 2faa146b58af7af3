"""The tiles of one set, numbered by weight: the highest bit of a bit set is its heaviest tile."""

from functools import cache
from typing import Final, NamedTuple

from engine.rules.switches import WildBlanks
from engine.tiles import TILE_BITS, Tile, full_set

NO_JOIN: Final = -1
"""The far end of a tile that does not join."""


class Numbered(NamedTuple):
    """Lookup tables for the numbered tiles of a set, with or without wild blanks."""

    tiles: tuple[Tile, ...]
    """The tile of each number, lightest first."""
    number: dict[Tile, int]
    fits: tuple[int, ...]
    """For each pip value of an end, the bit set of the tiles that join it."""
    far: tuple[tuple[int, ...], ...]
    """For each pip value of an end and each number, the open end once the tile has joined."""
    doubles: int
    """Bit set of the doubles."""
    double: tuple[int, ...]
    """For each pip value, the bit set of its double."""


def numbers_in(bits: int) -> list[int]:
    """Return the numbers of a bit set, highest first."""
    found = []
    while bits:
        number = bits.bit_length() - 1
        found.append(number)
        bits ^= 1 << number
    return found


@cache
def numbered(pip_max: int, blanks: WildBlanks) -> Numbered:
    """Return the lookup tables for a set with these blanks; cached."""
    tiles = tuple(sorted(full_set(pip_max), key=lambda tile: (tile.pips, tile)))
    number = {tile: number for number, tile in enumerate(tiles)}
    bits = {tile: 1 << number[tile] for tile in tiles}
    pips = range(pip_max + 1)
    return Numbered(
        tiles=tiles,
        number=number,
        fits=tuple(
            sum(bits[tile] for tile in tiles if blanks.fits[pip] & TILE_BITS[tile]) for pip in pips
        ),
        far=tuple(tuple(_far(blanks, tile, pip) for tile in tiles) for pip in pips),
        doubles=sum(bits[tile] for tile in tiles if tile.is_double),
        double=tuple(bits[Tile(pip, pip)] for pip in pips),
    )


def _far(blanks: WildBlanks, tile: Tile, pip: int) -> int:
    """Return the open end once the tile has joined an end of `pip`.

    If both halves fit, the lower one joins. Return `NO_JOIN` if neither fits.
    """
    halves = blanks.joins[tile][pip]
    return tile.other_end(halves[0]) if halves else NO_JOIN
