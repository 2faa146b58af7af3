"""Moves that are tried out: what is expected of them, what deals show, and when it is enough."""

import pytest

from engine.bots.trials import Trials, expected

DEALS = 10


def tried(handicaps, *means, swing=0.0, deals=DEALS):
    """Trials after so many deals in which each move came to its mean, give or take a swing."""
    trials = Trials([*map(expected, handicaps)])
    for deal in range(deals):
        off = swing if deal % 2 else -swing
        trials.add([means[at] + (off if at else 0.0) for at in trials.left])
    trials.judge()
    return trials


def test_nothing_tried_leaves_the_first_move_the_best():
    """All others have a handicap."""
    trials = Trials([*map(expected, (0.0, 2.0, 5.5))])
    assert trials.best == 0
    assert trials.left == [0, 1, 2]
    assert not trials.is_settled


def test_what_is_hopeless_is_not_tried_at_all():
    """A handicap of several spreads is as good as a proof."""
    assert Trials([*map(expected, (0.0, 2.0, 20.0))]).left == [0, 1]
    assert Trials([*map(expected, (0.0, 20.0))]).is_settled
    assert Trials([expected(0.0)]).is_settled


@pytest.mark.parametrize(("lead", "best"), [(4.0, 0), (12.0, 1)])
def test_few_deals_do_not_overrule_what_is_expected(lead, best):
    """Ten deals with much luck in them speak for a move only if they speak loudly."""
    trials = tried([0.0, 2.0], 0.0, lead, swing=30.0)
    assert trials.best == best
    assert not trials.is_settled


def test_a_move_that_falls_behind_is_left_out():
    """The first one stays, as the others are measured by it."""
    trials = tried([0.0, 2.0, 2.0], 0.0, 3.0, -30.0, deals=40)
    assert trials.left == [0, 1]
    assert trials.tried == 120


def test_a_move_far_ahead_of_all_others_settles_the_matter():
    """No more deals are spent on it."""
    trials = tried([0.0, 2.0, 2.0], 0.0, 40.0, -30.0, deals=40)
    assert trials.best == 1
    assert trials.is_settled


def test_moves_that_come_to_the_same_leave_the_first_one():
    """Equal in all deals is not better."""
    assert tried([0.0, 2.0], 5.0, 5.0, deals=200).best == 0
