"""The value of further trials, and how moves are estimated from the trials made so far."""

import random

import pytest

from engine.bots import trials
from engine.bots.trials import (
    AHEAD,
    BATCH,
    PRICE,
    THE_FIRST,
    Lead,
    Likely,
    Trials,
    expected,
    information,
)


def test_information_is_what_further_deals_gain_on_average():
    """`information` equals the mean gain, in simulations, of choosing only after further deals."""
    ahead, behind = Likely(2.0, 3.0, 400.0), Likely(1.0, 6.0, 700.0)
    chance, found, draws = random.Random(3), 0.0, 40_000
    for _ in range(draws):
        first, second = (chance.gauss(each.worth, each.to_learn**0.5) for each in (ahead, behind))
        found += max(first, second) - ahead.worth
    # the move that leads by then is made: E[max] - E[ahead]
    assert found / draws == pytest.approx(information(ahead, behind), abs=0.01)


def test_information_is_worth_more_where_less_is_known_and_less_behind_a_wide_lead():
    """Trials gain more if less is known about a rival, and hardly anything if it is far behind."""
    known, unknown = Likely(-1.0, 1.0), Likely(-1.0, 25.0)
    assert information(THE_FIRST, unknown) > information(THE_FIRST, known) > 0
    assert information(THE_FIRST, Likely(-9.0, 1.0)) < PRICE * AHEAD
    assert information(THE_FIRST, THE_FIRST) == 0


def tried(worths, deals=400):
    """Try moves with these mean worths, with about the luck of a real round; return the trials.

    They end when the choice is settled, or after about `deals` deals.
    """
    chance = random.Random(1)
    found = Trials(tuple(map(expected, [0.0] * len(worths))))
    while not found.is_settled and found.tried < deals:
        for _ in range(BATCH):
            luck = chance.gauss(0, 30)
            found.add([worths[at] + luck + chance.gauss(0, 12) for at in found.left])
        found.judge()
    return found


def test_a_clear_matter_is_settled_soon_and_the_best_move_found():
    """A clear case is settled early, with the right best move and runner-up."""
    found = tried([0.0, 12.0, 25.0])
    assert (found.best, found.runner_up, found.is_settled) == (2, 1, True)
    assert found.tried < 200


def test_moves_that_are_as_good_as_each_other_are_settled_too(monkeypatch):
    """Nearly equal moves are settled too, because more trials would gain next to nothing."""
    alike = tried([0.0, 0.1], deals=4_000)
    assert alike.is_settled
    monkeypatch.setattr(trials, "PRICE", 0.0)
    assert alike.tried < tried([0.0, 0.1], deals=4_000).tried


def test_a_first_move_that_is_clearly_beaten_may_still_be_tried_beside_others():
    """The first move stays in every deal even if beaten, because leads are measured against it."""
    found = tried([0.0, 20.0, 20.0], deals=60)
    assert found.left[0] == 0


def test_a_single_move_is_settled_without_trying():
    """A single move is settled at once and has no runner-up."""
    found = Trials((expected(0.0),))
    assert (found.best, found.runner_up, found.is_settled) == (0, None, True)


def test_each_deal_has_a_worth_for_each_move_that_is_left():
    """Adding a wrong number of worths raises ValueError."""
    found = Trials(tuple(map(expected, (0.0, 1.0))))
    with pytest.raises(ValueError, match="zip"):
        found.add([1.0])


def test_a_lead_comes_nearer_to_what_was_seen_with_every_deal():
    """A lead starts at the expected value and nears the observed mean with every deal."""
    lead, before = Lead(), expected(2.0)
    assert lead.likely(before)[:2] == before[:2]
    means = []
    for _ in range(50):
        lead.add(4.0)
        means.append(lead.likely(before).worth)
    assert means == sorted(means)
    assert -2.0 < means[0] < 0 < means[-1] < 4.0
