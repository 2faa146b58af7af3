"""Players' names: which look alike, which scripts go together, and which words are not names.

Names are for people only, and nothing else depends on them [peer.md §3]. To tell a second `Ann`
from the first, this module compares names by the skeletons of UTS 39, section 4, whose table says
which characters look alike. A name keeps to one script, or to scripts that are written together, as
the profile "highly restrictive" demands (section 5.2).

The table comes from the library `confusable-homoglyphs`, which loads for the first name that is not
ASCII: it takes 40 ms, and most tables never need it.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from netgame.protocol.text import cells_of, clean_text

NO_NAMES: Final = frozenset(
    {
        "mexican",
        "m",
        "nobody",
        "everybody",
        "table",
        "you",
        "host",
        "mexicano",
        "nadie",
        "todos",
        "mesa",
        "tú",
        "anfitrión",
    }
)
"""Words that the program uses for a train, the table, the host or no player in particular."""

_ASCII: Final = {"0": "O", "1": "l", "I": "l", "|": "l", "m": "rn", "`": "'"}
"""The table's rows about ASCII, except those about punctuation, which is ignored in any case."""

_COMPANY: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)
"""Scripts that are written together: in Japanese, in Korean and in Chinese. [UTS 39, 5.2]"""

_OF_BASE: Final = "INHERITED"
"""The script of a mark that goes onto any letter, and counts as that letter's script."""

_ANY_SCRIPT: Final = frozenset({"COMMON", _OF_BASE, "Unknown"})
"""Digits, signs, marks that go onto any letter, and characters that the library's Unicode lacks."""


_Looks: TypeAlias = tuple[str, str]
"""The two shapes by which a name is compared with another: with its case as written, and without
case."""


def are_alike(one: str, other: str) -> bool:
    """Return True if people could take one name for the other.

    They could if the two are equal except for case, punctuation, or characters that look the same;
    `Ann` and `Änn` are not alike.
    """
    return _meet(_looks(one), _looks(other))


def is_taken(name: str, others: Iterable[str]) -> bool:
    """Return True if this name is like one of `others` or of `NO_NAMES`, as `are_alike` judges."""
    looks = _looks(name)
    # ASCII is like no word with an accent, and the library need not be loaded to see that.
    words = (word for word in NO_NAMES if word.isascii() or not name.isascii())
    return any(_meet(looks, _looks(other)) for other in (*words, *others))


def of_one_script(name: str) -> str:
    """Return the name in the script, or scripts written together, that most of its letters have.

    A letter of another script is replaced by the letter that it looks like, or else dropped, and
    the marks on it are dropped. If several choices have equally many letters, the first is taken:
    Latin with the scripts of Japanese, of Korean, of Chinese, then single scripts in the order in
    which they occur in the name. Digits and signs belong to any script. `name` must be clean text,
    and so is the result.
    """
    if name.isascii():
        return name
    scripts: list[str] = []
    for char in name:
        script = _script_of(char)
        scripts.append(scripts[-1] if script == _OF_BASE and scripts else script)
    count = Counter(script for script in scripts if script not in _ANY_SCRIPT)
    choices = (*_COMPANY, *(frozenset({script}) for script in count))
    kept = max(choices, key=lambda choice: sum(count[script] for script in choice))
    if kept.issuperset(count):
        return name
    fits = kept | _ANY_SCRIPT
    left = ""
    for char, script in zip(name, scripts, strict=True):
        if script in fits:
            left += char
        elif _script_of(char) != _OF_BASE:
            shape = unicodedata.normalize("NFC", skeleton(char))
            left += shape if len(shape) == 1 and _script_of(shape) in fits else ""
    return clean_text(left.strip(" _"), cells_of(name))


def skeleton(text: str) -> str:
    """Return a text that is the same for all texts that look alike. [UTS 39, section 4]

    It may differ from the standard's skeleton, which consists of prototypes: the library's table
    does not say which of two characters is the prototype. Compare it only with other results of
    this function. The text is brought into NFKD first, because the table is made for names in NFKC
    and has only some of the wide letters and the like.
    """
    shapes = map(_shape_of, unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFKD", "".join(shapes))


@lru_cache(256)
def _looks(name: str) -> _Looks:
    # A capital I looks like an l, and an L does not: so L must not become l by losing its case.
    as_written = skeleton(name).replace("L", "ʟ").casefold()
    return _bare(as_written), _bare(skeleton(name.casefold()))


def _meet(one: _Looks, other: _Looks) -> bool:
    return one[0] == other[0] or one[1] == other[1]


def _bare(shape: str) -> str:
    """Return the shape without punctuation and spaces, so that `Ann_` and `A.nn` are like `Ann`.

    A shape of nothing else is returned unchanged.
    """
    kept = (char for char in shape if unicodedata.category(char)[0] not in "PZ")
    return "".join(kept) or shape


def _script_of(char: str) -> str:
    from confusable_homoglyphs import categories

    script: str = categories.alias(char)
    return script


@lru_cache(4096)
def _shape_of(char: str) -> str:
    """Return the text that represents this character and all that look like it.

    The library lists each pair of Unicode's table in both directions: a prototype that stands for
    several characters has several rows, and any other character has one, with its prototype. If two
    characters have only each other, the lower one represents both. If the prototype is a text of
    several characters, each of them is replaced by its own shape.
    """
    if char.isascii():
        return _ASCII.get(char, char)
    alike = _alike(char)
    if len(alike) != 1:
        return char
    other = alike[0]
    if len(other) == 1:
        return char if len(_alike(other)) == 1 and char < other else _of_prototype(other)
    return "".join(map(_of_prototype, other))


def _of_prototype(char: str) -> str:
    """Return the shape of a prototype: itself, or the lower of two that have only each other.

    A prototype in ASCII, such as `l` for `I`, is always its own shape.
    """
    alike = () if char.isascii() else _alike(char)
    return min(char, alike[0]) if len(alike) == 1 and len(alike[0]) == 1 else char


def _alike(char: str) -> tuple[str, ...]:
    """Return the strings that look like this character by the table, without direction marks."""
    from confusable_homoglyphs import confusables

    rows = confusables.confusables_data.get(char) or confusables.confusables_data.get(
        f"{_LEFT_TO_RIGHT}{char}{_LEFT_TO_RIGHT}", ()
    )
    return tuple(row["c"].replace(_LEFT_TO_RIGHT, "") for row in rows)


_LEFT_TO_RIGHT: Final = "\u200e"
