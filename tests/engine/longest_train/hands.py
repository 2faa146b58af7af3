"""Random hands for tests of the longest train, and the best train by exhaustive search."""

import random
from collections.abc import Sequence
from functools import cache

from engine.longest_train import Aim
from engine.tiles import PIP_MAX, SET_SIZES, Tile, full_set, make_tile

UNIT = 1 << 12


def any_hand(dice: random.Random, most: int) -> list[Tile]:
    """Return at most `most` random tiles of a random set.

    They come from the whole set, from the tiles that show only a few chosen pip values, or from
    tiles that barely connect.
    """
    tiles = full_set(dice.choice(SET_SIZES))
    kind = dice.randrange(3)
    if kind == 1:
        pips = set(dice.sample(range(tiles[-1].high + 1), dice.randint(3, 7)))
        tiles = tuple(tile for tile in tiles if pips.issuperset(tile))
    elif kind == 2:
        tiles = sparse(dice, tiles[-1].high)
    return dice.sample(tiles, min(len(tiles), dice.randint(1, most)))


def sparse(dice: random.Random, pip_max: int) -> tuple[Tile, ...]:
    """Return tiles that barely connect: branches with a few rings and doubles."""
    pips = dice.sample(range(pip_max + 1), pip_max + 1)
    reach = dice.choice([1, 2, 4, PIP_MAX])
    tiles = set()
    for number, pip in enumerate(pips[1:], 1):
        tiles.add(make_tile(pip, pips[dice.randrange(max(0, number - reach), number)]))
        if dice.random() < 0.4:
            tiles.add(make_tile(pip, dice.choice(pips)))
    return tuple(sorted(tiles))


def value(train: Sequence[Tile], aim: Aim) -> int:
    """Return the value of a train as one number: tiles first and then pips, or the reverse."""
    tiles = len(train)
    pips = sum(tile.pips for tile in train)
    return tiles * UNIT + pips if aim is Aim.TILES else pips * UNIT + tiles


def longest_of_all(hand: Sequence[Tile], start: int, aim: Aim, *, covered: bool = False) -> int:
    """Return the value of the best train, by trying all; practical up to about fifteen tiles.

    With `covered`, the train may not end on a double.
    """
    known: dict[tuple[int, int, bool], int] = {}

    def onward(end: int, laid: int, *, is_open: bool) -> int:
        if (end, laid, is_open) not in known:
            ways = [-(1 << 40) if is_open else 0]
            for number, tile in enumerate(hand):
                if tile.has(end) and not laid >> number & 1:
                    then = laid | 1 << number
                    more = onward(tile.other_end(end), then, is_open=covered and tile.is_double)
                    ways.append(value([tile], aim) + more)
            known[end, laid, is_open] = max(ways)
        return known[end, laid, is_open]

    return onward(start, 0, is_open=False)


def fewest_left_out(hand: Sequence[Tile], start: int) -> int:
    """Return the number of tiles that any train from `start` leaves out, at the least.

    A train enters each pip as often as it leaves it, except at its two ends. So the tiles that
    `start` reaches and that are left out join the odd pips in pairs, one of them excepted.
    """
    far: dict[int, dict[int, int]] = {}
    for pip in {pip for tile in hand for pip in tile}:
        far[pip] = {pip: 0}
        for here in (line := [pip]):
            for tile in hand:
                if tile.has(here) and tile.other_end(here) not in far[pip]:
                    far[pip][tile.other_end(here)] = far[pip][here] + 1
                    line.append(tile.other_end(here))
    reached = [tile for tile in hand if tile.low in far[start]]
    odd = {pip for pip in far[start] if sum(tuple(tile).count(pip) for tile in reached) % 2}

    @cache
    def paired(pips: frozenset[int], *, end: bool) -> int:
        if not pips:
            return 0
        one, *others = sorted(pips)
        ways = [far[one][other] + paired(pips - {one, other}, end=end) for other in others]
        if end:
            ways.append(paired(pips - {one}, end=False))
        return min(ways)

    return len(hand) - len(reached) + paired(frozenset(odd ^ {start}), end=True)


def assert_is_train(train: Sequence[Tile], hand: Sequence[Tile], start: int) -> None:
    """Assert that the tiles are distinct and from the hand, and that each joins the one before."""
    assert len(set(train)) == len(train)
    assert set(train) <= set(hand)
    end = start
    for tile in train:
        assert tile.has(end)
        end = tile.other_end(end)
