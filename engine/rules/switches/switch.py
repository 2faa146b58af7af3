"""A switch of the rules: an enumeration whose members explain themselves to players."""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from inspect import get_annotations
from types import MappingProxyType
from typing import ClassVar, Final, Self, TypeVar

_Kind = TypeVar("_Kind", bound="type[Switch]")

_NUMBER: Final = re.compile("0|-?[1-9][0-9]{0,5}")
"""The one spelling of a number; a longer one is none of any switch."""

_NO_FACTS: Final[Mapping[str, object]] = MappingProxyType({})


class Switch(Enum):
    """One way in which published rules differ; each member is one answer.

    A switch declares the meaning of its values to play as annotated fields. A member gives only the
    facts in which it differs from most; the others are false, or 0.
    """

    _value_: str
    """The word for this answer that `with:` and `--with` take."""
    _sentence: str
    source: str
    """Who wrote that rule."""
    is_yes: bool
    """Whether a switch of `yes` and `no` is on."""

    # ---- of the switch as a whole -----------------------------------------------------------

    key: ClassVar[str]
    """The word for the switch that `with:` and `--with` take."""
    field: ClassVar[str]
    """The field of `RuleSet` that has its value."""
    decides: ClassVar[str]
    """What it is about, for players."""
    sources: ClassVar[str]
    """Where it comes from."""
    numbers: ClassVar[range]
    """The numbers that it takes beside its members; most take none."""
    counted: ClassVar[str]
    """The sentence for one of these numbers, with a place for `{count}`."""

    def __new__(
        cls,
        word: str,
        sentence: str = "",
        source: str = "",
        facts: Mapping[str, object] = _NO_FACTS,
    ) -> Self:
        """Make a member whose value is its word; raise TypeError for a fact that its switch lacks.

        Facts that are not given are false, 0 or empty.
        """
        member = object.__new__(cls)
        member._value_ = word
        member._sentence = sentence
        member.source = source
        member.is_yes = word == "yes"
        kinds = get_annotations(cls)
        if not facts.keys() <= kinds.keys():
            raise TypeError(f"{cls.__name__} {word} gives a fact that its switch has not.")
        for name, kind in kinds.items():
            setattr(member, name, facts[name] if name in facts else kind())
        return member

    @classmethod
    def words(cls) -> tuple[str, ...]:
        """The words it may be set to, in the order declared; some switches take numbers too."""
        return tuple(member.value for member in cls)

    @classmethod
    def number(cls, word: str) -> int | None:
        """The number that a word sets it to; None if it is not one of its `numbers`.

        Each number has one spelling, so that equal offers have equal words: decimal digits of ASCII
        without leading zeros, and a sign only below zero. [docs/rules.md §8.1]
        """
        number = int(word) if _NUMBER.fullmatch(word) else None
        return number if number in cls.numbers else None

    @classmethod
    def read(cls, word: str) -> Self | int | None:
        """The value or number that this word of an offer names; None if it names none."""
        number = cls.number(word)
        if number is not None:
            return number
        return cls(word) if word in cls.words() else None

    @classmethod
    def spelled(cls, typed: str) -> str:
        """Return a value as people type it in its one spelling, without spaces around it.

        ASCII digits lose their leading zeros. Anything else, a number with a sign too, stays as it
        is; it need not be a value of the switch.
        """
        word = typed.strip()
        is_number = word.isascii() and word.isdigit()
        return word.lstrip("0") or "0" if is_number else word

    @property
    def sentence(self) -> str:
        """The sentence that explains this value to players, as declared; it may be empty."""
        return self._sentence


def switch(
    key: str, decides: str, sources: str = "", numbers: range = range(0), counted: str = ""
) -> Callable[[_Kind], _Kind]:
    """Return a decorator that names a switch, and says what it decides and where it comes from.

    It sets that on the class, with its `field`, and returns the class itself. Without `sources`
    these are the sources of its values, each once. `counted` is the sentence for one of its
    `numbers`, which fills its `{count}`.
    """

    def declared(kind: _Kind) -> _Kind:
        kind.key = key
        kind.field = key.replace("-", "_")
        kind.decides = decides
        kind.sources = sources or "; ".join(dict.fromkeys(value.source for value in kind))
        kind.numbers = numbers
        kind.counted = counted
        return kind

    return declared
