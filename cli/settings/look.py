"""What drawings look like here: what somebody has set, as far as this terminal can show it."""

import os
import sys

from cli.drawn.palette import Glyphs, choose_glyphs
from cli.settings.chosen import chosen
from cli.settings.declared import GLYPHS


def own_glyphs() -> Glyphs:
    """Return the glyphs of standard output."""
    return choose_glyphs(sys.stdout.encoding, os.environ, chosen(GLYPHS))
