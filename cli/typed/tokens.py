"""Words of a typed line, and the many ways people write a tile."""

import re
from typing import Final, NamedTuple

from engine.tiles import PIP_MAX

_DIGITS_MAX: Final = 4
_PAIR: Final = re.compile(r"\[?(\d{1,2})[-|/:=,.x](\d{1,2})\]?", re.ASCII)
_RUN: Final = re.compile(r"\d+", re.ASCII)
_WORD: Final = re.compile(r"\S+")


class Word(NamedTuple):
    """A word and where it starts, in characters from 0."""

    text: str
    column: int


def split_words(line: str) -> tuple[Word, ...]:
    """Return the words of a line, in order."""
    return tuple(Word(found.group(), found.start()) for found in _WORD.finditer(line))


def begins_tile(word: Word) -> bool:
    """Whether a tile or a number of the list starts here; all other words are commands."""
    return word.text[0].isdigit() or word.text[0] == "["


def small_number(text: str) -> int | None:
    """Half a tile that stands alone, or None."""
    plain = text.isascii() and text.isdigit() and len(text) < 3
    return int(text) if plain and int(text) <= PIP_MAX else None


def read_pair(text: str) -> tuple[int, int] | None:
    """Two pips written with something between them, such as `9-4`, `9|4`, `[9|4]` or `9=9`."""
    found = _PAIR.fullmatch(text)
    if found is None:
        return None
    pair = int(found.group(1)), int(found.group(2))
    return pair if max(pair) <= PIP_MAX else None


def split_run(text: str) -> tuple[tuple[int, int], ...]:
    """All ways to cut a run of digits into two halves: `94` is 9-4, `112` is 1-12 or 11-2."""
    if _RUN.fullmatch(text) is None or len(text) > _DIGITS_MAX:
        return ()
    pairs = [(text[:cut], text[cut:]) for cut in range(1, len(text))]
    plain = [(a, b) for a, b in pairs if str(int(a)) == a and str(int(b)) == b]
    numbers = [(int(a), int(b)) for a, b in plain]
    return tuple(pair for pair in numbers if max(pair) <= PIP_MAX)
