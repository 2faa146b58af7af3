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

    That is standard output's if none is given.
    """
    encoding = encoding or standard_output().encoding
    return choose_glyphs(encoding, ENVIRONMENT.get(), chosen(GLYPHS))


def own_canvas() -> Canvas:
    """Return the window as it is now to draw on, or a page of 80 by 24 where there is none."""
    return Canvas(*window(), own_glyphs())


def own_palette(*, terminal: bool | None = None, depth: int | None = None) -> Palette:
    """Return the colours wanted for standard output; no colours off a terminal.

    `terminal` says whether it is one, and `depth` how many bits its colours have, where the caller
    knows that.
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
    """Have the console of Windows obey escape codes; None elsewhere, where variables tell.

    Those that do so, since Windows 10, have 24 bits; 0 if this one does not, and would print them.
    """
    if sys.platform != "win32":
        return None
    import ctypes

    kernel32 = ctypes.windll.kernel32
    console, mode = ctypes.c_void_p(kernel32.GetStdHandle(_STD_OUTPUT)), ctypes.c_ulong()
    kernel32.GetConsoleMode(console, ctypes.byref(mode))
    return 24 if kernel32.SetConsoleMode(console, mode.value | _ESCAPE_CODES) else 0
