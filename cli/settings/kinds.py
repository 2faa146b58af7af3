"""What a setting may be: one of some words, on or off, a number of seconds, or a text.

A kind reads what stands in TOML, and equally the word that stands in the environment or is typed;
what it reads it writes as TOML and shows as a word. Text of a file may be hostile: `read` takes
anything.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, Protocol, TypeVar

from cli.language import say
from netgame.protocol.text import clean_text

Toml = str | bool | int | float

_YES: Final = ("on", "yes", "true", "1")
_CELLS_READ: Final = 1_000

_NO: Final = ("off", "no", "false", "0")

T = TypeVar("T")
EnumT = TypeVar("EnumT", bound=Enum)


class ValueKind(Protocol[T]):
    """How values of a setting are read and written."""

    @property
    def words(self) -> str:
        """Say what would do."""

    @property
    def brief(self) -> str:
        """Say that in a row of a list."""

    def read(self, raw: object) -> T | None:
        """Return the value that is meant, or None for what means none."""

    def toml(self, value: T) -> Toml:
        """Return what stands in the file for a value."""

    def shown(self, value: T) -> str:
        """Return the word for a value, which `read` reads again."""


@dataclass(frozen=True, slots=True)
class OneOf(Generic[T]):
    """One of some values, each with its word."""

    choices: Mapping[str, T]

    @property
    def words(self) -> str:
        """Say what would do."""
        return say("one of: {words}", words=self.brief)

    @property
    def brief(self) -> str:
        """List the words."""
        return ", ".join(self.choices)

    def read(self, raw: object) -> T | None:
        """Return the value of this word, in whatever case it is typed."""
        return self.choices.get(raw.lower()) if isinstance(raw, str) else None

    def toml(self, value: T) -> Toml:
        """Return its word."""
        return self.shown(value)

    def shown(self, value: T) -> str:
        """Return its word."""
        return next(word for word, each in self.choices.items() if each == value)


def word_of(members: type[EnumT]) -> OneOf[EnumT]:
    """Make a kind of an enumeration whose values are words."""
    return OneOf({str(each.value): each for each in members})


@dataclass(frozen=True, slots=True)
class OnOff:
    """On or off; `true` and `false` in TOML."""

    @property
    def words(self) -> str:
        """Say what would do."""
        return say("on or off (in a file true or false)")

    @property
    def brief(self) -> str:
        """Say that in a row of a list."""
        return say("on or off")

    def read(self, raw: object) -> bool | None:
        """Return whether it is on."""
        if isinstance(raw, bool):
            return raw
        word = str(raw).lower() if isinstance(raw, str | int) else ""
        return True if word in _YES else False if word in _NO else None

    def toml(self, value: bool) -> Toml:  # noqa: FBT001 - of the same shape as all kinds
        """Return it as it is."""
        return value

    def shown(self, value: bool) -> str:  # noqa: FBT001 - of the same shape as all kinds
        """Return the word for it."""
        return _YES[0] if value else _NO[0]


@dataclass(frozen=True, slots=True)
class Seconds:
    """A time in seconds, or a part of one."""

    most: float

    @property
    def words(self) -> str:
        """Say what would do."""
        return say("a number of seconds from 0 to {most:g}, such as 2 or 0.5", most=self.most)

    @property
    def brief(self) -> str:
        """Say that in a row of a list."""
        return say("a number of seconds from 0 to {most:g}", most=self.most)

    def read(self, raw: object) -> float | None:
        """Return the time, if it is within bounds."""
        if isinstance(raw, str) and re.fullmatch(r"\d{1,9}(\.\d{1,9})?", raw, re.ASCII):
            raw = float(raw)
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            return None
        return float(raw) if math.isfinite(raw) and 0 <= raw <= self.most else None

    def toml(self, value: float) -> Toml:
        """Return it as the number that people write."""
        return int(value) if value == int(value) else value

    def shown(self, value: float) -> str:
        """Return the number."""
        return f"{value:g}"


@dataclass(frozen=True, slots=True)
class Text:
    """A short text, without anything that a terminal would obey, nor what `is_taken`."""

    cells: int
    is_taken: Callable[[str], bool]

    @property
    def words(self) -> str:
        """Say what would do."""
        text = "a text of 1 to {count} letters, no number and nothing that you type at a table"
        return say(text, count=self.cells)

    @property
    def brief(self) -> str:
        """Say that in a row of a list."""
        return say("a text of 1 to {count} letters", count=self.cells)

    def read(self, raw: object) -> str | None:
        """Return the text, cleaned, unless it is too long."""
        clean = clean_text(raw, _CELLS_READ) if isinstance(raw, str) else ""
        fits = clean == clean_text(clean, self.cells) and not self.is_taken(clean)
        return clean if clean and fits else None

    def toml(self, value: str) -> Toml:
        """Return it as it is."""
        return value

    def shown(self, value: str) -> str:
        """Return it as it is."""
        return value


def sentences_of(kind: object) -> list[tuple[str, str]]:
    """Return each word of a kind whose words have a sentence, with that."""
    choices = kind.choices if isinstance(kind, OneOf) else {}
    return [(word, each.sentence) for word, each in choices.items() if hasattr(each, "sentence")]
