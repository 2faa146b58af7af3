"""Winners of games with equal totals."""

import pytest

from engine.rules.choose import RuleSet
from engine.rules.switches import Ties
from engine.scoring import best_seats


@pytest.mark.parametrize(
    ("rounds", "winners", "shared"),
    [
        ([(5, 3), (1, 2)], (1,), (1,)),
        ([(0, 3), (6, 3)], (0,), (0, 1)),
        ([(0, 0), (2, 4), (4, 2)], (0, 1), (0, 1)),
        ([(0, 5), (6, 1), (3, 3)], (0,), (0, 1)),
        ([(1, 4), (7, 4)], (0,), (0, 1)),
        ([(0, 0)], (0, 1), (0, 1)),
    ],
)
def test_equal_totals_are_told_apart(rounds, winners, shared):
    """§7.5: ties go to the most rounds at 0, then the lowest other round, or are shared."""
    assert best_seats(RuleSet(), rounds, 2) == winners
    assert best_seats(RuleSet(ties=Ties.SHARED), rounds, 2) == shared
