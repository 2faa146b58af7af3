"""`boneyard rules`: what there is to play, the sheet of one choice, one switch, or a table file."""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from shlex import quote
from typing import Final

from cli.drawn.cells import Canvas, wrap_words
from cli.drawn.palette import ASCII_GLYPHS, Line, plain_text
from cli.drawn.rule_sheet import Offer, offer_lines
from cli.drawn.sheets import switch_lines
from cli.exits import CommandFailed, ExitCode
from cli.house_rules.choice import SIZES, TableChoice, sheet_offer
from cli.house_rules.facts import all_facts, offer_facts, switch_facts
from cli.house_rules.file import choice_of, is_table_file
from cli.house_rules.template import save_choice
from cli.visible import print_line
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES
from engine.rules.presets import PRESETS

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
    offer = sheet_offer(choice)
    if options.write:
        save_choice(options.write, choice)
        path = options.write
        print_line(f"Written: {path}. Play by it with: boneyard host --rules {quote(path)}")
        return ExitCode.OK
    _print(offer_facts(offer) if options.json else _sheet_lines(offer, choice, _canvas()))
    return ExitCode.OK


def _is_specific(options: argparse.Namespace) -> bool:
    return bool(options.switches or options.write or any(vars(options)[name] for name in SIZES))


def _switch(name: str, options: argparse.Namespace) -> ExitCode:
    if options.write or options.switches:
        text = f"{name} is a switch; name a rule set to change, or none for {STANDARD}."
        raise CommandFailed(ExitCode.USAGE, text)
    facts: dict[str, object] = {"switches": {name: switch_facts(SWITCHES[name])}}
    _print(facts if options.json else switch_lines(name, None, _canvas()))
    return ExitCode.OK


def _canvas() -> Canvas:
    width = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80
    return Canvas(max(40, min(width - 1, _COLUMNS_MAX)), 24, ASCII_GLYPHS)


def _print(what: Sequence[Line] | dict[str, object]) -> None:
    if isinstance(what, dict):
        print(json.dumps(what, ensure_ascii=False, indent=2))
    else:
        for line in what:
            print_line(plain_text(line).rstrip())


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
