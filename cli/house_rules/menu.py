"""The menu that sets up a table before it opens: the usual rules, or any choices.

A small state machine: a line goes in; what to show and the next state come out. Nothing here prints
or opens anything.

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
from cli.input.lexer import heard, plain, without_courtesies
from cli.input.phrases import (
    asks,
    bare_words,
    denies,
    goes_back,
    in_order,
    mentioned,
    only_number,
    only_one,
    row_said,
)
from cli.language import means_yes, say
from cli.render.cells import Canvas, wrap_words
from cli.render.menu import Menu
from cli.render.palette import Line
from cli.render.rule_sheet import changed_lines, offer_lines
from cli.session.verbs.leaving import LEAVING
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, value_text

BACK: Final = ("b", "back")
"""Words that go back one question."""

_DIFFER: Final = frozenset({"difference", "differences", "differ", "diferencia", "diferencias"})
_SHORT: Final = {
    name.partition("-")[0]: name for name in RULES.kind.sentences if name[-1:].isdigit()
}
"""Rule sets by the name of their publisher, without the year."""

_HOW: Final = "Type one of them to see its values."

_DIGITS_MAX: Final = 3
"""No list needs a number of more digits."""


class Hosting(Struct, frozen=True):
    """The state of the menu."""

    choice: TableChoice = TableChoice()
    """The choice so far: at first the usual rules."""
    asks: str | None = None
    """The key of the choice whose value the menu is asking for."""
    lists: bool = False
    """True while the menu lists all rule sets."""


class MenuStep(Struct, frozen=True):
    """The answer to a line: the next state, and what to show."""

    state: Hosting | None
    """The next state; None leaves this menu."""
    said: str = ""
    opens: bool = False
    """True if the table is to be opened with the present choice."""
    is_wrong: bool = False
    """True if the line is not a command that can be obeyed here; `said` says why."""
    sheet: TableChoice | None = None
    """The choice whose whole sheet was asked for; `said` is shown below it."""


# ---- what is shown --------------------------------------------------------------------------


def shown(state: Hosting, canvas: Canvas) -> tuple[Line, ...]:
    """Draw what can be chosen now, except the list of rule sets."""
    if state.asks is not None:
        return _value_lines(state.choice, TABLE[state.asks], canvas)
    return _choice_lines(state.choice, canvas)


def _rows(rows: Iterable[tuple[str, str]], canvas: Canvas, *, numbered: bool) -> tuple[Line, ...]:
    """Draw one row per choice: its number, if they are `numbered`, its word and its sentence."""
    lines: list[Line] = []
    for number, (word, sentence) in enumerate(rows, 1):
        before = f"{number:>2} " if numbered else "   "
        text = f"{word}: {sentence}" if sentence else word
        lines += wrap_words(f" {before}{text}", canvas.columns, "      ")
    return tuple(lines)


def _are_words(kind: Kind[Any]) -> bool:
    """Return True if the values are listed and none is a number.

    A typed number then selects a row of the list.
    """
    return kind.is_listed and not any(word.isdigit() for word in kind.sentences)


def rule_sets() -> Menu:
    """Return a menu of all rule sets."""
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
    """Draw the whole sheet of a choice."""
    return offer_lines(sheet_offer(choice), canvas)


# ---- commands -------------------------------------------------------------------------------


def answered(state: Hosting, line: str) -> MenuStep:
    """Return the step that a line leads to from this state.

    An empty line goes back from the list of rule sets, or opens the table as chosen, unless the
    menu asks for a value. A line that is not a command here is tried as a sentence. If it means
    nothing, or asks for something impossible, the state stays the same and the step says why.
    """
    words = [heard(word) for word in plain(line).replace("=", " ").split()]
    words = [*without_courtesies(words[:1]), *without_courtesies(words[1:])]
    typed = _typed(state, words)
    if typed.is_wrong and state.lists and words:
        whole = _typed(replace(state, lists=False), words)
        typed = typed if whole.is_wrong else whole
    return (_said(state, line) if typed.is_wrong else None) or typed


def _typed(state: Hosting, words: Sequence[str]) -> MenuStep:
    """Return the step for a line read as a command."""
    changes = len(words) > 1 and words[0].lower() == "change"
    if changes:  # the word is optional here, but needed at a table
        words = words[1:]
    first = words[0].lower() if words else ""
    if goes_back(words) or first in LEAVING or (state.lists and not words):
        return _back(state)
    named = meant(words[1], RULES.kind.sentences) if len(words) > 1 else None
    if first == RULES.key and named is not None and not changes:
        return MenuStep(state, say("Type {name} to play it.", name=named), sheet=TableChoice(named))
    if state.lists:
        preset = _picked(first, RULES.kind) if len(words) == 1 else None
        if preset is None:
            text = "Type a number from 1 to {count}, or a name from the list."
            said = say(text, count=len(RULES.kind.sentences))
            return MenuStep(state, said, is_wrong=True)
        return _changed(state, [preset])
    return _chosen(state, first, words)


def _back(state: Hosting) -> MenuStep:
    opened = state.asks is not None or state.lists
    return MenuStep(replace(state, asks=None, lists=False) if opened else None)


def _chosen(state: Hosting, first: str, words: Sequence[str]) -> MenuStep:
    """Return the step for a value if the menu is asking for one, else for a command."""
    if state.asks is not None:
        word = _picked(first, TABLE[state.asks].kind) or first
        return _changed(state, [state.asks, *filter(None, [word])])
    if not words or (first in _OPENING and len(words) == 1):
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
    """Return the word on a list that `word` means, by its text, its beginning or its number.

    None if none or several are meant.
    """
    known = [*kind.sentences]
    if _are_words(kind) and word.isascii() and word.isdigit() and len(word) <= _DIGITS_MAX:
        return known[int(word) - 1] if 1 <= int(word) <= len(known) else None
    return meant(word, known)


def _changed(state: Hosting, words: Sequence[str]) -> MenuStep:
    """Return the step after a change.

    If the change is refused, the state stays the same and the step says why.
    """
    try:
        return MenuStep(Hosting(state.choice.with_typed(words)))
    except CommandFailed as failed:
        return MenuStep(state, failed.sentence, is_wrong=True)


# ---- sentences -------------------------------------------------------------------------------

_OPENING: Final = ("open", "start", "begin", "go", "abrir", "empezar")
_AGREEING: Final = ("good", "fine", "great", "perfect", "perfecto", "bien", "do it")
_USUAL: Final = ("usual", "normal", "default", "regular", "de siempre", "normales", "habituales")
_OWN: Final = (
    *("house rules", "own rules", "our rules", "my rules", "custom", "change the rules"),
    *("reglas de casa", "reglas propias", "cambiar las reglas"),
)
_SHEETS: Final = (
    *("list", "rule sets", "sets", "rulesets", "presets", "others", "other rules"),
    *("something else", "lista", "reglamentos", "otras"),
)


def _said(state: Hosting, line: str) -> MenuStep | None:
    """Return the step for a sentence, by the words it mentions; None if it means nothing here."""
    words = bare_words(line)
    presets = mentioned(words, {**RULES.kind.sentences, **_SHORT})
    named = [_SHORT.get(each, each) for each in presets]
    if _DIFFER.intersection(words):
        return _difference(state, named)
    if denies(words):
        return None
    if not named and mentioned(words, _USUAL):
        named = [STANDARD]
    if asks(line):
        return _told(state, words, named)
    if state.asks is not None and (value := _value_said(TABLE[state.asks].kind, words)):
        return _changed(state, [state.asks, value])
    size = in_order([word for word in words if not mentioned([word], presets)]) or ()
    row = row_said(words, len(RULES.kind.sentences))
    if state.lists and row is not None and not size:
        named = [[*RULES.kind.sentences][row - 1]]
    if len(named) == 1 or (size and not named):
        return _changed(state, [*named, *size])
    if mentioned(words, _OWN):
        return MenuStep(replace(state, lists=False), f"{listed()} {say(_HOW)}")
    if mentioned(words, _SHEETS):
        return MenuStep(replace(state, lists=True))
    opens = means_yes(" ".join(words)) or mentioned(words, _OPENING + _AGREEING)
    return MenuStep(state, opens=True) if opens and not state.lists and not state.asks else None


def _told(state: Hosting, words: Sequence[str], named: Sequence[str]) -> MenuStep | None:
    """Return the step that answers a question about a rule set or a choice of a table.

    Any other question shows the values again if the menu is asking for one. If it is not, a
    question about what can be chosen lists the rule sets, and the result is None for all others.
    """
    if len(named) == 1:
        text = say("Type {name} to play it.", name=named[0])
        return MenuStep(state, text, sheet=TableChoice(named[0]))
    keys = [key for key in mentioned(words, TABLE) if key != RULES.key]
    if keys:
        return MenuStep(replace(state, asks=TABLE[keys[0]].key, lists=False))
    if state.asks is not None:
        return MenuStep(state)
    is_choice = mentioned(words, (*_SHEETS, "rules", "one", "ones", "options", "reglas", "cual"))
    return MenuStep(replace(state, lists=True)) if is_choice else None


def _difference(state: Hosting, named: Sequence[str]) -> MenuStep:
    """Return a step that says which switches differ between two rule sets.

    If only one is named, it is compared with the chosen one. If none is, the step lists all rule
    sets, each with a sentence.
    """
    if not named:
        text = "Type rules and a name for all of its rules, or: difference walnut standard"
        return MenuStep(replace(state, lists=True, asks=None), say(text))
    one, other = (*named, state.choice.preset)[:2]
    rules = [{key: value_text(RULE_SETS[name], key) for key in SWITCHES} for name in (one, other)]
    switches = [f"{key} ({rules[0][key]}, {rules[1][key]})" for key in SWITCHES
                if rules[0][key] != rules[1][key]]  # fmt: skip
    text = "{one} and {other} differ in: {switches}." if switches else "They are the same rules."
    return MenuStep(state, say(text, one=one, other=other, switches=", ".join(switches)))


def _value_said(kind: Kind[Any], words: Sequence[str]) -> str | None:
    """Return the one value that a sentence means, by its word, its row or its number.

    None if it means none, or several.
    """
    value = only_one(mentioned(words, kind.sentences))
    if value is None and _are_words(kind):
        row = row_said(words, len(kind.sentences))
        return None if row is None else [*kind.sentences][row - 1]
    return value or only_number(words)
