"""A choice: its key, what it is about, what it may be, and what holds if nobody says otherwise.

Arguments, files, variables, menus and the lobby read a choice here and nowhere else: so they take
the same words for it, and say the same of what would not do.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, Final, Generic, TypeVar

import tomli_w

from cli.choices.kinds import Kind, Toml
from cli.files import shown
from cli.guess import did_you_mean
from cli.language import say

T = TypeVar("T")

_LISTED_MAX: Final = 20
"""Where there are more keys than that, the hint names a place that lists them."""


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    """One choice. `example` stands in a file where the `usual` value is nothing to show."""

    key: str
    about: str
    kind: Kind[T]
    usual: T
    example: T | None = None

    def spelled(self, raw: object) -> str | None:
        """Return the one word for what is meant, or None for what means nothing."""
        value = self.kind.read(raw)
        return None if value is None else self.kind.shown(value)

    def why_not(self, raw: object, named: str = "") -> str:
        """Say what would do in place of what cannot be; `named` is what the place calls it."""
        return why_not(self.kind, named or self.key, raw)


def why_not(kind: Kind[T], key: str, raw: object) -> str:
    """Say that something cannot be this, what would do, and what was perhaps meant."""
    facts = {"key": key, "value": shown(raw), "words": kind.words}
    if raw is None:
        return say("Type {key} and what it is to be: {words}.", **facts)
    is_word = isinstance(raw, str) and not raw.isdigit()
    if is_word and (near := did_you_mean(str(raw).lower(), kind.sentences)):
        return say("{key} cannot be {value}; {hint}", hint=near, **facts)
    return say("{key} is {words}, not {value}.", **facts)


def find(known: Mapping[str, Choice[T]], word: str, hint: str = "") -> Choice[T] | str:
    """Return the choice of this key, in any case; or say that there is none, with a hint."""
    found = known.get(word.lower())
    if found is not None:
        return found
    if not hint and len(known) <= _LISTED_MAX:
        hint = say("there are: {words}.", words=", ".join(known))
    hint = did_you_mean(word.lower(), known) or hint or say("see: boneyard rules.")
    return say("There is no setting {key}; {hint}", key=shown(word), hint=hint)


def toml_line(key: str, value: Toml) -> str:
    """Write a key and its value as a line of TOML."""
    return tomli_w.dumps({key: value}).rstrip("\n")


def explained(
    choice: Choice[Any], word: str | None = None, usual: str | None = None, whose: str = ""
) -> str:
    """Write a choice as it stands in a file: what it is about, what it can be, its line.

    The line of one without a `word` is a comment with an example. The `usual` word is marked as
    `whose` it is, and is the example of a choice that has none.
    """
    lines = wrap(say(choice.about), 96, initial_indent="# ", subsequent_indent="# ")
    told = [
        f"{each}{f' ({whose})' if whose and each == usual else ''}: {say(sentence)}"
        for each, sentence in choice.kind.sentences.items()
        if sentence
    ]
    for text in told if choice.kind.is_listed else (*told, choice.kind.words):
        lines += wrap(text, 96, initial_indent="#   ", subsequent_indent="#      ")
    value = choice.kind.read(usual if word is None else word)
    if word is None and choice.example is not None:
        value = choice.example
    line = toml_line(choice.key, choice.kind.toml(choice.usual if value is None else value))
    return "\n".join([*lines, line if word is not None else f"# {line}"])
