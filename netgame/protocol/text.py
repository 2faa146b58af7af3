"""Text from others, made safe where it enters [protocol.md §3.4]."""

from __future__ import annotations

import unicodedata
from typing import Final

from wcwidth import wcswidth

__all__ = ["clean_text"]

_KEPT: Final = frozenset("LMNPS")
_MARKS_MAX: Final = 2


def clean_text(text: str, cells_max: int, fallback: str = "") -> str:
    """Return `text` fit for any terminal: NFC, printable, one line, at most `cells_max` cells.

    Keeps letters, marks (two in a row at most), numbers, punctuation and symbols, and single
    spaces; control, format (so also bidi) and private characters go. One pass, as a second one
    after a removal could not find anything new. Returns `fallback` if nothing is left.
    """
    kept: list[str] = []
    marks = 0
    cells = 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        if category in ("Zs", "Zl", "Zp") or char in "\t\n\r":
            char, category = " ", "Zs"
        elif category[0] not in _KEPT:
            continue
        marks = marks + 1 if category[0] == "M" else 0
        if marks > _MARKS_MAX or (char == " " and (not kept or kept[-1] == " ")):
            continue
        width = max(wcswidth(char), 0)
        if cells + width > cells_max:
            break
        kept.append(char)
        cells += width
    return "".join(kept).rstrip() or fallback
