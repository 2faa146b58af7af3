"""`boneyard rules`: print all rule sets, one sheet, choice or section, or write a table file."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from shlex import quote
from typing import Any, Final

from cli.choices.choice import Choice
from cli.choices.table import NAME, RULES, TABLE
from cli.exits import CommandFailed, ExitCode
from cli.guess import did_you_mean
from cli.house_rules.choice import sheet_offer
from cli.house_rules.file import choice_of, is_table_file, save_choice
from cli.language import say
from cli.program import typed_in_shell
from cli.render.cells import Canvas, wrap_words
from cli.render.palette import ASCII_GLYPHS, Line, Paint
from cli.render.rule_sheet import Offer, offer_lines, offer_title, sheet_of
from cli.render.rulebook import section_lines
from cli.render.sheets import switch_lines
from cli.screens.pager import show_page
from cli.streams import is_terminal, window
from cli.visible import print_json, print_line
from cli.wording.rulebook import cited_section, no_section_text, rulebook
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, value_text
from engine.rules.clashes import CLASHES, NO_MEXICAN, Clash
from engine.rules.deals import DEALS
from engine.rules.presets import PRESETS
from engine.rules.ruleset import RuleSet
from engine.rules.spec import PARTNER_SEATS, SEATS_MAX, SEATS_MIN, rounds_max
from engine.rules.switches import Engine, Switch
from engine.tiles import SET_SIZES
from netgame.protocol.state.options import OPTIONS

_COLUMNS_MAX: Final = 100
"""The most columns of a line; longer lines are hard to read."""


def run(options: argparse.Namespace) -> ExitCode:
    """Print what was asked for, or write a table file; return `OK`.

    Raises `CommandFailed` for an unknown name, rules that exclude each other, or a file that cannot
    be read or written.
    """
    name = options.name
    if name is not None and (number := cited_section(f"rules {name}")) is not None:
        return _read(number, options)
    if name is not None and (explained := TABLE.get(name.lower())) is not None:
        return _explained(explained, options)
    if name is None and not (options.changes or options.write):
        _print(all_facts() if options.json else _list_lines(_canvas()))
        return ExitCode.OK
    if name is not None and RULES.spelled(name) is None and not is_table_file(name):
        names = say("rule sets: {names}.", names=", ".join(RULE_SETS))
        hint = did_you_mean(name.lower(), (*RULE_SETS, *TABLE)) or names
        text = "There is no rule set and no switch {name}; {hint}"
        raise CommandFailed(ExitCode.USAGE, say(text, name=name, hint=hint))
    choice = choice_of(options, name or STANDARD)
    offer = sheet_offer(choice)
    if options.write:
        save_choice(options.write, choice)
        text, path = "Written: {path}. Play by it with: {command}", options.write
        print_line(say(text, path=path, command=typed_in_shell("host", "--rules", quote(path))))
        return ExitCode.OK
    canvas = _canvas()
    title = canvas.prose(choice.values[NAME.key]) if NAME.key in choice.values else ()
    _print(offer_facts(offer) if options.json else (*title, *offer_lines(offer, canvas)))
    return ExitCode.OK


def _read(number: str, options: argparse.Namespace) -> ExitCode:
    """Print a section of the rules; return `OK`.

    Raises `CommandFailed` if no section has this number, or if the options change rules or write a
    file.
    """
    section = rulebook().get(number)
    if section is None or options.write or options.changes:
        raise CommandFailed(ExitCode.USAGE, no_section_text(number))
    _print(section._asdict() if options.json else section_lines(section, _canvas()))
    return ExitCode.OK


def _explained(choice: Choice[Any], options: argparse.Namespace) -> ExitCode:
    if options.write or options.changes:
        text = "{switch} is a switch; name a rule set to change, or none for {usual}."
        raise CommandFailed(ExitCode.USAGE, say(text, switch=choice.key, usual=STANDARD))
    facts: dict[str, object] = {"options": {choice.key: dict(choice.kind.sentences)}}
    if choice.key in SWITCHES:
        facts = {"switches": {choice.key: switch_facts(SWITCHES[choice.key])}}
    _print(facts if options.json else switch_lines(choice.key, None, _canvas()))
    return ExitCode.OK


def _canvas() -> Canvas:
    width = window().columns if is_terminal() else 80
    return Canvas(max(40, min(width - 1, _COLUMNS_MAX)), 24, ASCII_GLYPHS)


def _print(what: Sequence[Line] | dict[str, object]) -> None:
    if isinstance(what, dict):
        print_json(what)
    else:
        show_page(what)


def _list_lines(canvas: Canvas) -> tuple[Line, ...]:
    """List the presets with a sentence each, and the switches."""
    lines = list(wrap_words(f" {say('Rule sets')}:", canvas.columns, "", Paint.STRONG))
    for name, told in PRESETS.items():
        lines += wrap_words(f"   {name}: {say(told.sentence)}", canvas.columns, "      ")
    lines += wrap_words(f" {say('Switches')}:", canvas.columns, "", Paint.STRONG)
    lines += wrap_words(f"   {', '.join(SWITCHES)}", canvas.columns, "   ")
    more = say(
        "{command} shows what a player reads before sitting down, or what a switch can be; --with "
        "SWITCH=VALUE changes it; --write FILE keeps it.",
        command=typed_in_shell("rules", "NAME"),
    )
    return (*lines, *canvas.prose(more))


# ---- as data ------------------------------------------------------------------------------------


def all_facts() -> dict[str, Any]:
    """Return as data everything that can be chosen for a table, and the choices that clash.

    The choices are presets, switches and options with their values, and sets, seats and deals.
    """
    return {
        "presets": {
            name: {
                "sentence": told.sentence,
                "source": told.source,
                "switches": _values_of(RULE_SETS[name]),
            }
            for name, told in PRESETS.items()
        },
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


def _values_of(rules: RuleSet) -> dict[str, str]:
    return {name: value_text(rules, name) for name in SWITCHES}


def switch_facts(switch: type[Switch]) -> dict[str, Any]:
    """Return a switch as data: its sentence, its sources, its default, and its values by word."""
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
    """Return as data the pairs of choices that clash; the second one may be an option or a size."""
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
            "reason": "each double is in the hub once only",
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
    """Return an offer as data: rule set, set, seats, rounds, switches, options, and its sheet."""
    return {
        "preset": offer.preset,
        "title": offer_title(offer),
        "set": offer.pip_max,
        "seats": offer.seats,
        "rounds": offer.rounds,
        "switches": _values_of(offer.rules),
        "options": dict(offer.options),
        "sheet": [
            {"chapter": title, "always": always, "lines": [asdict(line) for line in lines]}
            for title, always, lines in sheet_of(offer)
        ],
    }
