"""What drawings look like here: what somebody has set, as far as this terminal can show it."""

import os
import shutil
import sys

from cli.drawn.cells import Canvas
from cli.drawn.palette import Glyphs, Palette, choose_glyphs, choose_palette
from cli.settings.chosen import chosen
from cli.settings.declared import COLOURS, GLYPHS


def own_glyphs() -> Glyphs:
    """Return the glyphs of standard output."""
    return choose_glyphs(sys.stdout.encoding, os.environ, chosen(GLYPHS))


def own_canvas() -> Canvas:
    """Return the window as it is now, or a page where there is none."""
    return Canvas(*shutil.get_terminal_size(), own_glyphs())


def own_palette(*, terminal: bool | None = None) -> Palette:
    """Return the colours of standard output, or of a `terminal` if that is known."""
    is_terminal = sys.stdout.isatty() if terminal is None else terminal
    return choose_palette(os.environ, terminal=is_terminal, wanted=chosen(COLOURS))
