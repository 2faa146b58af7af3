"""The names that words for a place can mean: `on Cleo's train`, `mexican please`, `cleos`.

People put a preposition, an article, a possessive and the word for a train around a name, or leave
them out. A name may itself look like one of these. So the possible names begin with the words as
typed, and then leave out more and more; a caller that knows the names takes the first that fits.
"""

import re
from collections.abc import Callable, Sequence, Set
from typing import Final

from cli.input.lexer import heard, without_courtesies

MINE: Final = "\0"
"""Stands for the player's own train in place of a name: nobody can have this name."""

OWN_TRAIN: Final = frozenset(
    {"me", "my", "mine", "own", "my own", "yo", "el mío", "el mio", "mío", "mio", "mia", "mía"}
)
"""Words for the player's own train, in English and Spanish."""

_MY: Final = frozenset(
    {"your", "own", "your own", "my", "my own", "mi", "tu", "propio", "mi propio", "tu propio"}
    | {"mein", "meinen", "meinem"}
)
"""Words for the player's own train only next to `train`; `mi` alone may begin a name."""

_MEXICAN: Final = frozenset({"mexican", "mexicano"} | {"mexikanischer", "mexikanischen"})

_TRAINS: Final = frozenset({"train", "trains", "tren", "zug", "one"})
"""Words for a train, before or after its name; a guest may say it in German."""
TABLE_NOUNS: Final = frozenset({"table", "game", "mesa", "partida", "tisch", "one"})
"""Words for a table, before or after its name."""
_BEFORE: Final = frozenset(
    {"on", "onto", "to", "at", "in", "the", "of", "for"}
    | {"en", "al", "a", "el", "la", "los", "las", "de", "del", "auf", "an", "den", "dem", "der"}
)
"""Words before a name that are not part of it."""
_POSSESSIVE: Final = re.compile(r"(?<=.)(?:'s|(?<=s)')$", re.IGNORECASE)


def spellings(text: str, nouns: Set[str] = _TRAINS) -> tuple[str, ...]:
    """Return the names that these words can mean, first as typed; never an empty name.

    `nouns` are the words for the thing that has the name. `on Cleo's train.` gives `Cleo` near the
    end, `the mexican one` gives `mexican` and `m`, and `your own train` gives `MINE`.
    """
    words = text.split()
    words = [*words[:1], *without_courtesies(words[1:])]
    # a name may end in a sign that is folded or dropped at the end of a line, such as a long dash
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
    """Return the names that words can mean, with and without a noun or possessive at the end.

    `has_noun` is true if the noun came before the name, as in Spanish.
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
    """Return True if the words after a tile say that the tile covers a double."""
    return not _COVER.isdisjoint(map(str.casefold, spellings(text)))


def first_that_fits(text: str, *fits: Callable[[str], Sequence[int]]) -> tuple[int, ...]:
    """Try each test in turn on every spelling, and return the first matches found.

    Return an empty tuple if there are none.
    """
    for fit in fits:
        for spelling in spellings(text):
            if found := tuple(fit(spelling)):
                return found
    return ()
