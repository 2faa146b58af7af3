"""Choosing what to play before a table is opened: a rule set, then any choice of a table.

A small machine of its own: a line goes in, what to show and the next state come out. Nothing here
prints or opens anything.

    RULES --number or name--> CHANGE --choice--> VALUE --number or word--> CHANGE
    CHANGE --Enter--> opened        any --back--> the state before
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from cli.choices.choice import Choice
from cli.choices.kinds import Kind, OneOf, meant
from cli.choices.table import RULES, TABLE, listed
from cli.exits import CommandFailed
from cli.house_rules.choice import TableChoice, rules_of, sheet_offer
from cli.language import say
from cli.render.cells import Canvas, wrap_words
from cli.render.palette import Line, Span
from cli.render.rule_sheet import changed_lines, offer_lines
from engine.rules.choose import SWITCHES, value_text

BACK: Final = ("b", "back")
"""Words that go back by one question."""

_DIGITS_MAX: Final = 3
"""No list is longer than a number of so many digits tells."""


class Hosting(Struct, frozen=True):
    """How far the choice has come."""

    choice: TableChoice | None = None
    """What is chosen so far; None before there is a rule set."""
    asks: str | None = None
    """The key of the choice whose value is asked for."""


class MenuStep(Struct, frozen=True):
    """The answer to a line: the next state, and what to tell."""

    state: Hosting | None
    """The next state; None goes back to the menu."""
    said: str = ""
    opens: bool = False
    """True if the table is to be opened as it is chosen now."""
    sheet: bool = False
    """True if the whole sheet was asked for."""


# ---- what is shown --------------------------------------------------------------------------


def shown(state: Hosting, canvas: Canvas) -> tuple[Line, ...]:
    """Draw what can be chosen now."""
    if state.choice is None:
        return _rule_set_lines(canvas)
    if state.asks is not None:
        return _value_lines(state.choice, TABLE[state.asks], canvas)
    return _choice_lines(state.choice, canvas)


def _rows(rows: Iterable[tuple[str, str]], canvas: Canvas, *, numbered: bool) -> tuple[Line, ...]:
    """Write a row a choice, numbered unless the words are numbers themselves."""
    lines: list[Line] = []
    for number, (word, sentence) in enumerate(rows, 1):
        before = f"{number:>2} " if numbered else "   "
        text = f"{word}: {sentence}" if sentence else word
        lines += wrap_words(f" {before}{text}", canvas.columns, "      ")
    return tuple(lines)


def _are_words(kind: Kind[Any]) -> bool:
    """Whether no number is a value itself, so that numbers can stand for places on a list."""
    return kind.is_listed and not any(word.isdigit() for word in kind.sentences)


def _rule_set_lines(canvas: Canvas) -> tuple[Line, ...]:
    rows = ((name, say(sentence)) for name, sentence in RULES.kind.sentences.items())
    more = say("Which rules? Type a number or a name; Enter takes the first; b goes back.")
    head = (Span(f" {say('Host a table')}"),)
    return (head, *_rows(rows, canvas, numbered=True), *canvas.prose(more))


def _value_lines(choice: TableChoice, asked: Choice[Any], canvas: Canvas) -> tuple[Line, ...]:
    name, kind = asked.key, asked.kind
    now = choice.values.get(name, kind.shown(asked.usual))
    if name in SWITCHES and choice.size(name) is None:
        now = value_text(rules_of(choice), name)
    words = {now: say("{value} (now)", value=now)}
    told = {word: say(text) if text else "" for word, text in kind.sentences.items()}
    rows = ((words.get(word, word), sentence) for word, sentence in told.items())
    about = wrap_words(f" {name}: {say(asked.about)}", canvas.columns, "   ")
    text, numbered = "Type one of them; b leaves it as it is.", _are_words(kind)
    numbers = kind.numbers if isinstance(kind, OneOf) else ()
    if numbers and isinstance(numbers, range):
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
    """Return what a line comes to in this state.

    An empty line takes the first rule set, or opens the table as it is chosen. A line that means
    nothing, or cannot be, keeps the state and says why.
    """
    words = line.replace("=", " ").split()
    if len(words) > 1 and words[0].lower() == "change":  # as at the table
        words = words[1:]
    first = words[0].lower() if words else ""
    if first in BACK:
        before = replace(state, asks=None) if state.asks is not None else Hosting()
        return MenuStep(before if state.choice is not None else None)
    if state.choice is None:
        preset = _picked(first or "1", RULES.kind)
        if preset is None:
            text = "Type a number from 1 to {count}, or a name from the list."
            return MenuStep(state, say(text, count=len(RULES.kind.sentences)))
        return MenuStep(Hosting(TableChoice(preset)))
    return _chosen(state, state.choice, first, words)


def _chosen(state: Hosting, choice: TableChoice, first: str, words: Sequence[str]) -> MenuStep:
    """Take a line once there is a rule set."""
    if state.asks is not None:
        word = _picked(first, TABLE[state.asks].kind) or first
        return _changed(state, choice, [state.asks, *filter(None, [word])])
    if not words or first == "open":
        return MenuStep(state, opens=True)
    if first == "switches":
        return MenuStep(state, listed())
    if len(words) > 1 or first not in TABLE:
        return _changed(state, choice, words)
    if first == RULES.key:
        return MenuStep(state, sheet=True)
    return MenuStep(replace(state, asks=TABLE[first].key))


def _picked(word: str, kind: Kind[Any]) -> str | None:
    """Return the word of a list that is meant by itself, its beginning, or its number.

    None if none or several are meant.
    """
    known = [*kind.sentences]
    if _are_words(kind) and word.isascii() and word.isdigit() and len(word) <= _DIGITS_MAX:
        return known[int(word) - 1] if 1 <= int(word) <= len(known) else None
    return meant(word, known)


def _changed(state: Hosting, choice: TableChoice, words: Sequence[str]) -> MenuStep:
    """Keep a change that goes together with the rest; else say why not and stay."""
    try:
        return MenuStep(Hosting(choice.with_typed(words)))
    except CommandFailed as failed:
        return MenuStep(state, failed.sentence)
