"""The words of a typed line, before any reader: a tile is one word, however it was written.

    line -> split at blanks -> `plain_words`   tiles and numbers as readers know them: `9-4`, `12`
                            -> as typed        all other words: a name may have any sign

Keyboards, phones and web pages produce many kinds of dashes and digits, and people put brackets,
commas and full stops around their words. This module normalizes all of that for every reader. It is
only for what a person types at a prompt: the referee of written games accepts only plain signs.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, TypeAlias

from cli.visible import folded
from engine.tiles import PIP_MAX

Words: TypeAlias = Sequence[str]

_DASHES: Final = frozenset("\u2212\u2043\u30fc")
"""A minus sign and similar signs, which Unicode does not class as dashes."""
_SIGNS: Final = {
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4`\u2032", "'"),
    **dict.fromkeys("\u2223\u2502\u2503\u00a6", "|"),
    **dict.fromkeys("\u2044\u2215", "/"),
    **dict.fromkeys("\u3001", ","),
    "\u00d7": "x",
}
"""The plain sign for each look-alike that NFKC does not change."""

_PAIR: Final = re.compile(r"\[?(\d{1,2})[-|/:=,.x](\d{1,2})\]?", re.ASCII)
_RUN: Final = re.compile(r"\d{1,4}", re.ASCII)
_CHAIN: Final = re.compile(r"\d{1,2}(?:[-=]\d{1,2}){2,}", re.ASCII)
_DOUBLES: Final = ("double", "doble", "dbl", "mula")
_NUMBERS: Final = {
    word: str(number)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
        "dieciseis diecisiete dieciocho",
        "blank",
        "blanca",
    )
    for number, word in enumerate(words.split())
}
"""Numbers in words, without accents, up to the highest double."""
_DOUBLE: Final = re.compile(rf"(?:{'|'.join(_DOUBLES)})-?(\d{{1,2}})", re.ASCII)
_BETWEEN: Final = re.compile(r"[,;]|(?<=[\])])(?=[\[(])")
"""Separates tiles written without spaces, in a list or as the hand shows them."""
_MARKS: Final = re.compile(r"(?<=[\])])[+n]+")
"""Signs that the hand shows after a tile: `[9|4]+` fits, `[9|4]n` is new."""

_OPENING: Final = "[({\"'"
_CLOSING: Final = "])}\"'.,;:!?\u2026"
_SENTENCE: Final = "?!.,;:\u2026"
_COMMAND: Final = "/:\u00bf\u00a1"
"""Signs that come before a command in other programs, or before a question in Spanish."""

COURTESIES: Final = frozenset(
    {"please", "pls", "plz", "thanks", "thx", "ty", "gracias", "porfa", "bitte"}
)
"""Words after a command that ask for nothing."""


def plain(text: str) -> str:
    """Return text with look-alike dashes, digits, quotes and separators written in ASCII.

    Other characters stay, such as digits of other scripts.
    """
    return "".join(map(_plain_sign, text))


def _plain_sign(char: str) -> str:
    if char.isascii():
        return "'" if char == "`" else char
    if char in _DASHES or unicodedata.category(char) == "Pd":
        return "-"
    alike = _SIGNS.get(char) or unicodedata.normalize("NFKC", char)
    is_sign = len(alike) == 1 and alike.isascii() and not alike.isalpha()
    return alike if char in _SIGNS or (is_sign and unicodedata.category(char) != "No") else char


def heard(word: str) -> str:
    """Return a word of a command without the signs around it: `/help`, `score?`, `who's`.

    A word that is only signs stays as it is: `?` is a command.
    """
    found = plain(word)
    bare = found.lstrip(_COMMAND).rstrip(_SENTENCE)
    return bare if any(map(str.isalnum, bare)) else found


def read_pair(text: str) -> tuple[int, int] | None:
    """Return the two pips of a tile such as `9-4`, `9|4`, `[9|4]` or `9=9`; None for other text.

    They are in the order typed. Also None if a half is above `PIP_MAX`.
    """
    found = _PAIR.fullmatch(text)
    if found is None:
        return None
    pair = int(found[1]), int(found[2])
    return pair if max(pair) <= PIP_MAX else None


def is_run(word: str) -> bool:
    """Return True if a word is a number of one to four ASCII digits."""
    return _RUN.fullmatch(word) is not None


def plain_words(words: Words) -> Words:
    """Return the words with each tile and number as readers know it, and all others as typed.

    `(6,1),` becomes `6,1`, the chain `12-3=3` of a board becomes `12-3 3=3`, and `double 11` or `9
    - 4` becomes one word. Courtesies and punctuation at the end are left out.
    """
    found: list[str] = []
    for word in _in_one_piece(words):
        found += _tiles_in(word) or [word]
    return [*found[:1], *without_courtesies(found[1:])]


def without_courtesies(words: Words) -> Words:
    """Return the words without courtesies and punctuation at the end; empty for a lone `please`."""
    count = len(words)
    while count and _says_nothing(words[count - 1]):
        count -= 1
    return words[:count]


def number_of(word: str) -> str:
    """Return a number in words as digits, such as `2` for `two`; any other word is unchanged."""
    return _NUMBERS.get(folded(word), word)


def _says_nothing(word: str) -> bool:
    """Return True if a word at the end of a line is a courtesy, or only punctuation."""
    return heard(word).casefold() in COURTESIES or not plain(word).strip(_SENTENCE)


def _in_one_piece(words: Words) -> list[str]:
    """Return the words, with those that make up one tile joined: `double 11`, `9 - 4`."""
    found: list[str] = []
    for word in words:
        bare = _bare(word)
        if found and found[-1].casefold() in _DOUBLES:
            bare = number_of(bare)
        if is_run(bare) and found and found[-1].casefold() in _DOUBLES:
            found[-1] += f"-{bare}"
        elif len(found) > 1 and found[-1] in ("-", "=") and read_pair("".join((*found[-2:], bare))):
            found[-2:] = ["".join((*found[-2:], bare))]
        else:
            found.append(plain(word) if plain(word) in ("-", "=") else word)
    return found


def _tiles_in(word: str) -> list[str]:
    """Return the tiles and numbers that make up a word; empty if it contains anything else."""
    bare = _bare(word)
    if read_pair(bare) or is_run(bare):
        return [bare]
    if _CHAIN.fullmatch(bare):
        pips = re.split("[-=]", bare)
        signs = re.sub(r"\d", "", bare)
        return [f"{a}{sign}{b}" for a, sign, b in zip(pips, signs, pips[1:], strict=False)]
    if double := _DOUBLE.fullmatch(bare.casefold()):
        return [f"{double[1]}={double[1]}"]
    parts = [part for part in _BETWEEN.split(bare) if part]
    if len(parts) < 2:
        return []
    each = [_tiles_in(part) for part in parts]
    return [tile for tiles in each for tile in tiles] if all(each) else []


def _bare(word: str) -> str:
    """Return a word in plain signs, without brackets, quotes and marks around it."""
    return _MARKS.sub("", plain(word)).lstrip(_OPENING).rstrip(_CLOSING)
