"""Reading rules from the words for presets and switches, and writing them in such words."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from engine.refusals import Refusal, RefusalReason, refused
from engine.rules.clashes import CLASHES, NO_MEXICAN, Clash
from engine.rules.presets import PRESETS, STANDARD
from engine.rules.ruleset import SWITCHES, RuleSet
from engine.rules.switches import Switch

__all__ = [
    "RULE_SETS",
    "STANDARD",
    "SWITCHES",
    "RuleSet",
    "by_name",
    "format_rules",
    "parse_rules",
    "spelled",
]


def by_name(words: Iterable[str]) -> dict[str, str]:
    """Return the values of `name=value` words by name; the last word for a name wins.

    A word without `=` has an empty value. Nothing is checked.
    """
    return dict(word.partition("=")[::2] for word in words)


def spelled(switches: Mapping[str, str]) -> dict[str, str]:
    """Return the switches that people typed, each value in the spelling that an offer uses.

    This drops spaces around a value and leading zeros of a number. Unknown names and unknown values
    are kept: `parse_rules` refuses them.
    """
    return {
        name: SWITCHES[name].spelled(value) if name in SWITCHES else value
        for name, value in switches.items()
    }


def _preset(words: str) -> RuleSet:
    values = by_name(words.split())
    chosen: dict[str, Any] = {
        SWITCHES[name].field: SWITCHES[name].read(value) for name, value in values.items()
    }
    return replace(RuleSet(), **chosen)


RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {name: _preset(preset.words) for name, preset in PRESETS.items()}
)
"""The rules of every preset by its name."""


def parse_rules(preset: str, switches: Mapping[str, str]) -> RuleSet | Refusal:
    """Return the rule set of a preset with these switches changed, or a refusal.

    The words may come from people and peers, so nothing is raised. Refuse an unknown preset, else
    the first unknown switch or value, else the first clash. Numbers have only one spelling here;
    pass what people type through `spelled` first. Without a Mexican train `mexican-from` does not
    matter: refuse it in `switches`, else set it as in `standard`, so that equal games have equal
    rules.
    """
    rules = RULE_SETS.get(preset)
    if rules is None:
        known = " ".join(RULE_SETS)
        return refused(RefusalReason.UNKNOWN_PRESET, preset=preset, known=known)
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
        return refused(RefusalReason.UNKNOWN_SWITCH, switch=name, known=" ".join(SWITCHES))
    found = SWITCHES[name].read(value)
    if found is None:
        known = " ".join(SWITCHES[name].words())
        return refused(RefusalReason.UNKNOWN_VALUE, switch=name, value=value, known=known)
    return found


def value_text(rules: RuleSet, name: str) -> str:
    """Return the word or digits of the value that these rules have for the switch with this key.

    Raise KeyError if no switch has this key.
    """
    value = getattr(rules, SWITCHES[name].field)
    return value.value if isinstance(value, Switch) else str(value)


def _clash(rules: RuleSet, clash: Clash) -> Refusal:
    one, other = (f"{name}={value_text(rules, name)}" for name in (clash.one, clash.other))
    return refused(RefusalReason.CLASH, one=one, other=other, reason=clash.reason)


def _why_contradictory(rules: RuleSet) -> Refusal | None:
    """Return the refusal of the first two switches that exclude each other, or None. [§8.2]"""
    for clash in CLASHES:
        one = getattr(rules, SWITCHES[clash.one].field)
        other = getattr(rules, SWITCHES[clash.other].field)
        if one in clash.ones and other in clash.others:
            return _clash(rules, clash)
    return None


def format_rules(rules: RuleSet) -> tuple[str, tuple[str, ...]]:
    """Return the name of the nearest preset, and the `switch=value` words that differ from it.

    The words are in the order of docs/rules.md §8, and empty for a preset's own rules;
    `parse_rules` reads them back. Of equally near presets, return the one registered first.
    """
    written = [(name, _differing(rules, preset)) for name, preset in RULE_SETS.items()]
    return min(written, key=lambda words: len(words[1]))


def _differing(rules: RuleSet, preset: RuleSet) -> tuple[str, ...]:
    return tuple(
        f"{name}={value_text(rules, name)}"
        for name, switch in SWITCHES.items()
        if getattr(rules, switch.field) != getattr(preset, switch.field)
        and (rules.mexican.has_any or name != NO_MEXICAN.other)
    )
