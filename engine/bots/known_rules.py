"""Which rules the fast world plays, switch by switch; it refuses what is not listed here."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Final

from engine.rules import switches as sw
from engine.rules.ruleset import RuleSet

FREE: Final = frozenset(
    {
        "deal", "engine", "start_double", "engine_missing", "first", "scoring", "target", "blanks",
        "blocked_winner", "ties", "last_tile", "tap_penalty",
    }
)  # fmt: skip
"""Switches that play no part between the deal and the end of a round.

Every seat of the fast world says at once that it has one tile left, so nobody is ever caught.
"""

PLAYED: Final[Mapping[str, Collection[sw.Switch]]] = {
    "opening": (sw.Opening.SINGLE, sw.Opening.WHOLE_TRAIN),
    "opening_miss": (sw.OpeningMiss.DRAW, sw.OpeningMiss.MARKER, sw.OpeningMiss.DRAW_UNTIL),
    "own_train_first": (sw.OwnTrainFirst.NO, sw.OwnTrainFirst.ELSEWHERE),
    "mexican": (sw.Mexican.ONE, sw.Mexican.NONE, sw.Mexican.MANY),
    "mexican_from": tuple(sw.MexicanFrom),
    "marker_down": tuple(sw.MarkerDownBy),
    "marker_empty": (sw.MarkerEmpty.UP, sw.MarkerEmpty.PASS),
    "marker_double": (sw.MarkerDouble.OWED, sw.MarkerDouble.FREE),
    "cover": (
        sw.Cover.ON_DOUBLE,
        sw.Cover.ANYWHERE_THEN_DUTY,
        sw.Cover.ANYWHERE,
        sw.Cover.LAYER_MAY,
        sw.Cover.OPTIONAL,
    ),
    "several": (
        sw.Several.ONE,
        sw.Several.TWO_HELD,
        sw.Several.SHARE,
        sw.Several.CHAIN,
        sw.Several.UNTIL_COVERED,
    ),
    "duty_order": (sw.DutyOrder.FIRST_PLAYED, sw.DutyOrder.LAST_PLAYED),
    "layer_miss": (sw.LayerMiss.DRAW, sw.LayerMiss.DRAW_ONLY),
    "last_double": (sw.LastDouble.ENDS, sw.LastDouble.MUST_COVER),
    "draw": (sw.DrawRule.ONE, sw.DrawRule.UNTIL_PLAYABLE),
    "wild_blanks": (sw.WildBlanks.NO, sw.WildBlanks.YES),
}
"""By switch: the values that are played. Of any other switch only the value of `standard` is."""

_STANDARD: Final = RuleSet()


def plays_fast(rules: RuleSet) -> bool:
    """Whether the fast world plays rounds by these rules, switch by switch.

    A pair of doubles and their cover it knows only where each double must be covered, by its pip.
    """
    for each in fields(rules):
        if each.name in FREE:
            continue
        value = getattr(rules, each.name)
        if value not in PLAYED.get(each.name, (getattr(_STANDARD, each.name, each.default),)):
            return False
    wild = rules.wild_blanks is sw.WildBlanks.YES
    free = rules.cover.is_free_to_layer or rules.marker_double is sw.MarkerDouble.FREE
    return not (rules.several.is_held_pair and (wild or free))
