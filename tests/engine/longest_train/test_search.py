"""The longest train is connected, comes from the hand, and cannot be beaten."""

import random

import pytest

from engine.longest_train import Aim, TrainSearch, longest_train
from engine.tiles import PIP_MAX, SET_SIZES, Tile, full_set
from tests.engine.longest_train.hands import (
    any_hand,
    assert_is_train,
    fewest_left_out,
    longest_of_all,
    value,
)


def searched(hand, start=None, aim=Aim.TILES, *, covered=False):
    """Return a search that has run to its end."""
    search = TrainSearch(hand, start, aim, covered=covered)
    while not search.is_proven:
        search.step()
    return search


@pytest.mark.parametrize("covered", [False, True])
@pytest.mark.parametrize("aim", Aim)
def test_no_train_is_longer(aim, covered):
    """On small random hands, the train found has the value of the best train of all.

    At the end, `bound` and `reached` are the number of its tiles, or of its pips if that is the
    aim.
    """
    dice = random.Random(f"{aim} {covered}")
    for _ in range(150):
        hand = any_hand(dice, 13)
        start = dice.choice(dice.choice(hand))
        search = searched(hand, start, aim, covered=covered)
        train = search.best()[1]
        assert_is_train(train, hand, start)
        assert not (covered and train and train[-1].is_double)
        best = longest_of_all(hand, start, aim, covered=covered)
        assert value(train, aim) == best, (hand, start)
        assert search.bound == search.reached == best >> 12


def test_from_any_pip():
    """Without a start, the best train over all starts is found."""
    dice = random.Random(4)
    for _ in range(40):
        hand = any_hand(dice, 11)
        start, train = searched(hand).best()
        assert_is_train(train, hand, start)
        best = max(longest_of_all(hand, pip, Aim.TILES) for pip in range(PIP_MAX + 1))
        assert value(train, Aim.TILES) == best


def test_there_is_a_train_and_a_bound_at_every_step():
    """The train never gets worse and the bound never rises; at the end they meet."""
    dice = random.Random(1)
    steps = 0
    for number in range(200):
        hand = any_hand(dice, 30)
        search = TrainSearch(hand, hand[0].low, dice.choice(list(Aim)), covered=number % 2 == 0)
        while True:
            reached, bound, train = search.reached, search.bound, search.best()[1]
            assert_is_train(train, hand, hand[0].low)
            assert reached <= bound
            if search.is_proven:
                break
            search.step()
            steps += 1
            assert reached <= search.reached
            assert search.bound <= bound
        assert search.reached == search.bound
        search.step()
        assert search.best()[1] == train
    assert steps > 20


def test_a_hand_without_the_pip_makes_no_train():
    """A hand without the start pip, or an empty one, makes no train."""
    assert longest_train([Tile(1, 2)], 3) == ()
    assert longest_train([], 3) == ()
    assert searched([]).best() == (0, ())


@pytest.mark.parametrize("pip_max", SET_SIZES)
def test_a_whole_set(pip_max):
    """With an even highest pip no tile is left out; with an odd one, (pip_max - 1) / 2 are."""
    train = longest_train(full_set(pip_max), pip_max)
    assert_is_train(train, full_set(pip_max), pip_max)
    missing = 0 if pip_max % 2 == 0 else (pip_max - 1) // 2
    assert len(train) == len(full_set(pip_max)) - missing


def test_large_hands_leave_as_few_out_as_parity_wants():
    """From hands of up to sixty tiles, a train leaves out only as many tiles as it must.

    Those are the tiles that `start` does not reach, and the fewest that leave a train its two ends.
    """
    dice = random.Random(60)
    for _ in range(60):
        tiles = full_set(dice.choice(SET_SIZES))
        hand = dice.sample(tiles, min(len(tiles), dice.randint(25, 60)))
        train = longest_train(hand, hand[0].low)
        assert_is_train(train, hand, hand[0].low)
        assert len(hand) - len(train) == fewest_left_out(hand, hand[0].low)
