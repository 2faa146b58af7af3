"""Choosing what to play before a table is opened: the usual rules, or any choice of a table.

A small machine of its own: a line goes in, what to show and the next state come out. Nothing here
prints or opens anything.

    CHANGE --Enter--> opened        any other --back--> CHANGE --back--> the menu
    CHANGE --list--> RULES --number or name--> CHANGE
    CHANGE --choice--> VALUE --number or word--> CHANGE
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
from cli.render.menu import Menu
from cli.render.palette import Line
from cli.render.rule_sheet import changed_lines, offer_lines
from engine.rules.choose import SWITCHES, value_text

BACK: Final = ("b", "back")
"""Words that go back by one question."""

_DIGITS_MAX: Final = 3
"""No list is longer than a number of so many digits tells."""


class Hosting(Struct, frozen=True):
    """How far the choice has come."""

    choice: TableChoice = TableChoice()
    """The choices so far: at first the usual rules."""
    asks: str | None = None
    """The key of the choice whose value is asked for."""
    lists: bool = False
    """True while a rule set is chosen from the list of all."""


class MenuStep(Struct, frozen=True):
    """The answer to a line: the next state, and what to tell."""

    state: Hosting | None
    """The next state; None goes back to the menu."""
    said: str = ""
    opens: bool = False
    """True if the table is to be opened as it is chosen now."""
    sheet: TableChoice | None = None
    """The choice whose whole sheet was asked for; `said` is told below it."""


# ---- what is shown --------------------------------------------------------------------------


def shown(state: Hosting, canvas: Canvas) -> tuple[Line, ...]:
    """Draw what can be chosen now, but for the list of rule sets."""
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


def rule_sets() -> Menu:
    """Return the list of all rule sets, to choose one from."""
    texts = (f"{name}: {say(sentence)}" for name, sentence in RULES.kind.sentences.items())
    foot = say("Type a number or a name; rules and a name shows its sheet; b goes back.")
    return Menu(say("Rule sets"), tuple(enumerate(texts, 1)), foot)


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
        "Enter opens a table with these rules. Or change them: list shows all rule sets, walnut "
        "takes that one, and rules walnut shows its sheet; set 9, seats 4, rounds 5, tiles 12, "
        "draws hidden, audit keys, or a switch by its name (switches lists them). rules shows this "
        "sheet whole; b goes back."
    )
    return (*changed_lines(sheet_offer(choice), canvas), *canvas.prose(more))


def sheet(choice: TableChoice, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the whole sheet of what is chosen."""
    return offer_lines(sheet_offer(choice), canvas)


# ---- what a line comes to -------------------------------------------------------------------


def answered(state: Hosting, line: str) -> MenuStep:
    """Return what a line comes to in this state.

    An empty line opens the table as it is chosen, or leaves the list as it is. A line that means
    nothing, or cannot be, keeps the state and says why.
    """
    words = line.replace("=", " ").split()
    changes = len(words) > 1 and words[0].lower() == "change"
    if changes:  # as at the table
        words = words[1:]
    first = words[0].lower() if words else ""
    opened = state.asks is not None or state.lists
    if first in BACK or (state.lists and not words):
        return MenuStep(replace(state, asks=None, lists=False) if opened else None)
    named = meant(words[1], RULES.kind.sentences) if len(words) > 1 else None
    if first == RULES.key and named is not None and not changes:
        return MenuStep(state, say("Type {name} to play it.", name=named), sheet=TableChoice(named))
    if state.lists:
        preset = _picked(first, RULES.kind)
        if preset is None:
            text = "Type a number from 1 to {count}, or a name from the list."
            return MenuStep(state, say(text, count=len(RULES.kind.sentences)))
        return _changed(state, [preset])
    return _chosen(state, first, words)


def _chosen(state: Hosting, first: str, words: Sequence[str]) -> MenuStep:
    """Take a line that is for a choice, or for its value if that is asked for."""
    if state.asks is not None:
        word = _picked(first, TABLE[state.asks].kind) or first
        return _changed(state, [state.asks, *filter(None, [word])])
    if not words or first == "open":
        return MenuStep(state, opens=True)
    if first == "list":
        return MenuStep(replace(state, lists=True))
    if first == "switches":
        return MenuStep(state, listed())
    if len(words) > 1 or first not in TABLE:
        preset = meant(first, RULES.kind.sentences)
        return _changed(state, words if preset is None else [preset, *words[1:]])
    if first == RULES.key:
        return MenuStep(state, sheet=state.choice)
    return MenuStep(replace(state, asks=TABLE[first].key))


def _picked(word: str, kind: Kind[Any]) -> str | None:
    """Return the word of a list that is meant by itself, its beginning, or its number.

    None if none or several are meant.
    """
    known = [*kind.sentences]
    if _are_words(kind) and word.isascii() and word.isdigit() and len(word) <= _DIGITS_MAX:
        return known[int(word) - 1] if 1 <= int(word) <= len(known) else None
    return meant(word, known)


def _changed(state: Hosting, words: Sequence[str]) -> MenuStep:
    """Keep a change that goes together with the rest; else say why not and stay."""
    try:
        return MenuStep(Hosting(state.choice.with_typed(words)))
    except CommandFailed as failed:
        return MenuStep(state, failed.sentence)
