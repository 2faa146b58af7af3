"""Trains that use the whole hand with wild blanks, compared with a search of all orders."""

import random
from itertools import combinations

import pytest

from engine.longest_train.wild import wild_train
from engine.rules.switches import WildBlanks
from engine.tiles import PIP_MAX, SET_SIZES, Tile, full_set
from tests.engine.longest_train.hands import any_hand
from tests.sliced import sliced

JOINS = WildBlanks.YES.joins
ALL = (1 << PIP_MAX + 1) - 1


def some_order(hand, start, shut):
    """Return True if some order of all tiles is a train; practical up to about ten tiles.

    The train may not end on a double whose bit is set in `shut`.
    """
    hopeless = set()

    def goes_on(rest, end, *, last):
        if not rest:
            return not (last.is_double and shut >> last.low & 1)
        if (rest, end) in hopeless:
            return False
        for tile in rest:
            for half in JOINS[tile][end]:
                if goes_on(rest - {tile}, tile.other_end(half), last=tile):
                    return True
        hopeless.add((rest, end))
        return False

    return goes_on(frozenset(hand), start, last=None)


def found_as_by_trying(hand, start, shut):
    """Return True if a train is found.

    Assert that it is valid, and that one is found if and only if one exists.
    """
    train, end = wild_train(hand, start, JOINS, shut), start
    assert bool(train) == some_order(hand, start, shut), (hand, start, shut)
    for tile, half in train:
        assert half in JOINS[tile][end]
        end = tile.other_end(half)
    if train:
        assert sorted(tile for tile, _ in train) == sorted(hand)
        last = train[-1][0]
        assert not (last.is_double and shut >> last.low & 1)
    return bool(train)


def hand_with_blanks(dice):
    """Return up to nine random tiles, often with many doubles and blanks."""
    kind = dice.randrange(4)
    if kind == 0:
        return any_hand(dice, 9)
    if kind == 3:
        hand = any_hand(dice, 7)
        pips = {pip for tile in hand for pip in tile}
        more = [Tile(pip, pip) for pip in pips if dice.random() < 0.3]
        more += [Tile(0, pip) for pip in pips if dice.random() < 0.2]
        return sorted({*hand, *more})[-9:]
    share = 1.0 if kind == 1 else 0.3
    tiles = full_set(dice.choice((2, 3, 4, 6)))
    tiles = [tile for tile in tiles if not tile.low or tile.is_double or dice.random() < share]
    return dice.sample(tiles, min(len(tiles), dice.randint(1, 9)))


@sliced("part", range(40), 4)
def test_a_hand_is_one_train_exactly_if_some_order_is(part):
    """A train of the whole hand is found if and only if one exists.

    The hands are random, and so are the doubles that may not be last.
    """
    dice, found = random.Random(f"wild {part}"), 0
    for _ in range(250):
        hand = hand_with_blanks(dice)
        start = dice.choice([0, dice.randint(0, 18), *dice.choice(hand)])
        found += sum(
            found_as_by_trying(hand, start, shut) for shut in (0, ALL, dice.getrandbits(19))
        )
    assert 300 < found < 600


@sliced("size", range(1, 11), 5, first=3)
def test_every_hand_of_the_double_three_set_is_decided(size):
    """All 1,023 hands of the set are decided correctly, also from a pip that is on no tile."""
    for hand in combinations(full_set(3), size):
        for start in range(5):
            for shut in range(1 << 4):
                found_as_by_trying(hand, start, shut)


ENDS = {
    "a blank tile that no gap needs": (1, [(0, 1), (1, 1)], True),
    "nothing but doubles": (1, [(0, 0), (1, 1)], False),
    "what stands before a double, behind the double blank": (1, [(0, 0), (1, 2), (2, 2)], True),
    "a double behind a gap": (5, [(0, 5), (1, 1)], False),
    "a round, after its double": (5, [(0, 5), (1, 1), (1, 2), (2, 3), (1, 3)], True),
    "a pip of three roads": (4, [(0, 6), (4, 5), (5, 5), (5, 6), (5, 7), (7, 7)], True),
    "pips of one road": (4, [(0, 5), (4, 5), (5, 6), (6, 6), (5, 7), (7, 7)], False),
    "the walk over the start alone": (4, [(4, 5), (5, 6), (4, 6)], True),
    "the walk over the start before a gap": (4, [(4, 5), (5, 6), (4, 6), (7, 7), (0, 7)], False),
}
"""By name: the start, the hand, and whether its train can end on a tile that isn't a double."""


@pytest.mark.parametrize("what", ENDS)
def test_a_train_may_end_on_what_no_gap_needs(what):
    """If no double may be last, each hand is decided correctly; if any may, there is a train."""
    start, tiles, can = ENDS[what]
    hand = [Tile(*tile) for tile in tiles]
    assert found_as_by_trying(hand, start, ALL) == can
    assert found_as_by_trying(hand, start, 0)


@pytest.mark.parametrize("shut", [0, ALL])
@pytest.mark.parametrize("pip_max", SET_SIZES)
def test_large_hands_are_decided_and_laid(pip_max, shut):
    """Whole sets make a train; without blanks, only sets with an odd highest pip do."""
    tiles = full_set(pip_max)
    numbers = [tile for tile in tiles if tile.low]
    for hand, can in ((tiles, True), (numbers, pip_max % 2 == 1)):
        train = wild_train(hand, pip_max, JOINS, shut)
        assert len(train) == (len(hand) if can else 0)
