"""What a choice may be: one of some words, a number, on or off, seconds, or a text.

A kind reads what stands in TOML, and equally the word that stands in the environment or is typed;
what it reads it writes as TOML and shows as a word. Text of a file may be hostile: `read` takes
anything. A word may be in any case, and stop where no other begins so; a number may have zeros
before it.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Generic, TypeVar

from cli.language import say
from netgame.protocol.text import clean_text

Toml = str | bool | int | float

_CELLS_READ: Final = 1_000
_DIGITS_READ: Final = 20

_YES: Final = ("on", "yes", "true", "1")
_NO: Final = ("off", "no", "false", "0")

T = TypeVar("T")
EnumT = TypeVar("EnumT", bound=Enum)


class Kind(ABC, Generic[T]):
    """How the values of a choice are read and written."""

    __slots__ = ()

    @property
    @abstractmethod
    def words(self) -> str:
        """Say what would do."""

    @property
    def brief(self) -> str:
        """Say that in a row of a list."""
        return self.words

    @property
    def sentences(self) -> Mapping[str, str]:
        """Every word that can be listed, with its sentence in English, empty if it has none."""
        return {}

    @property
    def is_listed(self) -> bool:
        """Whether the sentences of its words say all that it can be."""
        return any(self.sentences.values())

    @abstractmethod
    def read(self, raw: object) -> T | None:
        """Return the value that is meant, or None for what means none."""

    def toml(self, value: T) -> Toml:
        """Return what stands in the file for a value."""
        return self.shown(value)

    def shown(self, value: T) -> str:
        """Return the word for a value, which `read` reads again."""
        return str(value)


def meant(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that somebody typed, in any case, or the only one that begins so."""
    folded, words = word.strip().lower(), tuple(known)
    if folded in words:
        return folded
    begun = [each for each in words if folded and each.startswith(folded)]
    return begun[0] if len(begun) == 1 else None


def read_number(raw: object) -> int | None:
    """Read a whole number, zero or more, whose digits may have zeros and spaces around them."""
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw if 0 <= raw < 10**_DIGITS_READ else None
    digits = raw.strip() if isinstance(raw, str) else ""
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_READ
    return int(digits) if is_number else None


@dataclass(frozen=True, slots=True)
class OneOf(Kind[T]):
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

    @property
    def sentences(self) -> Mapping[str, str]:
        """Say what each means, where its value tells that."""
        return {word: getattr(each, "sentence", "") for word, each in self.choices.items()}

    def read(self, raw: object) -> T | None:
        """Return the value of this word."""
        word = meant(raw, self.choices) if isinstance(raw, str) else None
        return None if word is None else self.choices[word]

    def shown(self, value: T) -> str:
        """Return its word."""
        return next(word for word, each in self.choices.items() if each == value)


def word_of(members: type[EnumT]) -> OneOf[EnumT]:
    """Make a kind of an enumeration whose values are words."""
    return OneOf({str(each.value): each for each in members})


@dataclass(frozen=True, slots=True)
class Number(Kind[int]):
    """A whole number in a range."""

    values: range

    @property
    def words(self) -> str:
        """Say what would do."""
        least, most = self.values[0], self.values[-1]
        return say("a whole number from {least} to {most}", least=least, most=most)

    def read(self, raw: object) -> int | None:
        """Return the number, if it is in the range."""
        number = read_number(raw)
        return number if number in self.values else None


@dataclass(frozen=True, slots=True)
class Spelled(Kind[str]):
    """A word of a table's rules, in the one spelling that an offer has for it; or a number."""

    told: Mapping[str, str]
    """Each word, with its sentence."""
    numbers: Sequence[int] = field(default=range(0))

    @property
    def words(self) -> str:
        """Say what would do."""
        if not isinstance(self.numbers, range) or not self.numbers:
            words = ", ".join((*self.told, *map(str, self.numbers)))
            return say("one of: {words}", words=words)
        text = "{words} or a whole number from {least} to {most}"
        if len(self.told) > 1:
            text = "one of: {words}, or a whole number from {least} to {most}"
        least, most = self.numbers[0], self.numbers[-1]
        return say(text, words=", ".join(self.told), least=least, most=most)

    @property
    def sentences(self) -> Mapping[str, str]:
        """Say what each word means; of numbers only those are listed that are no range."""
        listed = () if isinstance(self.numbers, range) else self.numbers
        return {**self.told, **{str(number): "" for number in listed}}

    @property
    def is_listed(self) -> bool:
        """Whether it takes no numbers beside its words."""
        return not self.numbers

    def read(self, raw: object) -> str | None:
        """Return the word; `true` and `false` are yes and no."""
        number = read_number(raw)
        if number is not None and (number in self.numbers or str(number) in self.told):
            return str(number)
        word = str(raw).lower() if isinstance(raw, bool | str) else ""
        if "yes" in self.told and word in (*_YES[:3], *_NO[:3]):
            return "yes" if word in _YES else "no"
        return meant(word, self.told)

    def toml(self, value: str) -> Toml:
        """Return a number as one."""
        return int(value) if value.isdigit() else value


@dataclass(frozen=True, slots=True)
class OnOff(Kind[bool]):
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
        word = str(raw).lower() if isinstance(raw, str | int) else ""
        return True if word in _YES else False if word in _NO else None

    def toml(self, value: bool) -> Toml:  # noqa: FBT001 - of the same shape as all kinds
        """Return it as it is."""
        return value

    def shown(self, value: bool) -> str:  # noqa: FBT001 - of the same shape as all kinds
        """Return the word for it."""
        return _YES[0] if value else _NO[0]


@dataclass(frozen=True, slots=True)
class Seconds(Kind[float]):
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
class Text(Kind[str]):
    """A short text, without anything that a terminal would obey, nor what `is_taken`."""

    cells: int
    is_taken: Callable[[str], bool] | None = None

    @property
    def words(self) -> str:
        """Say what would do."""
        if self.is_taken is None:
            return self.brief
        text = "a text of 1 to {count} letters, no number and nothing that you type at a table"
        return say(text, count=self.cells)

    @property
    def brief(self) -> str:
        """Say that in a row of a list."""
        return say("a text of 1 to {count} letters", count=self.cells)

    def read(self, raw: object) -> str | None:
        """Return the text, cleaned, unless it is too long."""
        clean = clean_text(raw, _CELLS_READ) if isinstance(raw, str) else ""
        is_taken = self.is_taken is not None and self.is_taken(clean)
        fits = clean == clean_text(clean, self.cells) and not is_taken
        return clean if clean and fits else None
