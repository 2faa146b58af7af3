"""The tiles of one set, numbered by weight: the highest bit of a bit set is its heaviest tile."""

from functools import cache
from typing import Final, NamedTuple

from engine.rules.switches import WildBlanks
from engine.tiles import TILE_BITS, Tile, full_set

NO_JOIN: Final = -1
"""The far end of a tile that does not join."""


class Numbered(NamedTuple):
    """Tables about tiles by number, worked out once for a set and its blanks."""

    tiles: tuple[Tile, ...]
    """By number, lightest first."""
    number: dict[Tile, int]
    fits: tuple[int, ...]
    """By pip value of an end: the bit set of the tiles that join it."""
    far: tuple[tuple[int, ...], ...]
    """By pip value of an end, then by number: the end that is open once the tile has joined."""
    doubles: int
    """Bit set of the doubles."""
    double: tuple[int, ...]
    """By pip value: the bit set of its double."""


def numbers_in(bits: int) -> list[int]:
    """The numbers of a bit set, highest first."""
    found = []
    while bits:
        number = bits.bit_length() - 1
        found.append(number)
        bits ^= 1 << number
    return found


@cache
def numbered(pip_max: int, blanks: WildBlanks) -> Numbered:
    """The tables about the tiles of a set, as they join with these blanks; made once and kept."""
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
    """The open end after joining; where either half joins, after the lower half does.

    `NO_JOIN` if the tile does not join.
    """
    halves = blanks.joins[tile][pip]
    return tile.other_end(halves[0]) if halves else NO_JOIN
