"""The kinds of choice: one of several words, a number, on or off, seconds, or a text.

A kind reads a value from TOML, the environment or the keyboard. It writes a value as TOML, and
shows it as a word. Text in a file may be hostile, so `read` takes anything. The case of a word does
not matter, and it may be shortened to a beginning that no other word shares. A number may begin
with zeros.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, cast

from cli.language import say
from netgame.protocol.text import clean_text

Toml = str | bool | int | float

_CELLS_READ: Final = 1_000
_DIGITS_READ: Final = 20

_SAME: Final = {
    "on": ("yes", "true", "1"),
    "off": ("no", "false", "0"),
    "yes": ("on", "true"),
    "no": ("off", "false"),
}
"""Synonyms that may be typed for a word.

1 and 0 do not mean yes and no, because in a menu they are numbers of rows.
"""

T = TypeVar("T")


class Kind(ABC, Generic[T]):
    """A kind of value that a choice can have: it reads, writes and shows values."""

    __slots__ = ()

    @property
    @abstractmethod
    def words(self) -> str:
        """A phrase for what is accepted."""

    @property
    def brief(self) -> str:
        """A shorter phrase for what is accepted, for a row of a list; by default `words`."""
        return self.words

    @property
    def sentences(self) -> Mapping[str, str]:
        """Every word that can be listed, with its sentence in English, or "" if it has none.

        Empty for a kind that has no list of words.
        """
        return {}

    @property
    def is_listed(self) -> bool:
        """True if `sentences` lists every accepted value, with meanings; by default False."""
        return False

    @abstractmethod
    def read(self, raw: object) -> T | None:
        """Return the value that `raw` means, or None if it means none."""

    def toml(self, value: T) -> Toml:
        """Return a value in the form for a TOML file, by default the word that shows it."""
        return self.shown(value)

    def shown(self, value: T) -> str:
        """Return the word for a value, by default its `str`."""
        return str(value)


def meant(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is `word`, or the only one that begins with it, or None.

    The case of `word` and spaces around it are ignored; the `known` words are in lower case.
    Returns None for empty text, and for a beginning that several words share.
    """
    folded, words = word.strip().lower(), tuple(known)
    if folded in words:
        return folded
    begun = [each for each in words if folded and each.startswith(folded)]
    return begun[0] if len(begun) == 1 else None


def read_number(raw: object) -> int | None:
    """Return `raw` as a whole number of at most 20 digits, 0 or more; None for anything else.

    It may be an integer, or text: digits, perhaps with leading zeros and with spaces around them.
    """
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw if 0 <= raw < 10**_DIGITS_READ else None
    digits = raw.strip() if isinstance(raw, str) else ""
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_READ
    return int(digits) if is_number else None


@dataclass(frozen=True, slots=True)
class OneOf(Kind[T]):
    """One of several values, each with its word, or one of `numbers`, which need no word."""

    choices: Mapping[str, T]
    numbers: Sequence[int] = ()

    @property
    def words(self) -> str:
        """A phrase for what is accepted: the words, and the numbers as a list or a range."""
        if self is ON_OFF:
            return say("on or off (in a file true or false)")
        if not isinstance(self.numbers, range) or not self.numbers:
            return say("one of: {words}", words=self.brief)
        text = "one of: {words}, or a whole number from {least} to {most}"
        if len(self.choices) < 2:
            text = "{words} or a whole number from {least} to {most}"
            if not self.choices:
                text = "a whole number from {least} to {most}"
        return say(text, words=self.brief, least=self.numbers[0], most=self.numbers[-1])

    @property
    def brief(self) -> str:
        """The words, and the numbers unless they are a range; "on or off" for `ON_OFF`."""
        return say("on or off") if self is ON_OFF else ", ".join(self.sentences)

    @property
    def sentences(self) -> Mapping[str, str]:
        """Every word with the sentence of its value, or "" if that has none; then listed numbers.

        Listed numbers have no sentence. The numbers of a range are left out.
        """
        listed = () if isinstance(self.numbers, range) else map(str, self.numbers)
        told = {word: getattr(each, "sentence", "") for word, each in self.choices.items()}
        return {**told, **dict.fromkeys(listed, "")}

    @property
    def is_listed(self) -> bool:
        """True if the kind takes no numbers, and at least one word has a sentence."""
        return not self.numbers and any(self.sentences.values())

    def read(self, raw: object) -> T | None:
        """Return the value that a word or a number stands for; None if it is neither.

        A number stands for itself. The case of a word does not matter. It may be abbreviated, or be
        a synonym, such as `yes` for `on`; True and False are read as words.
        """
        number = read_number(raw)
        if number is not None and number in self.numbers:
            return cast("T", number)
        typed = str(raw).strip().lower() if isinstance(raw, bool | str) else ""
        if number is not None:
            typed = str(number)
        for word, others in _SAME.items():
            if word in self.choices and typed in others:
                typed = word
        found = meant(typed, self.choices)
        return None if found is None else self.choices[found]

    def toml(self, value: T) -> Toml:
        """Return `true` or `false` for on and off, an integer for a number, else the word."""
        word = self.shown(value)
        return value if isinstance(value, bool) else int(word) if word.isdigit() else word

    def shown(self, value: T) -> str:
        """Return the word of a value, or the digits of a number."""
        return next((word for word, each in self.choices.items() if each == value), str(value))


def one_of(members: Iterable[T], numbers: Sequence[int] = ()) -> OneOf[T]:
    """Return a kind whose words are the values of these members of an enumeration.

    It also accepts the `numbers`.
    """
    return OneOf({str(each.value): each for each in members}, numbers)  # type: ignore[attr-defined]


ON_OFF: Final = OneOf({"on": True, "off": False})


@dataclass(frozen=True, slots=True)
class Seconds(Kind[float]):
    """A time in seconds, whole or not, from 0 to `most`, which is finite."""

    most: float

    @property
    def words(self) -> str:
        """A phrase for what is accepted."""
        return say("a number of seconds from 0 to {most:g}, such as 2 or 0.5", most=self.most)

    @property
    def brief(self) -> str:
        """A shorter phrase for what is accepted, for a row of a list."""
        return say("a number of seconds from 0 to {most:g}", most=self.most)

    def read(self, raw: object) -> float | None:
        """Return the time as a float; None if it is not a time, or out of bounds.

        Text has up to nine digits, and up to nine more after a point: no sign, exponent or spaces.
        """
        if isinstance(raw, str) and re.fullmatch(r"\d{1,9}(\.\d{1,9})?", raw, re.ASCII):
            raw = float(raw)
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            return None
        return float(raw) if 0 <= raw <= self.most else None

    def toml(self, value: float) -> Toml:
        """Return a whole number of seconds as an integer, any other number unchanged."""
        return int(value) if value == int(value) else value

    def shown(self, value: float) -> str:
        """Return the number with at most six significant digits, such as `2` or `0.5`."""
        return f"{value:g}"


@dataclass(frozen=True, slots=True)
class Text(Kind[str]):
    """A short text, cleaned of control characters; `is_taken` may refuse some texts."""

    cells: int
    """The most cells of a terminal that it may take."""
    is_taken: Callable[[str], bool] | None = None
    """Returns True for a text that `read` must refuse; None refuses none."""

    @property
    def words(self) -> str:
        """A phrase for what is accepted."""
        if self.is_taken is None:
            return self.brief
        text = "1 to {count} letters, and no number or word that is typed at a table"
        return say(text, count=self.cells)

    @property
    def brief(self) -> str:
        """A shorter phrase for what is accepted, for a row of a list."""
        return say("1 to {count} letters", count=self.cells)

    def read(self, raw: object) -> str | None:
        """Return the cleaned text; None if it is empty, too long, taken, or not text."""
        clean = clean_text(raw, _CELLS_READ) if isinstance(raw, str) else ""
        is_taken = self.is_taken is not None and self.is_taken(clean)
        fits = clean == clean_text(clean, self.cells) and not is_taken
        return clean if clean and fits else None
