"""A whole hand as one train where blanks are wild, held to all orders there are."""

import random
from itertools import permutations

import pytest

from engine.longest_train.wild import wild_train
from engine.rules.switches import WildBlanks
from engine.tiles import Tile, full_set

JOINS = WildBlanks.YES.joins


def ends_of(order, start):
    """The ends that tiles laid in this order may come to."""
    ends = {start}
    for tile in order:
        ends = {tile.other_end(half) for end in ends for half in JOINS[tile][end]}
    return ends


@pytest.mark.parametrize("covered", [False, True])
def test_a_hand_is_one_train_exactly_if_some_order_is(covered):
    """Up to six tiles, half of them of few pips, so that many hands make one."""
    dice, found = random.Random(f"wild {covered}"), 0
    for _ in range(400):
        hand = dice.sample(full_set(dice.choice((3, 4, 6))), dice.randint(1, 6))
        start = dice.randint(0, 6)
        orders = (o for o in permutations(hand) if not (covered and o[-1].is_double))
        possible = any(ends_of(order, start) for order in orders)
        train, end = wild_train(hand, start, JOINS, covered=covered), start
        assert bool(train) == possible, (hand, start)
        for tile, half in train:
            assert half in JOINS[tile][end]
            end = tile.other_end(half)
        if train:
            found += 1
            assert sorted(tile for tile, _ in train) == sorted(hand)
            assert not (covered and train[-1][0].is_double)
    assert 100 < found < 300


def test_a_large_hand_that_is_no_train_is_given_up_early():
    """The double-eight set without its blanks, and with one of them."""
    hand = [tile for tile in full_set(8) if tile.low]
    assert wild_train(hand, 8, JOINS) == ()
    assert wild_train([*hand, Tile(0, 3)], 8, JOINS) == ()
