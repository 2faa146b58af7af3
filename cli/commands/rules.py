"""`boneyard rules`: what there is to play, the sheet of one choice, one switch, or a table file."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from shlex import quote
from typing import Final

from cli.commands.offer import choice_of, rules_of
from cli.commands.table_file import TableChoice, is_table_file, save_choice
from cli.drawn.cells import Canvas, wrap_words
from cli.drawn.palette import ASCII_GLYPHS, Line, plain_text
from cli.drawn.rule_sheet import Offer, offer_from, offer_lines, offer_title, sheet_of, value_text
from cli.drawn.sheets import switch_lines
from cli.exits import CommandFailed, ExitCode
from cli.said.rule_problems import spec_problem_sentence
from cli.said.rules import OPTION_VALUES, VALUES
from cli.visible import print_line
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, SwitchField
from engine.rules.clashes import CLASHES
from engine.rules.deals import DEALS
from engine.rules.presets import PRESETS
from engine.rules.spec import (
    PARTNER_SEATS,
    SEATS_MAX,
    SEATS_MIN,
    SpecProblem,
    make_spec,
    rounds_max,
    suggested_set,
)
from engine.rules.switches import Engine
from engine.tiles import SET_SIZES

_COLUMNS_MAX: Final = 100
"""Longer lines than that are no pleasure to read."""


def run(options: argparse.Namespace) -> ExitCode:
    """Print what was asked for, or write a table file."""
    name = options.name
    if name is not None and name in SWITCHES and name not in RULE_SETS:
        return _switch(name, options)
    if name is None and not _is_specific(options):
        _print(all_facts() if options.json else _list_lines(_canvas()))
        return ExitCode.OK
    if name is not None and name not in RULE_SETS and not is_table_file(name):
        near = get_close_matches(name, (*RULE_SETS, *SWITCHES), 1)
        hint = f"did you mean {near[0]}?" if near else f"rule sets: {', '.join(RULE_SETS)}."
        text = f"There is no rule set and no switch {name}; {hint}"
        raise CommandFailed(ExitCode.USAGE, text)
    choice = choice_of(options, name or STANDARD)
    offer = _offer(choice)
    if options.write:
        save_choice(options.write, choice)
        path = options.write
        print_line(f"Written: {path}. Play by it with: boneyard host --rules {quote(path)}")
        return ExitCode.OK
    _print(offer_facts(offer) if options.json else _sheet_lines(offer, choice, _canvas()))
    return ExitCode.OK


def _is_specific(options: argparse.Namespace) -> bool:
    sized = (options.pip_max, options.seats, options.rounds, options.deal)
    return bool(options.switches or options.write or any(sized))


def _switch(name: str, options: argparse.Namespace) -> ExitCode:
    if options.write or options.switches:
        text = f"{name} is a switch; name a rule set to change it in, or none for {STANDARD}."
        raise CommandFailed(ExitCode.USAGE, text)
    facts: dict[str, object] = {"switches": {name: _switch_facts(SWITCHES[name])}}
    _print(facts if options.json else switch_lines(name, None, _canvas()))
    return ExitCode.OK


def _offer(choice: TableChoice) -> Offer:
    """Check a choice and make it an offer; raises `CommandFailed` with what to change."""
    rules = rules_of(choice)
    seats, pip_max = choice.seats, choice.pip_max
    counts = (seats,) if seats else range(SEATS_MIN, SEATS_MAX + 1)
    if seats is not None and pip_max is None:
        pip_max = suggested_set(seats, choice.hand or rules.deal)
    if pip_max is not None or choice.rounds or choice.hand:
        tried = [make_spec(rules, pip_max, each, choice.rounds, choice.hand) for each in counts]
        problems = [spec for spec in tried if isinstance(spec, SpecProblem)]
        if len(problems) == len(tried):
            raise CommandFailed(ExitCode.USAGE, spec_problem_sentence(problems[0]))
    return offer_from(
        *(choice.preset, rules, dict(choice.switches), pip_max, seats),
        *(choice.rounds, choice.hand, choice.options),
    )


def _canvas() -> Canvas:
    width = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80
    return Canvas(max(40, min(width - 1, _COLUMNS_MAX)), 24, ASCII_GLYPHS)


def _print(what: Sequence[Line] | dict[str, object]) -> None:
    if isinstance(what, dict):
        print(json.dumps(what, ensure_ascii=False, indent=2))
    else:
        for line in what:
            print_line(plain_text(line).rstrip())


# ---- for people -----------------------------------------------------------------------------


def _list_lines(canvas: Canvas) -> tuple[Line, ...]:
    """List the presets with a sentence each, and the switches."""
    lines = list(wrap_words(" Rule sets:", canvas.columns))
    for name, told in PRESETS.items():
        lines += wrap_words(f"   {name}: {told.sentence}", canvas.columns, "      ")
    lines += wrap_words(f" Switches: {', '.join(SWITCHES)}.", canvas.columns, "   ")
    more = (
        " boneyard rules NAME shows what a player reads before sitting down, or what a switch can "
        "be; --with SWITCH=VALUE changes it; --write FILE keeps it."
    )
    return (*lines, *wrap_words(more, canvas.columns, " "))


def _sheet_lines(offer: Offer, choice: TableChoice, canvas: Canvas) -> tuple[Line, ...]:
    title = wrap_words(f" {choice.name}", canvas.columns, " ") if choice.name else ()
    return (*title, *offer_lines(offer, canvas))


# ---- for programs ---------------------------------------------------------------------------


def all_facts() -> dict[str, object]:
    """Return every preset, every switch with its values, and what is refused, as data."""
    return {
        "presets": {name: _preset_facts(name) for name in RULE_SETS},
        "switches": {name: _switch_facts(switch) for name, switch in SWITCHES.items()},
        "refused": _refused(),
        "options": {name: dict(values) for name, values in OPTION_VALUES.items()},
        "sets": list(SET_SIZES),
        "seats": [SEATS_MIN, SEATS_MAX],
        "deals": {
            table.value: {str(pip_max): hands for pip_max, hands in rows.items()}
            for table, rows in DEALS.items()
        },
    }


def _preset_facts(name: str) -> dict[str, object]:
    values = {switch: value_text(RULE_SETS[name], switch) for switch in SWITCHES}
    told = PRESETS[name]
    return {"sentence": told.sentence, "source": told.source, "switches": values}


def _switch_facts(switch: SwitchField) -> dict[str, object]:
    return {
        "sentence": switch.sentence,
        "source": switch.source,
        "default": switch.default,
        "number": switch.name == "deal",
        "values": {value: _value_facts(switch, value) for value in switch.values},
    }


def _value_facts(switch: SwitchField, value: str) -> dict[str, object]:
    told = VALUES[switch.name][value]
    users = [name for name, rules in RULE_SETS.items() if value_text(rules, switch.name) == value]
    return {
        "sentence": told.sentence,
        "source": told.source,
        "default": value == switch.default,
        "presets": users,
    }


def _refused() -> list[dict[str, object]]:
    """Return what does not go together; `other` may be an option rather than a switch."""
    found: list[dict[str, object]] = [
        {
            "one": {"switch": clash.one, "values": [each.value for each in clash.ones]},
            "other": {"switch": clash.other, "values": [each.value for each in clash.others]},
            "reason": clash.reason,
        }
        for clash in CLASHES
    ]
    once = [
        value
        for value in SWITCHES["engine"].values
        if rounds_max(SET_SIZES[0], Engine(value)) == SET_SIZES[0] + 1
    ]
    found += [
        {
            "one": {"switch": "mexican", "values": ["none"]},
            "other": {"switch": "mexican-from", "values": list(SWITCHES["mexican-from"].values)},
            "only": "where mexican-from is set by hand",
            "reason": "there is no Mexican train to be started",
        },
        {
            "one": {"switch": "partners", "values": ["yes"]},
            "other": {
                "option": "seats",
                "values": [
                    seats for seats in range(SEATS_MIN, SEATS_MAX + 1) if seats not in PARTNER_SEATS
                ],
            },
            "reason": "not every seat has an opposite one",
        },
        {
            "one": {"switch": "engine", "values": once},
            "other": {"option": "rounds", "above": "the number of doubles of the set"},
            "reason": "each double is used once",
        },
    ]
    return found


def offer_facts(offer: Offer) -> dict[str, object]:
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
            {
                "chapter": title,
                "always": always,
                "lines": [
                    {
                        "switch": line.switch,
                        "value": line.value,
                        "sentence": line.sentence,
                        "standard": line.standard,
                        "changed": line.changed,
                    }
                    for line in lines
                ],
            }
            for title, always, lines in sheet_of(offer)
        ],
    }
