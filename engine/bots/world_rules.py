"""What the fast world asks of the rules of a table, each answer found once."""

from functools import cache

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
        self.mexican_first = rules.mexican_from is MexicanFrom.FIRST_TURN
        self.mexican_first_player = rules.mexican_from is MexicanFrom.FIRST_PLAYER
        self.mexican_own_started = rules.mexican_from is MexicanFrom.OWN_STARTED
        self.mexican_many = rules.mexican.is_many
        self.any_down = rules.marker_down is MarkerDownBy.ANY_PLAY
        self.covered_down = rules.marker_down is MarkerDownBy.OWN_COVERED
        self.double_free = rules.marker_double is MarkerDouble.FREE and not self.covered_down
        self.empty_up = rules.marker_empty is MarkerEmpty.UP
        self.duty = rules.cover.leaves_duty
        self.extra = rules.cover.brings_extra
        self.may = rules.cover.is_free_to_layer
        self.one_double = rules.several is Several.ONE
        self.held_pair = rules.several.is_held_pair
        self.shared = rules.several is Several.SHARE
        self.last_first = rules.duty_order is DutyOrder.LAST_PLAYED
        self.draw_only = rules.layer_miss is LayerMiss.DRAW_ONLY
        self.last_asks = rules.last_double.asks_for_cover
        self.until = rules.draw is DrawRule.UNTIL_PLAYABLE
        self.opening_draws = rules.opening_miss.draws


@cache
def world_rules(rules: RuleSet, pip_max: int) -> WorldRules:
    """What the world asks of these rules, asked once."""
    return WorldRules(rules, pip_max)
