"""Readers of the words of a line: tiles, names, numbers.

A reader knows no table; `resolve` decides which tiles, trains and names exist.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from cli.input.lexer import Words, heard, is_run, plain_words, read_pair
from cli.language import either, say
from cli.visible import named_so
from engine.tiles import PIP_MAX

_AND: Final = frozenset({"and", "y", "&"})
"""The words between the last two names of a list, in English and in Spanish."""

THEN: Final = frozenset(
    {"then", "and", "next", "now", "too", "luego", "después", "despues", "y", "ahora"}
)
"""Words between two tiles of a line."""


def begins_tile(word: str) -> bool:
    """Return True if a word begins with a digit or `[`: a tile or a list number, not a command.

    The word must not be empty.
    """
    return word[0].isdigit() or word[0] == "["


def split_run(text: str) -> tuple[tuple[int, int], ...]:
    """Return every cut of a run of digits into halves: `94` gives 9-4, `112` gives 1-12 and 11-2.

    The cut with the shortest first half comes first. No half has a leading zero or is above
    `PIP_MAX`. Empty if there is no such cut, or if the text is not a run of digits.
    """
    if not is_run(text):
        return ()
    pairs = [(text[:cut], text[cut:]) for cut in range(1, len(text))]
    plain = [(a, b) for a, b in pairs if str(int(a)) == a and str(int(b)) == b]
    numbers = [(int(a), int(b)) for a, b in plain]
    return tuple(pair for pair in numbers if max(pair) <= PIP_MAX)


class UsageError(Struct, frozen=True):
    """A line that is not understood."""

    hint: str
    """The reason why it is not understood, with the words to type instead."""
    orders: bool = False
    """True if the line is an order that only the host of a table can give."""


_NO_TILE: Final = "{word} is not a tile: write tiles as 9-4 4-12, or 94 where halves have one digit"


def spaced(words: Words) -> tuple[int, int] | None:
    """Return the tile whose halves are the first two words.

    None unless both are numbers up to `PIP_MAX`.
    """
    return read_pair("-".join(words[:2])) if all(map(str.isdecimal, words[:2])) else None


# ---- tiles in a list ------------------------------------------------------------------------


def read_tiles(words: Words) -> tuple[tuple[int, int], ...] | UsageError:
    """Return the tiles in a list, as in a move, with or without commas between them.

    The halves of each tile are in the order typed. Empty for no words; a `UsageError` for the first
    word that is not a tile, or could be several.
    """
    parts = [*plain_words(words)]
    found: list[tuple[int, int]] = []
    while parts:
        bare = [part.isascii() and part.isdigit() for part in parts]
        count = [*bare, False].index(False)
        pairs = _read_numbers(parts[:count]) if count else read_pair(parts[0])
        if isinstance(pairs, UsageError):
            return pairs
        if pairs is None:
            return UsageError(say(_NO_TILE, word=parts[0]))
        found += pairs if isinstance(pairs, list) else [pairs]
        parts = parts[count or 1 :]
    return tuple(found)


def _read_numbers(numbers: Words) -> list[tuple[int, int]] | UsageError:
    """Return the tiles in a row of numbers.

    Each number is a tile, as in `94 53`, or half a tile, as in `12 3 3 4`. Return a `UsageError` if
    they are neither, or could be either.
    """
    cuts = [split_run(number) for number in numbers]
    paired = [spaced(numbers[at : at + 2]) for at in range(0, len(numbers), 2)]
    halves = [pair for pair in paired if pair is not None]
    if len(halves) == len(paired) and not all(cuts):
        return halves
    for number, ways in zip(numbers, cuts, strict=True):
        if len(ways) != 1:
            tiles = either([f"{a}-{b}" for a, b in ways])
            text = "{word} can be {tiles}" if tiles else _NO_TILE
            return UsageError(say(text, word=number, tiles=tiles))
    if len(halves) == len(paired):
        text = (
            "{words} can be one tile or two: write tiles as 9-4 4-12, or 94 where halves have one "
            "digit"
        )
        return UsageError(say(text, words=" ".join(numbers[:2])))
    return [ways[0] for ways in cuts]


def first_unread(text: str) -> str:
    """Return a text without the tiles and words such as `then` at both ends.

    If nothing would be left, return the whole text.
    """
    words = [*plain_words(text.split())]
    known = [bool(read_pair(word) or split_run(word) or word.casefold() in THEN) for word in words]
    at = [*known, False].index(False)
    end = len(words) - [*known[::-1], False].index(False)
    return " ".join(words[at:end]) or text


# ---- single tiles and names -----------------------------------------------------------------


def read_tile(words: Words) -> tuple[int, int] | UsageError:
    """Return the one tile that these words name, in any notation; else a `UsageError`.

    Extra words, and digits that can be cut in several ways, also give a `UsageError`. There must be
    a word.
    """
    first, cuts = words[0], split_run(words[0])
    if len(words) == 2 and (in_two := spaced(words)) is not None:
        return in_two
    pair = cuts[0] if len(cuts) == 1 else read_pair(first)
    if pair is None:
        return UsageError(say("{word} is not a tile: write it as 9-9", word=first))
    return UsageError(say("one tile is enough")) if len(words) > 1 else pair


def read_name(words: Words) -> str | None:
    """Return the words of a name joined, without a leading `on` or `en`; None if there are none.

    A lone `on` is a name.
    """
    kept = words[1:] if len(words) > 1 and words[0].lower() in ("on", "en") else words
    return " ".join(kept) or None


def without_done(words: Words) -> tuple[Words, bool]:
    """Return a play without `done` or `listo` at its end, and whether one of them was there."""
    ends = bool(words) and heard(words[-1]).casefold() in ("done", "listo")
    return (words[:-1], True) if ends else (words, False)


def listed_names(words: Words, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names in a line that lists them: `eva dan`, `eva, dan and cy`, `eva y dan`.

    They are in the order typed, without `and`, `y` and `&` between names; empty for no words. A
    word that is one of the `known` names is kept as it is, even if it is `and` or has a comma.
    """
    parts: list[str] = []
    for word in words:
        parts += [word] if named_so(known, word) else filter(None, re.split("[,;]", word))
    ends = (0, len(parts) - 1)
    return tuple(
        part
        for at, part in enumerate(parts)
        if at in ends or part.lower() not in _AND or named_so(known, part)
    )


def read_word(words: Words) -> str | None:
    """Return the first word in lower case, to look up its meaning; None without words."""
    return heard(words[0]).lower() if words else None
