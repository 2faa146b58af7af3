"""A choice: its key, its subject, its possible values, and its default.

Arguments, files, variables, menus and the lobby all read a choice through this module, so they take
the same words, and refuse one with the same sentence.
"""

import re
from collections.abc import Mapping
from textwrap import wrap
from typing import Any, Final, Generic, TypeVar

import tomli_w
from msgspec import Struct

from cli.choices.kinds import Kind, Toml
from cli.exits import CommandFailed, ExitCode
from cli.files import shown
from cli.guess import did_you_mean
from cli.language import say
from cli.program import typed_in_shell

T = TypeVar("T")

_LISTED_MAX: Final = 20
"""With more keys than this, the hint names a command that lists them."""


class Choice(Struct, Generic[T], frozen=True):
    """Something that a person can choose, such as the set or a rule."""

    key: str
    about: str
    """Its subject, in English."""
    kind: Kind[T]
    """The kind of its values."""
    usual: T
    """The value used if nobody chooses."""
    example: T | None = None
    """The value to show in a file if the usual one would make a poor example."""

    def value(self, raw: object, named: str = "") -> T:
        """Return the value that `raw` means; raises `CommandFailed` saying what is accepted.

        The complaint calls the choice by its key, or by `named` if that is given.
        """
        return read_value(self.kind, named or self.key, raw)

    def word(self, raw: object, named: str = "") -> str:
        """Return the one proper word for `raw`; raises `CommandFailed` as `value` does."""
        return self.kind.shown(self.value(raw, named))

    def spelled(self, raw: object) -> str | None:
        """Return the one proper word for `raw`, or None if it means no value."""
        value = self.kind.read(raw)
        return None if value is None else self.kind.shown(value)

    def why_not(self, raw: object) -> str:
        """Return a sentence saying why `raw` is refused, without checking that it is."""
        return _why_not(self.kind, self.key, raw)


def read_value(kind: Kind[T], key: str, raw: object) -> T:
    """Return the value that `raw` means; raises `CommandFailed` saying what is wrong.

    The complaint calls the value by its `key`.
    """
    if (value := kind.read(raw)) is None:
        raise CommandFailed(ExitCode.USAGE, _why_not(kind, key, raw))
    return value


def _why_not(kind: Kind[T], key: str, raw: object) -> str:
    """Return a sentence saying why `raw` is refused, and what is accepted or was perhaps meant.

    For None it asks for a value.
    """
    facts = {"key": key, "value": shown(raw), "words": kind.words}
    if raw is None:
        return say("Type {key} and a value: {words}.", **facts)
    for word in re.split(r"[,\s]+", raw) if isinstance(raw, str) else ():
        known = word.lower() in kind.sentences or word.isdigit()
        if not known and (near := did_you_mean(word.lower(), kind.sentences)):
            return say(
                "{key} cannot be {value}; {hint}", **{**facts, "value": shown(word)}, hint=near
            )
    return say("{key} cannot be {value}, only {words}.", **facts)


def find(known: Mapping[str, Choice[T]], word: str, hint: str = "") -> Choice[T]:
    """Return the choice with this key; raises `CommandFailed` if there is none.

    The case of `word` does not matter; the keys of `known` are in lower case. The complaint
    suggests the nearest key. If no key is near, it ends with `hint`; without a hint it lists the
    keys if they are few, else says where to find them.
    """
    found = known.get(word.lower())
    if found is not None:
        return found
    if not hint and len(known) <= _LISTED_MAX:
        hint = say("there are: {words}.", words=", ".join(known))
    hint = hint or say("see: {command}.", command=typed_in_shell("rules"))
    hint = did_you_mean(word.lower(), known) or hint
    text = say("There is no setting {key}; {hint}", key=shown(word), hint=hint)
    raise CommandFailed(ExitCode.USAGE, text)


def toml_line(key: str, value: Toml) -> str:
    """Return a key and its value as one line of TOML, without its line end."""
    return tomli_w.dumps({key: value}).rstrip("\n")


def explained(
    choice: Choice[Any], word: str | None = None, usual: str | None = None, whose: str = ""
) -> str:
    """Return the lines of a file about one choice: its subject, its possible values, and its TOML.

    Without a `word` the TOML is a comment that shows an example: the choice's own, or else the
    `usual` word. If the word means no value, the choice's usual value is written instead. In the
    list of values, the `usual` word is marked with `whose`, such as a rule set's name. The text has
    no final line end.
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
