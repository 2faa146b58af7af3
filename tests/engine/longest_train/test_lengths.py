"""The train lengths that bots use equal those of the search, whichever tile is left out."""

import random

import pytest

from engine.longest_train import HandTrains, longest_train
from engine.tiles import full_set
from tests.engine.longest_train.hands import any_hand


@pytest.mark.parametrize("tried_max", [0, 20, 500])
def test_lengths_are_exact_however_many_trains_are_tried(tried_max):
    """Lengths are exact, whether all, some or none of the trains are tried."""
    dice = random.Random(tried_max)
    for _ in range(60):
        hand = any_hand(dice, 14)
        trains = HandTrains(hand, tried_max)
        for tile in hand:
            rest = [held for held in hand if held != tile]
            for start in tile:
                assert trains.length(start, without=tile) == len(longest_train(rest, start))


def test_a_whole_set_is_no_trouble():
    """The length is found even for a whole set, which has too many trains to enumerate."""
    tiles = full_set(12)
    assert HandTrains(tiles).length(12, without=tiles[-1]) == len(tiles) - 1
