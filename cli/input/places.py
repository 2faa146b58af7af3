"""Names that words for a place can mean: those behind `on Cleo's train`, `mexican please`, `cleos`.

A place is said with a preposition, an article, a possessive and the word for a train around its
name, or without any of them. A name may itself look like one of these, so a word is taken as it was
typed first, and then barer and barer: whoever knows the names stops at the first that fits.
"""

import re
from collections.abc import Callable, Sequence, Set
from typing import Final

from cli.input.lexer import heard, without_courtesies

MINE: Final = "\0"
"""Stands for one's own train in place of a name: nobody can be called so."""

OWN_TRAIN: Final = frozenset(
    {"me", "my", "mine", "own", "my own", "yo", "el mío", "el mio", "mío", "mio", "mia", "mía"}
)
"""Words for one's own train, in Spanish too."""

_MY: Final = frozenset(
    {"your", "own", "your own", "my", "my own", "mi", "tu", "propio", "mi propio", "tu propio"}
    | {"mein", "meinen", "meinem"}
)
"""Words for one's own train only before `train`; `mi` alone may begin a name."""

_MEXICAN: Final = frozenset({"mexican", "mexicano"} | {"mexikanischer", "mexikanischen"})

_TRAINS: Final = frozenset({"train", "trains", "tren", "zug", "one"})
"""The word for a train, before its name or behind it: a guest may say it in German."""
TABLE_NOUNS: Final = frozenset({"table", "game", "mesa", "partida", "tisch", "one"})
"""The word for a table, as that for a train."""
_BEFORE: Final = frozenset(
    {"on", "onto", "to", "at", "in", "the", "of", "for"}
    | {"en", "al", "a", "el", "la", "los", "las", "de", "del", "auf", "an", "den", "dem", "der"}
)
"""Words before a name that say nothing of it."""
_POSSESSIVE: Final = re.compile(r"(?<=.)(?:'s|(?<=s)')$", re.IGNORECASE)


def spellings(text: str, nouns: Set[str] = _TRAINS) -> tuple[str, ...]:
    """Return the names that these words can mean, as typed first; never an empty one.

    The `nouns` say what is called so.

    `on Cleo's train.` gives `Cleo` near the end, `the mexican one` gives `mexican` and `m`, and
    `your own train` gives `MINE`.
    """
    words = text.split()
    words = [*words[:1], *without_courtesies(words[1:])]
    # a name may itself have what is folded or dropped at the end of a line, such as a long dash
    ends = dict.fromkeys((heard(words[-1]), words[-1])) if words else ()
    found, has_noun = [text], False
    for at, word in enumerate(words):
        for end in ends:
            found += _without_end([*words[at:-1], end], nouns, has_noun=has_noun)
        if word.casefold() not in _BEFORE | nouns:
            break
        has_noun |= word.casefold() in nouns
    found += [re.sub(r"(?<=.)s$", "", each, flags=re.IGNORECASE) for each in found[-1:]]
    return tuple(filter(None, dict.fromkeys(found)))


def _without_end(words: Sequence[str], nouns: Set[str], *, has_noun: bool) -> list[str]:
    """Return words as a name, and what is left of it without a noun and a possessive behind it.

    It `has_noun` if that was said before it, as in Spanish.
    """
    found = [" ".join(words)]
    if len(words) > 1 and words[-1].casefold() in nouns:
        has_noun = True
        found.append(" ".join(words[:-1]))
    meant = found[-1].casefold()
    if has_noun and meant in _MY:
        found.append(MINE)
    if meant in _MEXICAN:
        found.append("m")
    return [*found, _POSSESSIVE.sub("", found[-1].replace("\u2019", "'"))]


_COVER: Final = frozenset({"cover", "cover it", "cover double", "cubrir", "cubrirlo", "cubre"})
"""Words for the place of a double that must be covered."""


def names_owed(text: str) -> bool:
    """Whether words behind a tile say that it covers a double."""
    return not _COVER.isdisjoint(map(str.casefold, spellings(text)))


def first_that_fits(text: str, *fits: Callable[[str], Sequence[int]]) -> tuple[int, ...]:
    """Return what the first spelling of a text fits, by the first of these tests that any passes.

    Empty if none fits.
    """
    for fit in fits:
        for spelling in spellings(text):
            if found := tuple(fit(spelling)):
                return found
    return ()
