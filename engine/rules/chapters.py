"""The chapters of a rule sheet, and the switches that have no effect under given rules."""

from typing import Final

from engine.rules.ruleset import RuleSet
from engine.rules.switches import Branching, DrawnDouble, DrawRule, Engine, HandPoints, LayerMiss

_CHAPTERS: Final = (
    ("The deal", "The tiles that are not dealt are the boneyard, from which you draw.", "deal"),
    (
        "The engine, and who begins",
        "Every train starts from the double in the hub, in the middle of the table.",
        "engine start-double engine-missing first",
    ),
    ("The opening", "", "opening opening-miss opening-double own-train-first opening-elsewhere"),
    ("The Mexican train", "", "mexican arms-then mexican-from"),
    (
        "A turn",
        "A tile joins an open end with the same number, on your own train or on any train that is "
        "open to all.",
        "direction others-trains draw wild-blanks swan-drive",
    ),
    (
        "Doubles",
        "A double need not be covered once every tile that fits it is on the table.",
        "cover several double-anywhere duty-order layer-miss drawn-double continuous-draw "
        "marker-double double-public branching",
    ),
    (
        "Markers",
        "If you have to play and cannot, your marker, a coin on your train, goes up: the train is "
        "open to all, even before it has a tile.",
        "marker-down marker-empty marker-layer marker-voluntary",
    ),
    (
        "The end of a round",
        "A player who has played their last tile is out, and the round is over.",
        "last-double round-end last-tile tap-penalty bullet",
    ),
    (
        "Scoring",
        "",
        "scoring target blanks blocked-winner ties partners leaver-score strategic-error",
    ),
)

CHAPTERS: Final = tuple((title, always, tuple(keys.split())) for title, always, keys in _CHAPTERS)
"""The title, the general sentence and the switches of each chapter; every switch is in one chapter.

Under some rules `engine.rules.sentences` has another general sentence."""

_OF_OWN_TRAINS: Final = frozenset(
    {
        "opening",
        "opening-miss",
        "own-train-first",
        "opening-elsewhere",
        "marker-down",
        "marker-empty",
        "marker-layer",
        "marker-voluntary",
        "marker-double",
        "double-public",
        "double-anywhere",
        "swan-drive",
        "bullet",
        "partners",
    }
)
"""Switches about players' own trains, or their markers."""

NOT_PLAYED: Final = {
    "wild-blanks": "wild blanks",
    "swan-drive": "swan drives",
    "continuous-draw": "continuous draws",
    "double-public": "public doubles",
    "double-anywhere": "doubles on closed trains",
    "branching": "branches",
    "marker-voluntary": "markers by choice",
    "last-tile": "tapping",
    "bullet": "bullet trains",
    "partners": "partners",
    "strategic-error": "penalties for errors",
}
"""For some switches, the player's word for the feature that the first value leaves out."""


def idle_switches(rules: RuleSet) -> frozenset[str]:
    """Return the keys of the switches that have no effect under these rules. [docs/rules.md §8]"""
    nobody_follows = rules.cover.is_free_to_layer or rules.cover.ends_turn
    one_double = rules.several.is_one and not rules.opening.is_chain
    nobody_owes = not rules.cover.leaves_duty
    last_follows = rules.last_double.asks_for_cover and not rules.last_double.is_refused
    loses_tile = (
        rules.layer_miss is LayerMiss.DRAW_ONLY and rules.drawn_double is DrawnDouble.DRAW_AGAIN
    )
    covers_itself = rules.wild_blanks.is_yes and rules.branching.more_covers > 0
    idle = {
        "start-double": not rules.engine.has_own_double,
        "engine-missing": rules.engine in (Engine.SET_ASIDE, Engine.DECLARED),
        "opening-miss": rules.opening.may_wait,
        "arms-then": not rules.mexican.arms,
        "opening-double": not rules.opening.is_chain,
        "opening-elsewhere": rules.opening.is_at_once,
        "mexican-from": not rules.mexican.has_any,
        "layer-miss": rules.draw.is_never or (nobody_follows and not last_follows),
        "drawn-double": rules.draw.is_never or nobody_follows,
        "marker-layer": nobody_owes and (nobody_follows or loses_tile),
        "marker-double": (
            rules.double_public.is_yes
            or rules.cover.is_plain
            or not rules.marker_down.by_open_double
        ),
        "last-double": nobody_owes and not rules.last_double.is_refused,
        "continuous-draw": rules.draw is not DrawRule.ONE,
        "marker-empty": rules.draw.is_never,
        "branching": rules.branching is Branching.SPUR and rules.mexican.arms > 0,
        "duty-order": nobody_owes or (one_double and not covers_itself),
        "blocked-winner": rules.scoring is HandPoints.WINNER_TAKES,
        "tap-penalty": not rules.last_tile.is_caught,
    }
    of_own_trains = _OF_OWN_TRAINS if rules.mexican.arms else frozenset()
    return of_own_trains | {name for name, is_idle in idle.items() if is_idle}
