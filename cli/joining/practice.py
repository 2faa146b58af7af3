"""A practice game set up in the menu, where each row steps one setting on to its next value."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cli.input.lexer import Words
from cli.input.phrases import bare_words, denies, in_order, mentioned, only_one, row_said
from cli.language import say
from engine.bots.levels import LEVELS
from engine.rules.choose import RULE_SETS, STANDARD
from engine.rules.presets import PRESETS
from engine.rules.spec import TableSpec, make_spec
from engine.tiles import SET_SIZES

_ALL_ROUNDS: Final = "all"


@dataclass(frozen=True, slots=True)
class Practice:
    """A game against bots as chosen so far, in the words of the command line."""

    level: str = "normal"
    """The level of all bots."""
    bots: str = "3"
    """The number of bots, from 1 to 7."""
    set: str = "12"
    rules: str = STANDARD
    rounds: str = _ALL_ROUNDS

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words of the equivalent `play` command, with a level for each bot."""
        levels = ",".join([self.level] * int(self.bots))
        rounds = () if self.rounds == _ALL_ROUNDS else (f"--rounds={self.rounds}",)
        return ("play", f"--bots={levels}", f"--set={self.set}", f"--rules={self.rules}", *rounds)


_ABOUT: Final = {
    "level": "How well they play: {value}",
    "bots": "Bots: {value}",
    "set": "Set, by its highest double: {value}",
    "rules": "Rules: {value}",
    "rounds": "Rounds: {value}",
}
_VALUES: Final[dict[str, Sequence[str]]] = {
    "level": tuple(LEVELS),
    "bots": tuple("1234567"),
    "set": tuple(map(str, SET_SIZES)),
    "rules": tuple(PRESETS),
    "rounds": (_ALL_ROUNDS, "1", "3", "5"),
}
VALUE_ROWS: Final = range(2, 2 + len(_VALUES))
"""The numbers of the rows that change a value."""


def practice_rows(chosen: Practice) -> tuple[tuple[int, str], ...]:
    """Return the rows of the menu with numbers from 1: play, each present value, back."""
    words = {_ALL_ROUNDS: say("all")}
    values = {name: getattr(chosen, name) for name in _VALUES}
    rows = (say(_ABOUT[name], value=words.get(word, word)) for name, word in values.items())
    return tuple(enumerate((say("Play"), *rows, say("Back")), 1))


def changed(chosen: Practice, word: str) -> Practice | None:
    """Return the game with one value changed as the line `word` says; None for any other line.

    The line is a row's number, a setting and its value, or only a level or a rule set. A number
    changes its row to the next value that makes a possible table, wrapping round at the end; with a
    minus before it, to the previous one. If there is no such value, the game is returned unchanged.
    A value that is named is set even if no table can have it.
    """
    names = dict(zip(map(str, VALUE_ROWS), _VALUES, strict=True))
    words = bare_words(word.replace("=", " "))
    name, _, value = " ".join(in_order(words) or words).partition(" ")
    if name in _VALUES and value in _VALUES[name]:
        return replace(chosen, **{name: value})
    number = word.removeprefix("-")
    if number not in names:
        number = str(row_said(words, VALUE_ROWS[-1]))
    if number not in names:
        return _with_word(chosen, words)
    name = names[number]
    values = _VALUES[name] if not word.startswith("-") else _VALUES[name][::-1]
    at = values.index(getattr(chosen, name)) + 1
    following = (replace(chosen, **{name: each}) for each in (*values[at:], *values[:at]))
    return next(filter(_can_be, following), chosen)


def _with_word(chosen: Practice, words: Words) -> Practice | None:
    """Return the game with the only level or rule set that a line names: `hard bots, please`.

    None if the line names none or several, or denies it.
    """
    named = {word: name for name in ("level", "rules") for word in _VALUES[name]}
    word = only_one(mentioned(words, named))
    return None if word is None or denies(words) else replace(chosen, **{named[word]: word})


def _can_be(practice: Practice) -> bool:
    """Return True if the rules chosen allow a table with this set, these seats and these rounds."""
    rounds = None if practice.rounds == _ALL_ROUNDS else int(practice.rounds)
    seats, rules = int(practice.bots) + 1, RULE_SETS[practice.rules]
    return isinstance(make_spec(rules, int(practice.set), seats, rounds), TableSpec)
