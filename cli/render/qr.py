"""A web address as a QR code (ISO/IEC 18004), for the camera of a phone."""

from typing import Final

from cli.render.cells import Canvas
from cli.render.palette import Line, Paint, Span

_QUIET: Final = 2
"""Light modules around it: half of what the standard asks for, and cameras are content."""
_HALVES: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
"""Two modules in a cell, by whether they are light."""


def qr_lines(address: str, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the code, two modules in the height of a row; empty where it has no room, or in ASCII.

    Light is drawn on dark, as a terminal without colours has it too.
    """
    if canvas.glyphs.rule.isascii():
        return ()
    import segno  # late: few screens ever show one

    code = segno.make(address, error="l", boost_error=False, micro=False)
    lights = [[not module for module in row] for row in code.matrix_iter(border=_QUIET)]
    if len(lights) + 1 > canvas.columns:
        return ()
    lights += [[False] * len(lights)] * (len(lights) % 2)
    rows = zip(lights[::2], lights[1::2], strict=True)
    return tuple(
        (Span(" "), Span("".join(_HALVES[pair] for pair in zip(*row, strict=True)), Paint.SCANNED))
        for row in rows
    )
