"""What the fast world asks of the rules of a table, each answer found once."""

from functools import cache
from typing import assert_never

from engine.bots.numbered import Numbered, numbered
from engine.rules.ruleset import RuleSet
from engine.rules.switches import (
    DrawRule,
    DutyOrder,
    LayerMiss,
    MarkerDouble,
    MarkerDownBy,
    MarkerEmpty,
    MexicanFrom,
    Several,
)


class WorldRules:
    """The switches that matter to the world, as yes and no."""

    def __init__(self, rules: RuleSet, pip_max: int) -> None:
        """Ask every switch that matters; `plays_fast` must hold."""
        self.set: Numbered = numbered(pip_max, rules.wild_blanks)
        self.chained = rules.opening.is_chain
        mexican = _mexican_from(rules.mexican_from)
        self.mexican_first, self.mexican_first_player, self.mexican_own_started = mexican
        self.own_first = rules.own_train_first.shuts_others
        self.mexican_many = rules.mexican.is_many
        self.any_down, self.covered_down = _marker_down(rules.marker_down)
        self.double_free = rules.marker_double is MarkerDouble.FREE and not self.covered_down
        self.empty_up = rules.marker_empty is MarkerEmpty.UP
        self.duty = rules.cover.leaves_duty
        self.extra = rules.cover.brings_extra
        self.may = rules.cover.is_free_to_layer
        self.held_pair = rules.several.is_held_pair
        self.one_double, self.shared = _several(rules.several)
        self.last_first = rules.duty_order is DutyOrder.LAST_PLAYED
        self.draw_only = rules.layer_miss is LayerMiss.DRAW_ONLY
        self.last_asks = rules.last_double.asks_for_cover
        self.until = rules.draw is DrawRule.UNTIL_PLAYABLE
        self.opening_draws = rules.opening_miss.draws


def _mexican_from(source: MexicanFrom) -> tuple[bool, bool, bool]:
    """Whether it may be started in any first turn, in that of the first player, or by own train."""
    match source:
        case MexicanFrom.FIRST_TURN:
            return True, False, False
        case MexicanFrom.FIRST_PLAYER:
            return False, True, False
        case MexicanFrom.OWN_STARTED:
            return False, False, True
        case MexicanFrom.AFTER_OPENING:
            return False, False, False
        case _:
            assert_never(source)


def _marker_down(by: MarkerDownBy) -> tuple[bool, bool]:
    """Whether anybody's play takes a marker down, and whether no uncovered double does."""
    match by:
        case MarkerDownBy.ANY_PLAY:
            return True, False
        case MarkerDownBy.OWN_COVERED:
            return False, True
        case MarkerDownBy.OWN_PLAY:
            return False, False
        case _:
            assert_never(by)


def _several(doubles: Several) -> tuple[bool, bool]:
    """Whether a turn has one double at most, and whether its tiles may cover any of several."""
    match doubles:
        case Several.ONE:
            return True, False
        case Several.SHARE:
            return False, True
        case Several.TWO_HELD | Several.CHAIN | Several.UNTIL_COVERED:
            return False, False
        case _:
            assert_never(doubles)


@cache
def world_rules(rules: RuleSet, pip_max: int) -> WorldRules:
    """What the world asks of these rules, asked once."""
    return WorldRules(rules, pip_max)
