"""Words and numbers in letters five rows high, to be read from across a room."""

from itertools import zip_longest
from typing import Final

from cli.render.palette import Glyphs
from cli.visible import folded

ROWS: Final = 5

_PIXELS: Final = 3
"""The columns of a letter; a blank column follows it."""

_LETTERS: Final = "0123456789abcdefghijklmnopqrstuvwxyz -!?."
_SHAPES: Final = (
    "72775777772636773571545626263755555700270",
    "56115441555545444521547555554255555100210",
    "52777771777645665721647556562255722207220",
    "52411151515545445525545554651255752400000",
    "77771771775636743572575524356272552700222",
)
"""For each row, an octal digit per letter: its bits are the pixels, the leftmost one 4."""

_HALVES: Final = {"  ": " ", "█ ": "▀", " █": "▄", "██": "█"}


def pixel_cells(text: str, cells: int) -> int:
    """Return 2 or 1: the widest pixels, in cells, with which a big text fits into `cells`.

    0 if even 1 does not fit, or if a letter has no shape here. Case and accents are ignored.
    """
    known = set(_LETTERS) >= set(folded(text))
    pixels = (_PIXELS + 1) * len(folded(text)) - 1
    return next((wide for wide in (2, 1) if known and pixels * wide <= cells), 0)


def big_rows(text: str, glyphs: Glyphs, wide: int) -> tuple[str, ...]:
    """Return the five rows of a text in big letters, its pixels `wide` cells wide.

    Capitals and accents are lost; pixels are `#` if the glyphs are ASCII. Raises `ValueError` for a
    letter that has no shape here; `pixel_cells` returns 0 for it.
    """
    pixel, blank = ("#" if glyphs.rule.isascii() else "█") * wide, " " * wide
    rows = ([int(row[_LETTERS.index(letter)]) for letter in folded(text)] for row in _SHAPES)
    return tuple(
        blank.join("".join(pixel if shape & bit else blank for bit in (4, 2, 1)) for shape in row)
        for row in rows
    )


def half_rows(text: str, glyphs: Glyphs) -> tuple[str, ...]:
    """Return a text in letters of three rows, two pixels in a cell; empty if the glyphs are ASCII.

    Raises `ValueError` for a letter that has no shape here.
    """
    full = [*big_rows(text, glyphs, 1), ""]
    if glyphs.rule.isascii():
        return ()
    pairs = zip(full[::2], full[1::2], strict=True)
    return tuple(
        "".join(_HALVES[a + b] for a, b in zip_longest(above, below, fillvalue=" "))
        for above, below in pairs
    )
