"""A web address as a QR code (ISO/IEC 18004), for a phone's camera."""

from typing import Final

from cli.render.cells import Canvas
from cli.render.palette import Line, Paint, Span

_QUIET: Final = 2
"""The light modules around the code: half the standard's number, which cameras accept."""
_HALVES: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
"""Two modules in a cell, by whether each is light."""


def qr_lines(address: str, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the QR code of an address, two modules in the height of a row.

    Light modules are drawn on a dark ground, as on a terminal without colours. Empty if the code is
    wider than the canvas, or if the glyphs are ASCII.
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
