"""Words and numbers in letters five rows high, to be read from across a room."""

from typing import Final

from cli.render.palette import Glyphs
from cli.visible import folded

ROWS: Final = 5

_PIXELS: Final = 3
"""The columns of a letter; a blank one follows it."""

_LETTERS: Final = "0123456789abcdefghijklmnopqrstuvwxyz -!?."
_SHAPES: Final = (
    "72775777772636773571545626263755555700270",
    "56115441555545444521547555554255555100210",
    "52777771777645665721647556562255722207220",
    "52411151515545445525545554651255752400000",
    "77771771775636743572575524356272552700222",
)
"""Row by row an octal digit for each letter: its bits are the pixels, the leftmost one 4."""


def big_cells(text: str, wide: int = 1) -> int:
    """Count the cells that a text takes, its pixels `wide` cells each."""
    return wide * ((_PIXELS + 1) * len(text) - 1)


def big_rows(text: str, glyphs: Glyphs, cells: int) -> tuple[str, ...]:
    """Write a text in big letters, twice as wide if that fits too, without accents.

    None at all where it does not fit, or has letters that have no shape here.
    """
    plain = folded(text)
    wide = 2 if big_cells(plain, 2) <= cells else 1
    if big_cells(plain, wide) > cells or not set(_LETTERS) >= set(plain):
        return ()
    pixel, blank = ("#" if glyphs.rule.isascii() else "█") * wide, " " * wide
    shapes = ([int(row[_LETTERS.index(letter)]) for letter in plain] for row in _SHAPES)
    return tuple(
        blank.join(
            "".join(pixel if shape & bit else blank for bit in (4, 2, 1)) for shape in shapes_of_row
        )
        for shapes_of_row in shapes
    )
