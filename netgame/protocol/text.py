"""Makes text from others safe where it enters, and shows names and keys to people. [peer.md §3]"""

import base64
import hashlib
import re
import unicodedata
from functools import lru_cache
from itertools import chain
from typing import Final

_KEPT: Final = frozenset("LMNPS")
_MARKS_MAX: Final = 2
_LONG_CHARS: Final = 16
_BASE32: Final = re.compile("[a-z2-7]+")

INVISIBLE: Final = frozenset(
    chain(
        (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0),
        range(0x180B, 0x1810),
        range(0xFE00, 0xFE10),
        range(0xE0100, 0xE01F0),
        # Not ignorable by Unicode, and yet blank by its charts, or nothing without its own script:
        (0x2800, 0xFFFC, 0x1107F, 0x13441, 0x13442, 0x16FE4, 0x1BC9D, 0x1D159),
        range(0x1DA9B, 0x1DAB0),
    )
)
"""Letters, marks and symbols that show nothing: joiners, fillers, variation selectors (Unicode's
Default_Ignorable_Code_Point where the category does not say so), and characters that Unicode calls
a blank, a filler, null, a selector or a modifier of something else. Marks that stack the letters of
a script, as in Khmer, are not among them: names need them."""


def clean_text(text: str, cells_max: int, fallback: str = "") -> str:
    """Make `text` fit for any terminal: NFC, printable, one line, at most `cells_max` cells.

    Keeps letters, marks (two in a row at most, and none without a base), numbers, punctuation and
    symbols; drops control, format (bidi too), private and invisible characters. Blanks, tabs and
    line ends become single spaces, none at either end. Longer text is cut. Idempotent. Returns
    `fallback` unchanged if nothing is left.
    """
    # Drop characters before NFC: one may be between a letter and the mark that joins it.
    shown = unicodedata.normalize("NFC", "".join(filter(None, map(_shown, text))))
    kept: list[str] = []
    marks = cells = 0
    for char in shown:
        width = cells_of(char)
        # An accent, or half of a Korean syllable, which goes onto the character before it.
        if unicodedata.category(char)[0] == "M" or width == 0:
            marks += 1
            if marks > _MARKS_MAX or not kept or kept[-1] == " ":
                continue
        else:
            marks = 0
        if char == " " and (not kept or kept[-1] == " "):
            continue
        if cells + width > cells_max:
            break
        kept.append(char)
        cells += width
    return _fitting("".join(kept), cells_max).rstrip() or fallback


def _fitting(text: str, cells_max: int) -> str:
    """Return `text`, shortened at its end until it fits `cells_max` cells.

    Some vowel signs make it wider than its characters add up to.
    """
    while cells_of(text) > cells_max:
        text = text[:-1]
    return text


def cells_of(text: str) -> int:
    """Return the width of cleaned text in terminal cells.

    0 for non-ASCII text that has a control character, which cleaned text never has. Width tables
    load only for non-ASCII text.
    """
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return max(wcswidth(text), 0)


def _shown(char: str) -> str:
    """Return the character if it shows, a space for a blank, tab or line end, else ""."""
    category = unicodedata.category(char)
    if category in ("Zs", "Zl", "Zp") or char in "\t\n\r":
        return " "
    return char if category[0] in _KEPT and ord(char) not in INVISIBLE else ""


@lru_cache(64)
def fingerprint(key: bytes) -> str:
    """Return eight lower-case base32 characters (40 bits) of the SHA-256 of a public key.

    They are a label to tell peers apart at a glance; identity is always the whole key [protocol.md
    §5.2].
    """
    return _digest_text(key)[:8]


@lru_cache(64)
def long_fingerprint(key: bytes) -> str:
    """Return 16 base32 characters of a key's SHA-256 in groups of four: `k3f7-2xqa-mz4c-w5ty`.

    The first eight are those of `fingerprint`. 80 bits are enough to admit a key. Another key with
    the same first 40 bits can be found in some hours, and anybody who has shared a table with a
    player has seen these bits [peer.md §5].
    """
    text = _digest_text(key)
    return "-".join(text[at : at + 4] for at in range(0, _LONG_CHARS, 4))


def read_long_fingerprint(text: str) -> str | None:
    """Read a typed long fingerprint, in any case and grouping; return None if it is not one."""
    letters = re.sub(r"[\s-]+", "", text).lower()
    if len(letters) != _LONG_CHARS or not _BASE32.fullmatch(letters):
        return None
    return "-".join(letters[at : at + 4] for at in range(0, _LONG_CHARS, 4))


def _digest_text(key: bytes) -> str:
    return base64.b32encode(hashlib.sha256(key).digest()).decode().lower()
