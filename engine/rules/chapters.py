"""The rules as a reader gets them: chapters, and the switches that do not matter for some rules."""

from typing import Final

from engine.rules.ruleset import RuleSet
from engine.rules.switches import Engine, HandPoints

_CHAPTERS: Final = (
    ("The deal", "", "deal"),
    ("The engine, and who begins", "", "engine start-double engine-missing first"),
    ("The opening", "", "opening opening-miss opening-double own-train-first opening-elsewhere"),
    ("The Mexican train", "", "mexican mexican-from"),
    (
        "A turn",
        "A tile joins an open end with the same number, on your own train or on any train that is "
        "open to all.",
        "others-trains draw wild-blanks swan-drive",
    ),
    (
        "Doubles",
        "A double whose number is all on the table need not be covered.",
        "cover several duty-order layer-miss drawn-double continuous-draw marker-double "
        "double-public branching",
    ),
    (
        "Markers",
        "If you have to play and cannot, your marker goes up: your train is open to all.",
        "marker-down marker-empty marker-layer marker-voluntary",
    ),
    (
        "The end of a round",
        "A player who has played their last tile is out, and the round is over.",
        "last-double round-end last-tile tap-penalty bullet",
    ),
    ("Scoring", "", "scoring target blanks blocked-winner ties partners strategic-error"),
)

CHAPTERS: Final = tuple((title, always, tuple(keys.split())) for title, always, keys in _CHAPTERS)
"""Title, the sentence that always holds, and the switches of each chapter; every switch is in
one."""

_OF_OWN_TRAINS: Final = frozenset(
    {
        "opening",
        "opening-miss",
        "own-train-first",
        "opening-elsewhere",
        "others-trains",
        "marker-down",
        "marker-empty",
        "marker-layer",
        "marker-voluntary",
        "marker-double",
        "double-public",
        "swan-drive",
        "bullet",
        "partners",
    }
)
"""Switches about players' own trains, or their markers."""

ALWAYS_ON_ARMS: Final = {"A turn": "A tile joins an open end with the same number.", "Markers": ""}
"""By chapter: the sentence that holds instead where nobody has a train of their own."""

NOT_PLAYED: Final = {
    "wild-blanks": "wild blanks",
    "swan-drive": "swan drives",
    "continuous-draw": "continuous draws",
    "double-public": "public doubles",
    "branching": "branches",
    "marker-voluntary": "markers by choice",
    "last-tile": "tapping",
    "bullet": "bullet trains",
    "partners": "partners",
    "strategic-error": "penalties for errors",
}
"""By switch: the player's word for what its first value leaves out."""


def holds_always(rules: RuleSet, title: str, usual: str) -> str:
    """Return the sentence that always holds in a chapter under these rules; it may be empty.

    It is `usual`, the common one, unless nobody has a train of their own and the chapter with this
    `title` says something else then.
    """
    return ALWAYS_ON_ARMS.get(title, usual) if rules.mexican.arms else usual


def idle_switches(rules: RuleSet) -> frozenset[str]:
    """The keys of the switches that make no difference under these rules. [docs/rules.md §8]"""
    nobody_follows = rules.cover.is_free_to_layer or rules.cover.ends_turn
    one_double = rules.several.is_one and not rules.opening.is_chain
    nobody_owes = not rules.cover.leaves_duty
    idle = {
        "start-double": not rules.engine.has_own_double,
        "engine-missing": rules.engine in (Engine.SET_ASIDE, Engine.DECLARED),
        "opening-miss": rules.opening.may_wait,
        "opening-double": not rules.opening.is_chain,
        "mexican-from": not rules.mexican.has_any,
        "layer-miss": nobody_follows,
        "drawn-double": nobody_follows,
        "marker-layer": rules.cover.is_free_to_layer and nobody_owes,
        "marker-double": nobody_owes,
        "last-double": nobody_owes,
        "duty-order": one_double or nobody_owes,
        "blocked-winner": rules.scoring is HandPoints.WINNER_TAKES,
        "tap-penalty": not rules.last_tile.is_caught,
    }
    of_own_trains = _OF_OWN_TRAINS if rules.mexican.arms else frozenset()
    return of_own_trains | {name for name, is_idle in idle.items() if is_idle}
