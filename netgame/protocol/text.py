"""Makes text from other peers safe to show, and shortens keys to fingerprints. [peer.md §3]"""

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
    symbols; drops control, format (bidi too), private-use and invisible characters. Each run of
    blanks, tabs and line ends becomes one space, and there is none at either end. Longer text is
    cut. Cleaning cleaned text changes nothing. Returns `fallback` unchanged if nothing is left.
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
    """Return `text`, shortened at its end until it fits into `cells_max` cells.

    With some vowel signs, a text is wider than the sum of its characters.
    """
    while cells_of(text) > cells_max:
        text = text[:-1]
    return text


def cells_of(text: str) -> int:
    """Return the width of cleaned text in terminal cells.

    The result is 0 for non-ASCII text with a control character, which cleaned text never contains.
    The tables of widths are loaded only for non-ASCII text.
    """
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return max(wcswidth(text), 0)


def _shown(char: str) -> str:
    """Return a visible character as it is, a space for a blank, tab or line end, else ""."""
    category = unicodedata.category(char)
    if category in ("Zs", "Zl", "Zp") or char in "\t\n\r":
        return " "
    return char if category[0] in _KEPT and ord(char) not in INVISIBLE else ""


@lru_cache(64)
def fingerprint(key: bytes) -> str:
    """Return eight lower-case base32 characters (40 bits) of the SHA-256 of a public key.

    They are a label by which people tell peers apart at a glance. A peer is always identified by
    its whole key [protocol.md §5.2].
    """
    return _digest_text(key)[:8]


@lru_cache(64)
def long_fingerprint(key: bytes) -> str:
    """Return 16 base32 characters of a key's SHA-256 in groups of four: `k3f7-2xqa-mz4c-w5ty`.

    The first eight are those of `fingerprint`. These 80 bits are enough to admit a key by; the 40
    of `fingerprint` are not. Anybody who has shared a table with a player has seen those, and can
    find another key with the same 40 bits in some hours [peer.md §5].
    """
    text = _digest_text(key)
    return "-".join(text[at : at + 4] for at in range(0, _LONG_CHARS, 4))


def read_long_fingerprint(text: str) -> str | None:
    """Return a typed long fingerprint in lower case and groups of four; None if it is not one.

    It may be typed in any case, with spaces or dashes anywhere.
    """
    letters = re.sub(r"[\s-]+", "", text).lower()
    if len(letters) != _LONG_CHARS or not _BASE32.fullmatch(letters):
        return None
    return "-".join(letters[at : at + 4] for at in range(0, _LONG_CHARS, 4))


def _digest_text(key: bytes) -> str:
    return base64.b32encode(hashlib.sha256(key).digest()).decode().lower()
