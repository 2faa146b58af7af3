"""Points of hands, rounds and games."""

import pytest

from engine.rules.choose import RuleSet
from engine.rules.switches import Blanks, BlockedWinner, Partners, Ties
from engine.scoring import best_seats, hand_points, round_scores, tile_points
from engine.table.table import Ending, Outcome
from engine.table.turn import GameMemory
from engine.tiles import Tile


@pytest.mark.parametrize(
    ("blanks", "tile", "points"),
    [
        (Blanks.ZERO, Tile(0, 0), 0),
        (Blanks.ZERO, Tile(0, 7), 7),
        (Blanks.ZERO, Tile(6, 7), 13),
        (Blanks.EACH_25_DOUBLE_50, Tile(0, 0), 50),
        (Blanks.EACH_25_DOUBLE_50, Tile(0, 7), 32),
        (Blanks.EACH_25_DOUBLE_50, Tile(6, 7), 13),
        (Blanks.DOUBLE_50, Tile(0, 0), 50),
        (Blanks.DOUBLE_50, Tile(0, 7), 7),
    ],
)
def test_tiles_cost_their_pips_and_what_blanks_cost(blanks, tile, points):
    """§7.3."""
    assert tile_points(RuleSet(blanks=blanks), tile) == points


def test_six_seven_and_two_three_cost_eighteen():
    """The usual example of two tiles left in a hand."""
    assert hand_points(RuleSet(), [Tile(6, 7), Tile(2, 3)]) == 18
    assert hand_points(RuleSet(), []) == 0


def test_the_lowest_hand_of_a_blocked_round_may_score_nothing():
    """§7.3: only under `blocked-winner=zero` in a blocked round, and of those who are there."""
    hands = [[Tile(1, 2)], [Tile(0, 3)], [Tile(4, 4)]]
    zero = RuleSet(blocked_winner=BlockedWinner.ZERO)
    blocked, out = Outcome(Ending.BLOCKED, None), Outcome(Ending.OUT, 0)
    assert round_scores(RuleSet(), blocked, hands) == (3, 3, 8)
    assert round_scores(zero, blocked, hands) == (0, 0, 8)
    assert round_scores(zero, out, hands) == (3, 3, 8)
    left = GameMemory(gone=0b010)
    assert round_scores(zero, blocked, [hands[0], [], hands[2]], left) == (0, 0, 8)


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
    """§7.5: most rounds at 0, then the lowest other round, then shared; or shared at once."""
    assert best_seats(RuleSet(), rounds, 2) == winners
    assert best_seats(RuleSet(ties=Ties.SHARED), rounds, 2) == shared


def test_partners_show_the_points_of_both():
    """§2.5: the pair of who is out has none; when nobody is out both pairs pay."""
    rules = RuleSet(partners=Partners.YES)
    hands = [[Tile(1, 2)], [Tile(0, 3)], [], [Tile(4, 4)]]
    assert round_scores(rules, Outcome(Ending.OUT, 2), hands) == (0, 11, 0, 11)
    assert round_scores(rules, Outcome(Ending.BLOCKED, None), hands) == (3, 11, 3, 11)
    zero = RuleSet(partners=Partners.YES, blocked_winner=BlockedWinner.ZERO)
    assert round_scores(zero, Outcome(Ending.BLOCKED, None), hands) == (0, 11, 0, 11)
