"""Rule sets: every choice that makes one table's game differ from another's, as one value.

Code asks for a field of `RuleSet` and never for the name of a preset. `SWITCHES` is the one list
of choices; the parser, the menus and docs/rules.md §8 are all checked against it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from engine.deals import DealTable
from engine.switches import (
    Blanks,
    BlockedWinner,
    Branching,
    ContinuousDraw,
    DoublePublic,
    Draw,
    First,
    LastDouble,
    MarkerDouble,
    MarkerDown,
    MarkerEmpty,
    MarkerLayer,
    Mexican,
    MexicanFrom,
    OpeningMiss,
    OwnTrainFirst,
    Ties,
)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one table. Defaults are the preset `standard`. [docs/rules.md §8]

    Each field is the switch of the same name, whose meaning and source stand in `SWITCHES`.
    """

    deal: DealTable | int = DealTable.STANDARD
    """A deal table, or a number of tiles given by hand. [docs/rules.md §1.3]"""
    first: First = First.RANDOM_ROTATE
    """[docs/rules.md §1.5; Parsons 1994, Tactic]"""
    opening_miss: OpeningMiss = OpeningMiss.DRAW
    """[docs/rules.md §3.2; the first text, roundhouse, walnut]"""
    own_train_first: OwnTrainFirst = OwnTrainFirst.NO
    """[docs/rules.md §3.4; other publishers]"""
    mexican: Mexican = Mexican.ONE
    """[docs/rules.md §4.1; the first text]"""
    mexican_from: MexicanFrom = MexicanFrom.AFTER_OPENING
    """[docs/rules.md §4.2; Parsons 1994, University Games, wolf-lake]"""
    marker_down: MarkerDown = MarkerDown.OWN_PLAY
    """[docs/rules.md §6.2; Galt 1994, roundhouse, other publishers]"""
    marker_empty: MarkerEmpty = MarkerEmpty.UP
    """[docs/rules.md §6.1; the first text, roundhouse]"""
    marker_layer: MarkerLayer = MarkerLayer.ALWAYS
    """[docs/rules.md §6.1; Parsons and Galt 1994; the first text's strategy section]"""
    marker_double: MarkerDouble = MarkerDouble.OWED
    """[docs/rules.md §5.6; Galt 1994, DillyDally]"""
    last_double: LastDouble = LastDouble.ENDS
    """[docs/rules.md §7.1; Galt 1994, Mexican Train Fun 2015]"""
    double_public: DoublePublic = DoublePublic.NO
    """[docs/rules.md §6.3; the first text, Double public]"""
    continuous_draw: ContinuousDraw = ContinuousDraw.NO
    """[docs/rules.md §5.4; Endless 2020]"""
    branching: Branching = Branching.NONE
    """[docs/rules.md §5.7; pagat.com]"""
    draw: Draw = Draw.ONE
    """[docs/rules.md §2.4; other publishers]"""
    blanks: Blanks = Blanks.ZERO
    """[docs/rules.md §7.3; Mexican Train Fun 2015, other publishers]"""
    blocked_winner: BlockedWinner = BlockedWinner.PIPS
    """[docs/rules.md §7.3; other publishers]"""
    ties: Ties = Ties.ZERO_ROUNDS
    """[docs/rules.md §7.5; Mexican Train Fun 2015]"""


STANDARD: Final = "standard"
"""The preset that a table has when nobody names one."""

RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType({STANDARD: RuleSet()})
"""Every preset by its name; the only registry."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One choice, as menus and docs show it."""

    name: str
    """The word that `with:` takes."""
    field: str
    """The field of `RuleSet` that holds it."""
    values: tuple[str, ...]
    """The words it may be set to; `deal` also takes a number of tiles."""
    default: str
    """Its value in `standard`."""
    sentence: str
    source: str


_TOLD: Final[tuple[tuple[str, type[Enum], str, str], ...]] = (
    (
        "deal",
        DealTable,
        "How many tiles each seat is dealt: a published table, or a number.",
        "the first text's table; roundhouse, walnut, wolf-lake; other publishers",
    ),
    (
        "first",
        First,
        "Who plays first in round one, by lot or by choice; then it moves one seat a round.",
        "Parsons 1994; Tactic",
    ),
    (
        "opening-miss",
        OpeningMiss,
        "Who cannot start in the first turn draws one tile, or puts the marker up at once.",
        "the first text; roundhouse, walnut",
    ),
    (
        "own-train-first",
        OwnTrainFirst,
        "Whether a seat may lay elsewhere before its own train has a tile (covering is owed).",
        "other publishers",
    ),
    (
        "mexican",
        Mexican,
        "How many Mexican trains there are: one, none (private trains), or as many as are begun.",
        "the first text",
    ),
    (
        "mexican-from",
        MexicanFrom,
        "When the Mexican train may be started: at once, after all first turns, or by a seat "
        "whose own train has a tile.",
        "Parsons 1994; University Games; wolf-lake",
    ),
    (
        "marker-down",
        MarkerDown,
        "What takes a marker down: the owner's lay, the owner's lay but no uncovered double, "
        "or anybody's lay.",
        "Galt and Parsons 1994; other publishers; roundhouse",
    ),
    (
        "marker-empty",
        MarkerEmpty,
        "With nothing to lay and nothing to draw the marker goes up, or the seat just passes.",
        "the first text, walnut; roundhouse",
    ),
    (
        "marker-layer",
        MarkerLayer,
        "Who cannot cover their own double is marked always, or not for a double on somebody "
        "else's train.",
        "Parsons and Galt 1994; the first text's strategy section",
    ),
    (
        "marker-double",
        MarkerDouble,
        "Whether a double that takes down the own marker must be covered.",
        "the first text; Galt 1994, DillyDally",
    ),
    (
        "last-double",
        LastDouble,
        "Whether a double as last tile ends the round, or must be covered to be out.",
        "Galt 1994, dominorules.com; Mexican Train Fun 2015",
    ),
    (
        "double-public",
        DoublePublic,
        "Whether a train becomes public by having a double laid on it.",
        "the first text, Double public",
    ),
    (
        "continuous-draw",
        ContinuousDraw,
        "Whether a double's layer, when nobody covered it, draws until it can be covered.",
        "Endless 2020",
    ),
    (
        "branching",
        Branching,
        "Whether a covered double takes two more tiles, each an open end of the train.",
        "pagat.com",
    ),
    (
        "draw",
        Draw,
        "Whether a seat that can lay nothing draws one tile, or draws until it can.",
        "other publishers",
    ),
    (
        "blanks",
        Blanks,
        "What blanks in the hand cost: nothing, 25 a half and 50 the double, or 50 the double.",
        "Mexican Train Fun 2015; other publishers",
    ),
    (
        "blocked-winner",
        BlockedWinner,
        "Whether the lowest hand of a blocked round counts its pips or scores 0.",
        "the first text; other publishers",
    ),
    (
        "ties",
        Ties,
        "Whether equal totals are decided by rounds at 0, then by the lowest other round.",
        "Mexican Train Fun 2015",
    ),
)


def _words(value: Enum | int) -> str:
    return str(value) if isinstance(value, int) else str(value.value)


def _switches() -> Mapping[str, Switch]:
    standard = RULE_SETS[STANDARD]
    found = {}
    for name, kind, sentence, source in _TOLD:
        field = name.replace("-", "_")
        values = tuple(_words(member) for member in kind)
        default = _words(getattr(standard, field))
        found[name] = Switch(name, field, values, default, sentence, source)
    assert {told.field for told in found.values()} == {field.name for field in fields(RuleSet)}
    return MappingProxyType(found)


SWITCHES: Final[Mapping[str, Switch]] = _switches()
"""Every switch by its name, in the order of docs/rules.md §8."""

_KINDS: Final[Mapping[str, type[Enum]]] = {name: kind for name, kind, _, _ in _TOLD}

FIXED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "engine": "set-aside",
        "opening": "single",
        "marker-voluntary": "no",
        "cover": "on-double",
        "several": "one",
        "duty-order": "first-played",
        "layer-miss": "draw",
        "drawn-double": "draw-again",
        "last-tile": "none",
        "tap-penalty": "0",
        "round-end": "blocked",
        "strategic-error": "no",
        "partners": "no",
        "swan-drive": "no",
        "bullet": "no",
        "wild-blanks": "no",
    }
)
"""Switches of the published rules that have one value here; naming that value is no error."""


class RuleProblemCode(Enum):
    """Why a preset and its switches are no rule set."""

    UNKNOWN_PRESET = "unknown-preset"
    """Facts: `preset`, `known`."""
    UNKNOWN_SWITCH = "unknown-switch"
    """Facts: `switch`, `known`."""
    UNKNOWN_VALUE = "unknown-value"
    """Facts: `switch`, `value`, `known`."""
    CLASH = "clash"
    """Facts: `one`, `other` (both as `switch=value`), `reason`."""


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """A refused choice of rules."""

    code: RuleProblemCode
    facts: tuple[tuple[str, str], ...]


_CLASHES: Final[tuple[tuple[str, tuple[str, ...], str, tuple[str, ...], str], ...]] = (
    (
        "marker-double",
        ("free",),
        "double-public",
        ("yes",),
        "one takes down the marker that the other puts up",
    ),
    (
        "own-train-first",
        ("elsewhere",),
        "mexican-from",
        ("first-turn",),
        "the Mexican train cannot be both open and closed in the first turn",
    ),
)
"""Pairs of settings that contradict each other, with the reason. [docs/rules.md §8.2]"""


def parse_rules(preset: str, switches: Mapping[str, str]) -> RuleSet | RuleProblem:
    """The rule set that a preset with these switches on top of it names.

    Words come from people and peers: what is unknown or contradictory is returned as a problem.
    """
    rules = RULE_SETS.get(preset)
    if rules is None:
        known = " ".join(RULE_SETS)
        return RuleProblem(RuleProblemCode.UNKNOWN_PRESET, (("preset", preset), ("known", known)))
    chosen: dict[str, Any] = {}
    for name, value in switches.items():
        parsed = _parse_value(name, value)
        if isinstance(parsed, RuleProblem):
            return parsed
        if name in SWITCHES:
            chosen[SWITCHES[name].field] = parsed
    rules = replace(rules, **chosen)
    return _clash(rules, switches) or rules


def _parse_value(name: str, value: str) -> Enum | int | RuleProblem:
    if name in FIXED:
        known: tuple[str, ...] = (FIXED[name],)
    elif name in SWITCHES:
        known = SWITCHES[name].values
    else:
        facts = (("switch", name), ("known", " ".join(SWITCHES)))
        return RuleProblem(RuleProblemCode.UNKNOWN_SWITCH, facts)
    if name == "deal" and value.isascii() and value.isdigit() and 0 < len(value) <= 3:
        return int(value)
    if value not in known:
        facts_of_value = (("switch", name), ("value", value), ("known", " ".join(known)))
        return RuleProblem(RuleProblemCode.UNKNOWN_VALUE, facts_of_value)
    return _KINDS[name](value) if name in SWITCHES else 0


def _clash(rules: RuleSet, switches: Mapping[str, str]) -> RuleProblem | None:
    def setting(name: str) -> str:
        return _words(getattr(rules, SWITCHES[name].field))

    def problem(one: str, other: str, reason: str) -> RuleProblem:
        facts = (
            ("one", f"{one}={setting(one)}"),
            ("other", f"{other}={setting(other)}"),
            ("reason", reason),
        )
        return RuleProblem(RuleProblemCode.CLASH, facts)

    for one, one_values, other, other_values, reason in _CLASHES:
        if setting(one) in one_values and setting(other) in other_values:
            return problem(one, other, reason)
    if rules.mexican is Mexican.NONE and "mexican-from" in switches:
        return problem("mexican", "mexican-from", "there is no Mexican train to be started")
    return None


def format_rules(rules: RuleSet) -> tuple[str, tuple[str, ...]]:
    """A preset and the `switch=value` words that differ from it; `parse_rules` reads them back."""
    base = RULE_SETS[STANDARD]
    for name, preset in RULE_SETS.items():
        if rules == preset:
            return name, ()
    words = tuple(
        f"{switch.name}={_words(getattr(rules, switch.field))}"
        for switch in SWITCHES.values()
        if getattr(rules, switch.field) != getattr(base, switch.field)
    )
    return STANDARD, words
