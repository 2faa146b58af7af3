"""Choosing rules: presets and switches by their words, both ways, and what is refused.

`SWITCHES` is the one list of choices; the parser, the menus and docs/rules.md §8 are all checked
against it. The rules themselves are `ruleset.RuleSet`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from engine.rules.clashes import CLASHES
from engine.rules.presets import RULE_SETS, STANDARD
from engine.rules.ruleset import RuleSet
from engine.rules.sentences import TOLD
from engine.rules.switches import Mexican

__all__ = [
    "RULE_SETS",
    "STANDARD",
    "SWITCHES",
    "RuleProblem",
    "RuleProblemCode",
    "RuleSet",
    "Switch",
    "format_rules",
    "parse_rules",
    "settings_of",
    "why_contradictory",
]


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


def _words(value: Enum | int) -> str:
    return str(value) if isinstance(value, int) else str(value.value)


def _switches() -> Mapping[str, Switch]:
    standard = RULE_SETS[STANDARD]
    found = {}
    for name, kind, sentence, source in TOLD:
        field = name.replace("-", "_")
        values = tuple(_words(member) for member in kind)
        default = _words(getattr(standard, field))
        found[name] = Switch(name, field, values, default, sentence, source)
    assert {told.field for told in found.values()} == {field.name for field in fields(RuleSet)}
    return MappingProxyType(found)


SWITCHES: Final[Mapping[str, Switch]] = _switches()
"""Every switch by its name, in the order of docs/rules.md §8."""

_KINDS: Final[Mapping[str, type[Enum]]] = {name: kind for name, kind, _, _ in TOLD}


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


def parse_rules(preset: str, switches: Mapping[str, str]) -> RuleSet | RuleProblem:
    """The rule set that a preset with these switches on top of it names.

    Words come from people and peers: what is unknown or contradictory is returned as a problem.
    Without a Mexican train it does not matter when it may be started: that switch is then as in
    `standard`, so that equal games have equal rules.
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
        chosen[SWITCHES[name].field] = parsed
    rules = replace(rules, **chosen)
    if rules.mexican is Mexican.NONE:
        if "mexican-from" in switches:
            return _clash(
                rules, "mexican", "mexican-from", "there is no Mexican train to be started"
            )
        rules = replace(rules, mexican_from=RULE_SETS[STANDARD].mexican_from)
    return why_contradictory(rules) or rules


def _parse_value(name: str, value: str) -> Enum | int | RuleProblem:
    if name not in SWITCHES:
        facts = (("switch", name), ("known", " ".join(SWITCHES)))
        return RuleProblem(RuleProblemCode.UNKNOWN_SWITCH, facts)
    known = SWITCHES[name].values
    if name == "deal" and value.isascii() and value.isdigit() and 0 < len(value) <= 3:
        return int(value)
    if value not in known:
        facts_of_value = (("switch", name), ("value", value), ("known", " ".join(known)))
        return RuleProblem(RuleProblemCode.UNKNOWN_VALUE, facts_of_value)
    return _KINDS[name](value)


def _setting(rules: RuleSet, name: str) -> str:
    return _words(getattr(rules, SWITCHES[name].field))


def settings_of(rules: RuleSet) -> tuple[tuple[str, str], ...]:
    """Every switch with the value it has in these rules, in the order of docs/rules.md §8."""
    return tuple((name, _setting(rules, name)) for name in SWITCHES)


def _clash(rules: RuleSet, one: str, other: str, reason: str) -> RuleProblem:
    facts = (
        ("one", f"{one}={_setting(rules, one)}"),
        ("other", f"{other}={_setting(rules, other)}"),
        ("reason", reason),
    )
    return RuleProblem(RuleProblemCode.CLASH, facts)


def why_contradictory(rules: RuleSet) -> RuleProblem | None:
    """The first two switches of these rules that exclude each other, or None. [§8.2]"""
    for one, one_values, other, other_values, reason in CLASHES:
        if _setting(rules, one) in one_values and _setting(rules, other) in other_values:
            return _clash(rules, one, other, reason)
    return None


def format_rules(rules: RuleSet) -> tuple[str, tuple[str, ...]]:
    """The nearest preset and the `switch=value` words that differ from it.

    `parse_rules` reads them back. Of presets equally near the first registered one is named.
    """
    written = [(name, _differing(rules, preset)) for name, preset in RULE_SETS.items()]
    return min(written, key=lambda words: len(words[1]))


def _differing(rules: RuleSet, preset: RuleSet) -> tuple[str, ...]:
    return tuple(
        f"{switch.name}={_setting(rules, switch.name)}"
        for switch in SWITCHES.values()
        if getattr(rules, switch.field) != getattr(preset, switch.field)
        and not (rules.mexican is Mexican.NONE and switch.name == "mexican-from")
    )
