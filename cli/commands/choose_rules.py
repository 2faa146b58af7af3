"""Choosing what to play before a table is opened: a preset, then any switch, set, seats, rounds.

A small machine of its own: a line goes in, what to show and the next state come out. Nothing here
prints or opens anything.

    PRESET --number or name--> CHANGE --switch--> VALUE --number or word--> CHANGE
    CHANGE --Enter--> opened        any --back--> the state before
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from cli.commands.arguments import (
    DEAL_MAX,
    OPTION_CHOICES,
    ROUNDS_MAX,
    SEATS_MAX,
    SEATS_MIN,
    SET_CHOICES,
)
from cli.commands.offer import rules_of, settings_for
from cli.commands.table_file import TableChoice
from cli.drawn.cells import Canvas, wrap_words
from cli.drawn.palette import Line, Span
from cli.drawn.rule_sheet import Offer, changed_lines, offer_from, offer_lines, value_text
from cli.exits import CommandFailed
from cli.said.rules import VALUES
from engine.rules.choose import SWITCHES
from engine.rules.presets import PRESETS

_BACK: Final = ("b", "back")
_NUMBERS: Final = {
    "seats": (SEATS_MIN, SEATS_MAX),
    "rounds": (1, ROUNDS_MAX),
    "tiles": (1, DEAL_MAX),
}
_FIELDS: Final = {"set": "pip_max", "seats": "seats", "rounds": "rounds", "tiles": "hand"}


@dataclass(frozen=True, slots=True)
class Hosting:
    """How far the choice has come: no preset yet, or one and perhaps a switch being set."""

    choice: TableChoice | None = None
    switch: str | None = None


@dataclass(frozen=True, slots=True)
class MenuStep:
    """What a line came to: the next state (None: back to the menu), and what to tell."""

    state: Hosting | None
    said: str = ""
    opens: bool = False
    """Whether the table is to be opened as it is chosen now."""
    sheet: bool = False
    """Whether the whole sheet was asked for."""


# ---- what is shown --------------------------------------------------------------------------


def shown(state: Hosting, canvas: Canvas) -> tuple[Line, ...]:
    """Draw what can be chosen now."""
    if state.choice is None:
        return _preset_lines(canvas)
    if state.switch is not None:
        return _value_lines(state.choice, state.switch, canvas)
    return _choice_lines(state.choice, canvas)


def _rows(rows: tuple[tuple[str, str], ...], canvas: Canvas, *, numbers: bool) -> tuple[Line, ...]:
    """Write a row a choice, numbered unless the words are numbers themselves."""
    lines: list[Line] = []
    for number, (word, sentence) in enumerate(rows, 1):
        before = f"{number:>2} " if numbers else "   "
        lines += wrap_words(f" {before}{word}: {sentence}", canvas.columns, "      ")
    return tuple(lines)


def _are_words(switch: str) -> bool:
    return not any(value.isdigit() for value in SWITCHES[switch].values)


def _preset_lines(canvas: Canvas) -> tuple[Line, ...]:
    rows = tuple((name, told.sentence) for name, told in PRESETS.items())
    more = " Which rules? Type a number or a name; Enter takes the first; b goes back."
    head = (Span(" Host a table"),)
    return (head, *_rows(rows, canvas, numbers=True), *wrap_words(more, canvas.columns, " "))


def _value_lines(choice: TableChoice, switch: str, canvas: Canvas) -> tuple[Line, ...]:
    now = value_text(rules_of(choice), switch)
    rows = tuple(
        (f"{value}{' (now)' if value == now else ''}", VALUES[switch][value].sentence)
        for value in SWITCHES[switch].values
    )
    about = wrap_words(f" {switch}: {SWITCHES[switch].sentence}", canvas.columns, "   ")
    numbers = _are_words(switch)
    which = "a number of the list, or a word" if numbers else "one of them"
    more = f" Type {which}; b leaves it as it is."
    return (*about, *_rows(rows, canvas, numbers=numbers), *wrap_words(more, canvas.columns, " "))


def _offer(choice: TableChoice) -> Offer:
    names = [name for name, _ in choice.switches]
    sizes = (choice.pip_max, choice.seats, choice.rounds, choice.hand)
    return offer_from(choice.preset, rules_of(choice), names, *sizes, choice.options)


def _choice_lines(choice: TableChoice, canvas: Canvas) -> tuple[Line, ...]:
    more = (
        " Enter opens the table. Or change it: a switch by its name (switches lists them), set 9, "
        "seats 4, rounds 5, tiles 12, draws hidden, audit keys; rules shows the whole sheet; b "
        "goes back."
    )
    return (*changed_lines(_offer(choice), canvas), *wrap_words(more, canvas.columns, " "))


def sheet(choice: TableChoice, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the whole sheet of what is chosen."""
    return offer_lines(_offer(choice), canvas)


# ---- what a line comes to -------------------------------------------------------------------


def answered(state: Hosting, line: str) -> MenuStep:
    """Take one line."""
    words = line.lower().replace("=", " ").split()
    if words and words[0] in _BACK:
        return _back(state)
    if state.choice is None:
        return _preset(state, words)
    if state.switch is not None:
        return _valued(state, state.choice, state.switch, words)
    return _changed(state, state.choice, words)


def _back(state: Hosting) -> MenuStep:
    if state.choice is None:
        return MenuStep(None)
    return MenuStep(replace(state, switch=None) if state.switch is not None else Hosting())


def _picked(words: list[str], known: tuple[str, ...], *, numbers: bool = True) -> str | None:
    """Return the one of `known` that is meant by its word, its number, or its only start."""
    word = words[0] if words else "1"
    if word in known:
        return word
    if numbers and word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= len(known):
        return known[int(word) - 1]
    starts = [each for each in known if each.startswith(word)]
    return starts[0] if len(starts) == 1 else None


def _preset(state: Hosting, words: list[str]) -> MenuStep:
    preset = _picked(words, tuple(PRESETS))
    if preset is None:
        return MenuStep(state, f"There are the numbers 1 to {len(PRESETS)}, or a name of the list.")
    return MenuStep(Hosting(TableChoice(preset)))


def _valued(state: Hosting, choice: TableChoice, switch: str, words: list[str]) -> MenuStep:
    values = SWITCHES[switch].values
    value = _picked(words, values, numbers=_are_words(switch)) if words else None
    if value is None:
        return MenuStep(state, f"It can be: {', '.join(values)}.")
    switches = tuple({**dict(choice.switches), switch: value}.items())
    return _checked(state, replace(choice, switches=switches))


def _checked(state: Hosting, choice: TableChoice) -> MenuStep:
    """Keep a change that goes together with the rest; else say why not and stay."""
    try:
        settings_for(choice)
    except CommandFailed as failed:
        return MenuStep(replace(state, switch=None), failed.sentence)
    return MenuStep(Hosting(choice))


def _changed(state: Hosting, choice: TableChoice, words: list[str]) -> MenuStep:
    if not words or words[0] == "open":
        return MenuStep(state, opens=True)
    word = words[0]
    if word == "rules":
        return MenuStep(state, sheet=True)
    if word == "switches":
        return MenuStep(state, f"The switches: {', '.join(SWITCHES)}.")
    if word in _FIELDS:
        return _sized(state, choice, word, words[1:])
    if word in OPTION_CHOICES:
        return _option(state, choice, word, words[1:])
    if word in SWITCHES:
        if len(words) == 1:
            return MenuStep(replace(state, switch=word))
        return _valued(replace(state, switch=word), choice, word, words[1:])
    near = get_close_matches(
        word, (*SWITCHES, *_FIELDS, *OPTION_CHOICES, "rules", "switches", "open"), 1
    )
    hint = f"did you mean {near[0]}?" if near else "switches lists what can be changed."
    return MenuStep(state, f"There is no {word} to change; {hint}")


def _option(state: Hosting, choice: TableChoice, name: str, words: list[str]) -> MenuStep:
    known = OPTION_CHOICES[name]
    value = _picked(words, known) if words else None
    if value is None:
        return MenuStep(state, f"It can be {name} {f' or {name} '.join(known)}.")
    options = tuple({**dict(choice.options), name: value}.items())
    return MenuStep(Hosting(replace(choice, options=options)))


def _sized(state: Hosting, choice: TableChoice, word: str, words: list[str]) -> MenuStep:
    text = words[0] if words else ""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1
    if word == "set":
        if number not in SET_CHOICES:
            return MenuStep(state, f"A set is one of {', '.join(map(str, SET_CHOICES))}: set 9.")
    else:
        least, most = _NUMBERS[word]
        if not least <= number <= most:
            return MenuStep(state, f"Type {word} and a number from {least} to {most}.")
    return _checked(state, _with_size(choice, word, number))


def _with_size(choice: TableChoice, word: str, number: int) -> TableChoice:
    match _FIELDS[word]:
        case "pip_max":
            return replace(choice, pip_max=number)
        case "seats":
            return replace(choice, seats=number)
        case "rounds":
            return replace(choice, rounds=number)
        case _:
            return replace(choice, hand=number)


def arguments_of(choice: TableChoice) -> list[str]:
    """Write a choice as the command line that would have made it."""
    words = ["host", "--rules", choice.preset]
    for name, value in choice.switches:
        words += ["--with", f"{name}={value}"]
    sizes = (
        ("--set", choice.pip_max),
        ("--seats", choice.seats),
        ("--rounds", choice.rounds),
        ("--deal", choice.hand),
    )
    for name, value in choice.options:
        words += [f"--{name}", value]
    words += [] if choice.first is None else ["--first-player", choice.first]
    for option, number in sizes:
        words += [] if number is None else [option, str(number)]
    return words
