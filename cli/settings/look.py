"""The look of drawings: the player's settings, as far as this terminal can show them."""

import sys
from collections.abc import Iterable
from typing import Final

from cli.render.cells import Canvas
from cli.render.palette import Glyphs, Line, Palette, ansi_text, choose_glyphs, choose_palette
from cli.settings.chosen import chosen
from cli.settings.declared import COLOURS, GLYPHS
from cli.settings.place import ENVIRONMENT
from cli.streams import is_terminal, standard_output, window
from cli.visible import print_styled

_STD_OUTPUT: Final = -11
_ESCAPE_CODES: Final = 0x0004
"""`STD_OUTPUT_HANDLE` and `ENABLE_VIRTUAL_TERMINAL_PROCESSING` of the Windows console."""


def own_glyphs(encoding: str | None = None) -> Glyphs:
    """Return the glyphs that the player wants, as far as an encoding has them.

    If `encoding` is None, the encoding of standard output decides.
    """
    encoding = encoding or standard_output().encoding
    return choose_glyphs(encoding, ENVIRONMENT.get(), chosen(GLYPHS))


def own_canvas() -> Canvas:
    """Return a canvas as large as the window now is, or 80 by 24 if there is no window."""
    return Canvas(*window(), own_glyphs())


def own_palette(*, terminal: bool | None = None, depth: int | None = None) -> Palette:
    """Return the player's colours, as far as standard output can show them.

    `terminal` says whether it is a terminal, and `depth` how many bits its colours have; either
    is found out if it is None. Off a terminal there are colours only if a variable forces them.
    """
    drawn = is_terminal() if terminal is None else terminal
    if depth is None and drawn:
        depth = _console_depth()
    environment, wanted = ENVIRONMENT.get(), chosen(COLOURS)
    return choose_palette(environment, terminal=drawn, wanted=wanted, depth=depth)


def print_drawn(lines: Iterable[Line]) -> None:
    """Print lines in the colours of standard output, each as soon as it is drawn."""
    palette = own_palette()
    for line in lines:
        print_styled(ansi_text(line, palette).rstrip())


def _console_depth() -> int | None:
    """Make the Windows console obey escape codes; return its bits per colour, or None elsewhere.

    Consoles can obey them since Windows 10, and then have 24 bits. Return 0 for an older console,
    which would print the codes.
    """
    if sys.platform != "win32":
        return None
    import ctypes

    kernel32 = ctypes.windll.kernel32
    console, mode = ctypes.c_void_p(kernel32.GetStdHandle(_STD_OUTPUT)), ctypes.c_ulong()
    kernel32.GetConsoleMode(console, ctypes.byref(mode))
    return 24 if kernel32.SetConsoleMode(console, mode.value | _ESCAPE_CODES) else 0
