"""A choice: its key, what it is about, what it may be, and what holds if nobody says otherwise.

Arguments, files, variables, menus and the lobby read a choice here and nowhere else: so they take
the same words for it, and say the same of what would not do.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Final, Generic, TypeVar

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

    def why_not(self, raw: object, named: str = "") -> str | None:
        """Say why it cannot be this, and what would do; None if it can.

        `named` is what the place calls the choice that the value comes from.
        """
        if self.kind.read(raw) is not None:
            return None
        facts = {"key": named or self.key, "value": shown(raw), "words": self.kind.words}
        if raw is None:
            return say("Type {key} and what it is to be: {words}.", **facts)
        is_word = isinstance(raw, str) and not raw.isdigit()
        near = did_you_mean(str(raw).lower(), self.kind.sentences) if is_word else ""
        if near:
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
    choice: Choice[T], value: T | None = None, usual: T | None = None, whose: str = ""
) -> str:
    """Write a choice as it stands in a file: what it is about, what it can be, its line.

    The line of one without a `value` is a comment with an example. The `usual` value is marked as
    `whose` it is, and is the example of a choice that has none.
    """
    lines = wrap(say(choice.about), 96, initial_indent="# ", subsequent_indent="# ")
    told = [
        f"{word}{f' ({whose})' if whose and word == usual else ''}: {say(sentence)}"
        for word, sentence in choice.kind.sentences.items()
        if sentence
    ]
    for text in told if choice.kind.is_listed else (*told, choice.kind.words):
        lines += wrap(text, 96, initial_indent="#   ", subsequent_indent="#      ")
    example = choice.usual if usual is None else usual
    shown_value = choice.example if value is None and choice.example is not None else value
    line = toml_line(choice.key, choice.kind.toml(example if shown_value is None else shown_value))
    return "\n".join([*lines, line if value is not None else f"# {line}"])
