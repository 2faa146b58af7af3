"""Rule sets, switches and what clashes as data, for `rules --json`."""

from dataclasses import asdict
from typing import Any

from cli.drawn.rule_sheet import Offer, offer_title, sheet_of
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, value_text
from engine.rules.clashes import CLASHES, NO_MEXICAN, Clash
from engine.rules.deals import DEALS
from engine.rules.presets import PRESETS
from engine.rules.ruleset import RuleSet
from engine.rules.spec import PARTNER_SEATS, SEATS_MAX, SEATS_MIN, rounds_max
from engine.rules.switches import Engine, Switch
from engine.tiles import SET_SIZES
from netgame.protocol.fold.options import OPTIONS


def all_facts() -> dict[str, Any]:
    """Return every preset, every switch with its values, and what is refused, as data."""
    return {
        "presets": {name: _preset_facts(name) for name in RULE_SETS},
        "switches": {name: switch_facts(switch) for name, switch in SWITCHES.items()},
        "refused": _refused(),
        "options": {
            name: {each.value: each.sentence for each in kind} for name, kind in OPTIONS.items()
        },
        "sets": list(SET_SIZES),
        "seats": [SEATS_MIN, SEATS_MAX],
        "deals": {
            table.value: {str(pip_max): hands for pip_max, hands in rows.items()}
            for table, rows in DEALS.items()
        },
    }


def _preset_facts(name: str) -> dict[str, Any]:
    values = {switch: value_text(RULE_SETS[name], switch) for switch in SWITCHES}
    told = PRESETS[name]
    return {"sentence": told.sentence, "source": told.source, "switches": values}


def switch_facts(switch: type[Switch]) -> dict[str, Any]:
    """Return a switch with all its values."""
    return {
        "sentence": switch.decides,
        "source": switch.sources,
        "default": value_text(RULE_SETS[STANDARD], switch.key),
        "number": bool(switch.numbers),
        "values": {told.value: _value_facts(told) for told in switch},
    }


def _value_facts(told: Switch) -> dict[str, Any]:
    presets = [name for name, rules in RULE_SETS.items() if getattr(rules, told.field) is told]
    return {
        "sentence": told.sentence,
        "source": told.source,
        "default": STANDARD in presets,
        "presets": presets,
    }


def _refused() -> list[dict[str, Any]]:
    """Return what does not go together; `other` may be an option rather than a switch."""
    found = [_clash_facts(clash) for clash in CLASHES]
    lowest = SET_SIZES[0]
    counts = {each: rounds_max(RuleSet(engine=each), lowest) for each in Engine}
    once = [each.value for each, most in counts.items() if most == lowest + 1]
    alone = [seats for seats in range(SEATS_MIN, SEATS_MAX + 1) if seats not in PARTNER_SEATS]
    found += [
        _clash_facts(NO_MEXICAN) | {"only": f"where {NO_MEXICAN.other} is set by hand"},
        {
            "one": {"switch": "partners", "values": ["yes"]},
            "other": {"option": "seats", "values": alone},
            "reason": "not every seat has an opposite one",
        },
        {
            "one": {"switch": "engine", "values": once},
            "other": {"option": "rounds", "above": "the number of doubles of the set"},
            "reason": "each double is used once",
        },
    ]
    return found


def _clash_facts(clash: Clash) -> dict[str, Any]:
    return {
        "one": {"switch": clash.one, "values": [each.value for each in clash.ones]},
        "other": {"switch": clash.other, "values": [each.value for each in clash.others]},
        "reason": clash.reason,
    }


def offer_facts(offer: Offer) -> dict[str, Any]:
    """Return the sheet of one choice as data."""
    return {
        "preset": offer.preset,
        "title": offer_title(offer),
        "set": offer.pip_max,
        "seats": offer.seats,
        "rounds": offer.rounds,
        "switches": {name: value_text(offer.rules, name) for name in SWITCHES},
        "options": dict(offer.options),
        "sheet": [
            {"chapter": title, "always": always, "lines": [asdict(line) for line in lines]}
            for title, always, lines in sheet_of(offer)
        ],
    }
