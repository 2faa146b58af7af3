"""A switch of the rules: an enumeration whose members explain themselves to players."""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from inspect import get_annotations
from types import MappingProxyType
from typing import ClassVar, Final, Self, TypeVar

_Kind = TypeVar("_Kind", bound="type[Switch]")

_NUMBER: Final = re.compile("0|-?[1-9][0-9]{0,5}")
"""The one spelling of a number; no switch has longer numbers."""

_NO_FACTS: Final[Mapping[str, object]] = MappingProxyType({})


class Switch(Enum):
    """A point on which published rules differ; each member is one answer.

    A switch declares, as annotated fields, the facts about its values that play needs. A member
    gives only the facts that differ from the default, which is False, 0 or empty.
    """

    _value_: str
    """The word for this answer that `with:` and `--with` take."""
    _sentence: str
    source: str
    """The texts that have this value."""
    is_yes: bool
    """True for the member `yes` of a switch of `yes` and `no`."""

    # ---- the switch as a whole --------------------------------------------------------------

    key: ClassVar[str]
    """The word for the switch that `with:` and `--with` take."""
    field: ClassVar[str]
    """The field of `RuleSet` with its value."""
    decides: ClassVar[str]
    """A description of the choice, for players."""
    sources: ClassVar[str]
    """The sources of its values."""
    numbers: ClassVar[range]
    """The numbers that it accepts besides its members; empty for most switches."""
    counted: ClassVar[str]
    """The sentence for such a number, with `{count}` in its place."""

    def __new__(
        cls,
        word: str,
        sentence: str = "",
        source: str = "",
        facts: Mapping[str, object] = _NO_FACTS,
    ) -> Self:
        """Make a member whose value is its word.

        Facts that are not given are False, 0 or empty. Raise TypeError for a fact that the switch
        does not declare.
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
        """Return the words of the members, in the order declared; numbers are not among them."""
        return tuple(member.value for member in cls)

    @classmethod
    def number(cls, word: str) -> int | None:
        """Return the number that a word stands for, or None if it is not one of `numbers`.

        Each number has one spelling, so that equal offers have equal words: ASCII digits without
        leading zeros, with a sign only below zero. [docs/rules.md §8.1]
        """
        number = int(word) if _NUMBER.fullmatch(word) else None
        return number if number in cls.numbers else None

    @classmethod
    def read(cls, word: str) -> Self | int | None:
        """Return the member or number that this word of an offer names, or None."""
        number = cls.number(word)
        if number is not None:
            return number
        return cls(word) if word in cls.words() else None

    @classmethod
    def spelled(cls, typed: str) -> str:
        """Return a typed value in its one spelling, without surrounding spaces.

        ASCII digits lose their leading zeros. Anything else, even a number with a sign, stays as it
        is; it need not be a value of the switch.
        """
        word = typed.strip()
        is_number = word.isascii() and word.isdigit()
        return word.lstrip("0") or "0" if is_number else word

    @property
    def sentence(self) -> str:
        """The sentence that explains this value to players; it may be empty."""
        return self._sentence


def switch(
    key: str, decides: str, sources: str = "", numbers: range = range(0), counted: str = ""
) -> Callable[[_Kind], _Kind]:
    """Return a class decorator that sets the class variables of a switch and returns the class.

    `field` is derived from `key`. `sources` defaults to the sources of the values, each once.
    `counted` is the sentence for a value from `numbers`, with `{count}` in place of the number.
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
