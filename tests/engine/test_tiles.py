"""Tiles and sets."""

import pytest

from engine.tiles import (
    PIP_BITS,
    SET_BITS,
    TILE_BITS,
    TILES,
    Tile,
    full_set,
    make_tile,
    tile_bits,
    tiles_in,
)


def test_a_tile_is_the_same_held_either_way():
    """4-9 and 9-4 are one tile, equal to the plain pair."""
    assert make_tile(9, 4) == make_tile(4, 9) == (4, 9)
    assert str(make_tile(9, 4)) == "4-9"


def test_a_tile_knows_its_halves():
    """Pips, doubles and the half that stays open."""
    assert (Tile(4, 9).pips, Tile(4, 9).is_double, Tile(4, 4).is_double) == (13, False, True)
    assert (Tile(4, 9).other_end(4), Tile(4, 9).other_end(9), Tile(4, 4).other_end(4)) == (9, 4, 4)
    assert Tile(4, 9).has(9)
    assert not Tile(4, 9).has(5)


@pytest.mark.parametrize(("pip_max", "count"), [(6, 28), (9, 55), (12, 91), (15, 136), (18, 190)])
def test_sets_have_their_tiles(pip_max, count):
    """Double-six has 28 tiles and so on, in canonical order, each value once with each other."""
    tiles = full_set(pip_max)
    assert len(set(tiles)) == len(tiles) == count == SET_BITS[pip_max].bit_count()
    assert list(tiles) == sorted(tiles)
    for pip in range(pip_max + 1):
        assert (PIP_BITS[pip] & SET_BITS[pip_max]).bit_count() == pip_max + 1


def test_numbers_and_bit_sets_name_tiles():
    """A tile's number is its place among all tiles; a bit set reads back in canonical order."""
    assert [TILE_BITS[tile] for tile in TILES] == [1 << number for number in range(190)]
    assert tiles_in(tile_bits((Tile(3, 5), Tile(0, 1), Tile(2, 2)))) == ((0, 1), (2, 2), (3, 5))
    assert tiles_in(0) == ()
