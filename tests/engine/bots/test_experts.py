"""Four experts play whole games under every rule set, and with partners."""

import pytest

from engine.bots.effort import Effort
from engine.bots.levels import BotLevel
from engine.chance import Entropy
from engine.rules.choose import RULE_SETS, RuleSet, parse_rules
from engine.rules.spec import make_spec
from engine.scoring import winners
from engine.table.moves import Move
from engine.table.table import RoundPhase
from engine.view import SeatView
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import play_game

DEALS = 4
"""Deals that an expert looks at before a move, instead of as many as half a second has."""

RULES = {**RULE_SETS, "partners": parse_rules("standard", {"partners": "yes"})}


def play_briefly(view: SeatView, entropy: Entropy) -> Move:
    """The move of an expert that is soon told to come to an end."""
    left = iter(range(DEALS))
    effort = Effort(is_stopped=lambda: next(left, None) is None)
    return BotLevel.EXPERT.choose(view, entropy, effort)


@pytest.mark.campaign
@pytest.mark.parametrize("name", RULES)
def test_four_experts_play_a_whole_game(name):
    """Every round of it; `apply` asserts that each move was legal."""
    rules = RULES[name]
    assert isinstance(rules, RuleSet)
    spec = make_spec(rules, 12, 4)
    table = play_game(
        spec,
        [play_briefly] * 4,
        seeded(name.encode()),
        lambda number: seeded(name.encode() + bytes([number])),
        informed=True,
    )
    assert table.phase is RoundPhase.FINISHED
    assert len(table.past) <= spec.rounds
    assert winners(table)
