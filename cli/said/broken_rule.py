"""What `why` answers: the rule behind a refusal, as it stands at this table, and its section."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.play.legality import Refusal
from engine.rules.ruleset import RuleSet

_RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "§1.4": "The double asked for goes into the hub, if you hold it and nobody has used it.",
        "§2.1": "Turns go clockwise; in a turn you play a tile, draw, or pass.",
        "§2.2": "A tile you hold joins an open end with the same number, on your own train or on "
        "any train that is open to all.",
        "§2.3": "If you can play a tile, you must.",
        "§3.6": "You may play on a public train in your first turn only if you could start yours.",
        "§7.1": "A round is over when somebody has played their last tile.",
        "§7.11": "A seat leaves for good between two plays, and somebody stays.",
    }
)
"""What holds at every table, by the section of docs/rules.md."""

_SWITCHES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "§1.6": "engine",
        "§1.7": "engine",
        "§2.4": "draw",
        "§3.1": "opening",
        "§3.2": "opening_miss",
        "§3.4": "own_train_first",
        "§3.5": "opening_double",
        "§4.1": "mexican",
        "§4.2": "mexican_from",
        "§5.2": "cover",
        "§5.8": "several",
        "§5.10": "layer_miss",
        "§6.4": "marker_voluntary",
        "§7.7": "last_tile",
        "§7.8": "round_end",
        "§7.10": "bullet",
    }
)
"""The field of a rule set whose value is the rule, by section."""


def rule_sentence(refusal: Refusal, rules: RuleSet) -> str:
    """Say the rule that a move breaks, and where it is written."""
    section = refusal.reason.section
    field = _SWITCHES.get(section)
    rule = getattr(rules, field).sentence if field else _RULES[section]
    return f"{rule} See docs/rules.md {section}."
