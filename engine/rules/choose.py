"""Choosing rules: presets and switches by their words, both ways, and what is refused.

`SWITCHES` is the one list of choices; the parser, the menus and docs/rules.md §8 are all checked
against it. The rules themselves are `ruleset.RuleSet`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Final

from engine.refusals import Refusal, RefusalReason
from engine.rules.clashes import CLASHES, NO_MEXICAN, Clash
from engine.rules.presets import RULE_SETS, STANDARD
from engine.rules.ruleset import RuleSet
from engine.rules.switches import Switch

__all__ = [
    "RULE_SETS",
    "STANDARD",
    "SWITCHES",
    "RuleSet",
    "SwitchField",
    "format_rules",
    "parse_rules",
    "settings_of",
]


@dataclass(frozen=True, slots=True)
class SwitchField:
    """A switch, and the field of `RuleSet` that holds it."""

    field: str
    kind: type[Switch]
    default: str
    """Its value in `standard`."""

    @property
    def name(self) -> str:
        """The word that `with:` takes."""
        return self.kind.key

    @property
    def values(self) -> tuple[str, ...]:
        """The words it may be set to; some switches take numbers too."""
        return tuple(member.value for member in self.kind)

    @property
    def sentence(self) -> str:
        """What it decides."""
        return self.kind.decides

    @property
    def source(self) -> str:
        """Where it comes from."""
        return self.kind.sources


def _words(value: Switch | int) -> str:
    return value.value if isinstance(value, Switch) else str(value)


def _switches() -> Mapping[str, SwitchField]:
    standard = RULE_SETS[STANDARD]
    usual = {field.name: getattr(standard, field.name) for field in fields(RuleSet)}
    rows = [SwitchField(name, type(value), _words(value)) for name, value in usual.items()]
    return MappingProxyType({row.name: row for row in rows})


SWITCHES: Final[Mapping[str, SwitchField]] = _switches()
"""Every switch by its key, in the order of docs/rules.md §8."""


def parse_rules(preset: str, switches: Mapping[str, str]) -> RuleSet | Refusal:
    """The rule set that a preset with these switches on top of it names.

    Words come from people and peers: what is unknown or contradictory is returned as a refusal.
    Without a Mexican train it does not matter when it may be started: that switch is then as in
    `standard`, so that equal games have equal rules.
    """
    rules = RULE_SETS.get(preset)
    if rules is None:
        known = " ".join(RULE_SETS)
        return Refusal(RefusalReason.UNKNOWN_PRESET, (("preset", preset), ("known", known)))
    chosen: dict[str, Any] = {}
    for name, value in switches.items():
        parsed = _parse_value(name, value)
        if isinstance(parsed, Refusal):
            return parsed
        chosen[SWITCHES[name].field] = parsed
    rules = replace(rules, **chosen)
    if not rules.mexican.has_any:
        if NO_MEXICAN.other in switches:
            return _clash(rules, NO_MEXICAN)
        rules = replace(rules, mexican_from=RULE_SETS[STANDARD].mexican_from)
    return _why_contradictory(rules) or rules


def _parse_value(name: str, value: str) -> Switch | int | Refusal:
    if name not in SWITCHES:
        facts = (("switch", name), ("known", " ".join(SWITCHES)))
        return Refusal(RefusalReason.UNKNOWN_SWITCH, facts)
    known = SWITCHES[name].values
    number = SWITCHES[name].kind.number(value)
    if number is not None:
        return number
    if value not in known:
        facts_of_value = (("switch", name), ("value", value), ("known", " ".join(known)))
        return Refusal(RefusalReason.UNKNOWN_VALUE, facts_of_value)
    return SWITCHES[name].kind(value)


def value_text(rules: RuleSet, name: str) -> str:
    """The word of the value that a switch has in these rules."""
    return _words(getattr(rules, SWITCHES[name].field))


def settings_of(rules: RuleSet) -> tuple[tuple[str, str], ...]:
    """Every switch with the value it has in these rules, in the order of docs/rules.md §8."""
    return tuple((name, value_text(rules, name)) for name in SWITCHES)


def _clash(rules: RuleSet, clash: Clash) -> Refusal:
    facts = (
        ("one", f"{clash.one}={value_text(rules, clash.one)}"),
        ("other", f"{clash.other}={value_text(rules, clash.other)}"),
        ("reason", clash.reason),
    )
    return Refusal(RefusalReason.CLASH, facts)


def _why_contradictory(rules: RuleSet) -> Refusal | None:
    """The first two switches of these rules that exclude each other, or None. [§8.2]"""
    for clash in CLASHES:
        one, other = SWITCHES[clash.one].field, SWITCHES[clash.other].field
        if getattr(rules, one) in clash.ones and getattr(rules, other) in clash.others:
            return _clash(rules, clash)
    return None


def format_rules(rules: RuleSet) -> tuple[str, tuple[str, ...]]:
    """The nearest preset and the `switch=value` words that differ from it.

    `parse_rules` reads them back. Of presets equally near the first registered one is named.
    """
    written = [(name, _differing(rules, preset)) for name, preset in RULE_SETS.items()]
    return min(written, key=lambda words: len(words[1]))


def _differing(rules: RuleSet, preset: RuleSet) -> tuple[str, ...]:
    return tuple(
        f"{switch.name}={value_text(rules, switch.name)}"
        for switch in SWITCHES.values()
        if getattr(rules, switch.field) != getattr(preset, switch.field)
        and (rules.mexican.has_any or switch.name != NO_MEXICAN.other)
    )
