"""Choosing what to play before a table is opened: a preset, then any switch, set, seats, rounds.

A small machine of its own: a line goes in, what to show and the next state come out. Nothing here
prints or opens anything.

    PRESET --number or name--> CHANGE --switch--> VALUE --number or word--> CHANGE
    CHANGE --Enter--> opened        any --back--> the state before
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cli.drawn.cells import Canvas, wrap_words
from cli.drawn.palette import Line, Span
from cli.drawn.rule_sheet import changed_lines, offer_lines
from cli.exits import CommandFailed
from cli.guess import did_you_mean
from cli.house_rules.choice import SIZES, TableChoice, rules_of, settings_for, sheet_offer
from cli.language import say
from engine.rules.choose import SWITCHES, value_text
from engine.rules.presets import PRESETS
from netgame.protocol.fold.options import OPTIONS

BACK: Final = ("b", "back")
"""What goes back by one question."""

_SIZES: Final = {"set": "set", "seats": "seats", "rounds": "rounds", "tiles": "deal"}
"""What is typed for each size; `deal` is the switch that names a deal table."""

_USUAL: Final = "none"
"""What stands for no size of one's own: the usual one holds then."""

_WORDS: Final = (*SWITCHES, *_SIZES, *OPTIONS, "rules", "switches", "open")


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


def _rows(rows: Iterable[tuple[str, str]], canvas: Canvas, *, numbered: bool) -> tuple[Line, ...]:
    """Write a row a choice, numbered unless the words are numbers themselves."""
    lines: list[Line] = []
    for number, (word, sentence) in enumerate(rows, 1):
        before = f"{number:>2} " if numbered else "   "
        lines += wrap_words(f" {before}{word}: {sentence}", canvas.columns, "      ")
    return tuple(lines)


def _are_words(switch: str) -> bool:
    """Whether no number is a value itself, so that numbers can stand for places on a list."""
    values = SWITCHES[switch]
    return not (values.numbers or any(value.isdigit() for value in values.words()))


def _preset_lines(canvas: Canvas) -> tuple[Line, ...]:
    rows = ((name, say(told.sentence)) for name, told in PRESETS.items())
    more = say("Which rules? Type a number or a name; Enter takes the first; b goes back.")
    head = (Span(f" {say('Host a table')}"),)
    return (head, *_rows(rows, canvas, numbered=True), *canvas.prose(more))


def _value_lines(choice: TableChoice, name: str, canvas: Canvas) -> tuple[Line, ...]:
    switch, now = SWITCHES[name], value_text(rules_of(choice), name)
    words = {now: say("{value} (now)", value=now)}
    rows = ((words.get(each.value, each.value), say(each.sentence)) for each in switch)
    about = wrap_words(f" {name}: {say(switch.decides)}", canvas.columns, "   ")
    numbered = _are_words(name)
    text, numbers = "Type one of them; b leaves it as it is.", switch.numbers
    if numbers:
        text = "Type a word, or a number from {least} to {most}; b leaves it as it is."
    elif numbered:
        text = "Type a number from the list, or a word; b leaves it as it is."
    more = say(text, least=min(numbers, default=0), most=max(numbers, default=0))
    return (*about, *_rows(rows, canvas, numbered=numbered), *canvas.prose(more))


def _choice_lines(choice: TableChoice, canvas: Canvas) -> tuple[Line, ...]:
    more = say(
        "Enter opens the table. Or change it: a switch by its name (switches lists them), set 9, "
        "seats 4, rounds 5, tiles 12, draws hidden, audit keys; rules shows the whole sheet; b "
        "goes back."
    )
    return (*changed_lines(sheet_offer(choice), canvas), *canvas.prose(more))


def sheet(choice: TableChoice, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the whole sheet of what is chosen."""
    return offer_lines(sheet_offer(choice), canvas)


# ---- what a line comes to -------------------------------------------------------------------


def answered(state: Hosting, line: str) -> MenuStep:
    """Take one line."""
    words = line.lower().replace("=", " ").split()
    if len(words) > 1 and words[0] == "change":  # as at the table
        words = words[1:]
    if words and words[0] in BACK:
        before = replace(state, switch=None) if state.switch is not None else Hosting()
        return MenuStep(before if state.choice is not None else None)
    if state.choice is None:
        return _preset(state, words)
    if state.switch is not None:
        return _valued(state, state.choice, state.switch, words)
    return _all_changed(state, state.choice, words)


def _picked(words: list[str], known: Sequence[str], *, numbered: bool = True) -> str | None:
    """Return the one of `known` that is meant by its word, its number, or its only start."""
    word = words[0] if words else "1"
    if word in known:
        return word
    if numbered and (number := _number(word)) is not None and 1 <= number <= len(known):
        return known[number - 1]
    starts = [each for each in known if each.startswith(word)]
    return starts[0] if len(starts) == 1 else None


def _number(word: str) -> int | None:
    """Read a whole number of at most three digits."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 3 else None


def _preset(state: Hosting, words: list[str]) -> MenuStep:
    preset = _picked(words, tuple(PRESETS))
    if preset is None:
        text = "Type a number from 1 to {count}, or a name from the list."
        return MenuStep(state, say(text, count=len(PRESETS)))
    return MenuStep(Hosting(TableChoice(preset)))


def _valued(state: Hosting, choice: TableChoice, switch: str, words: list[str]) -> MenuStep:
    values = SWITCHES[switch]
    value: str | None = values.spelled(words[0]) if words else ""
    if value and values.number(value) is None:
        value = _picked([value], values.words(), numbered=_are_words(switch))
    if not value:
        return MenuStep(state, _can_be(values.words(), values.numbers))
    # of `tiles 10` and `deal 12`, or a deal table, the last one counts
    sizes = {name: size for name, size in choice.sizes.items() if name != switch}
    switches = {**choice.switches, switch: value}
    return _checked(state, replace(choice, switches=switches, sizes=sizes))


def _can_be(words: Iterable[str], numbers: range = range(0)) -> str:
    text = "It can be: {words}."
    if numbers:
        text = "It can be: {words} or a number from {least} to {most}."
    least, most = min(numbers, default=0), max(numbers, default=0)
    return say(text, words=", ".join(words), least=least, most=most)


def _checked(state: Hosting, choice: TableChoice) -> MenuStep:
    """Keep a change that goes together with the rest; else say why not and stay."""
    try:
        settings_for(choice)
    except CommandFailed as failed:
        return MenuStep(replace(state, switch=None), failed.sentence)
    return MenuStep(Hosting(choice))


def _all_changed(state: Hosting, choice: TableChoice, words: list[str]) -> MenuStep:
    """Take `set 9 rounds 3`: each name with its value, up to one that cannot be."""
    named = bool(words) and words[0] in (*SWITCHES, *_SIZES, *OPTIONS)
    step = _changed(state, choice, words[:2] if named else words)
    changed = None if step.said or step.state is None else step.state.choice
    if not named or changed is None or len(words) < 3:
        return step
    return _all_changed(Hosting(changed), changed, words[2:])


def _changed(state: Hosting, choice: TableChoice, words: list[str]) -> MenuStep:
    match words:
        case [] | ["open", *_]:
            return MenuStep(state, opens=True)
        case ["rules", *_]:
            return MenuStep(state, sheet=True)
        case ["switches", *_]:
            text = "The switches: {words}. Beside the rules: {others}."
            others = ", ".join((*_SIZES, *OPTIONS))
            return MenuStep(state, say(text, words=", ".join(SWITCHES), others=others))
        case [size, *rest] if size in _SIZES:
            return _sized(state, choice, size, rest)
        case [option, *rest] if option in OPTIONS:
            return _option(state, choice, option, rest)
        case [switch] if switch in SWITCHES:
            return MenuStep(replace(state, switch=switch))
        case [switch, *rest] if switch in SWITCHES:
            return _valued(replace(state, switch=switch), choice, switch, rest)
    hint = did_you_mean(words[0], _WORDS) or say("change switches lists what can be changed.")
    return MenuStep(state, say("There is no {word} to change; {hint}", word=words[0], hint=hint))


def _option(state: Hosting, choice: TableChoice, name: str, words: list[str]) -> MenuStep:
    known = [each.value for each in OPTIONS[name]]
    value = _picked(words, known) if words else None
    if value is None:
        return MenuStep(state, _can_be(known))
    return MenuStep(Hosting(replace(choice, options={**choice.options, name: value})))


def _sized(state: Hosting, choice: TableChoice, word: str, words: list[str]) -> MenuStep:
    number = _number(words[0]) if words else None
    size = SIZES[_SIZES[word]]
    others = {name: value for name, value in choice.sizes.items() if name != _SIZES[word]}
    if words[:1] == [_USUAL]:
        return _checked(state, replace(choice, sizes=others))
    if number is None or number not in size.values:
        text = "Type {name} and {numbers}, such as {name} {example}, or {name} none for the usual."
        facts = {"name": word, "numbers": size.words, "example": size.example}
        return MenuStep(state, say(text, **facts))
    return _checked(state, replace(choice, sizes={**others, _SIZES[word]: number}))
