"""A text to be read in a window: all of it at once, or through a pager where it is longer.

The pager is `$PAGER`, a command as a shell reads it, or `less -FRX`. There is none where standard
input or output is no terminal, on a dumb one, for who wants plain sentences, where `$PAGER` is
empty or `cat`, where there is no `less`, and where no other program can be started.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from tempfile import TemporaryFile
from typing import Final

from cli.language import say
from cli.render.palette import Line, ansi_text
from cli.settings.chosen import chosen
from cli.settings.declared import PLAIN
from cli.settings.look import own_palette
from cli.settings.place import ENVIRONMENT
from cli.signals import leaving_ctrl_c_to_others
from cli.streams import can_draw, standard_output, window
from cli.visible import print_styled
from netgame.io.abilities import ABILITIES

_USUAL: Final = "less -FRX"
"""Ends at once if all fits, obeys the codes of colours, and leaves the text on the screen."""

_NONE: Final = ("", "cat")
_NOT_STARTED: Final = (126, 127)
"""The exit codes by which a shell says that there is no such command, or that it cannot be run."""


def show_page(lines: Iterable[Line]) -> None:
    """Print lines in the colours of standard output, through a pager if the window is too low."""
    palette = own_palette()
    texts = [ansi_text(line, palette).rstrip() for line in lines]
    command = _pager() if len(texts) >= window().lines else ""
    if command and _read_in(command, texts):
        return
    for text in texts:
        print_styled(text)


def _pager() -> str:
    """Return the command of the pager; empty if there is to be none."""
    environment = ENVIRONMENT.get()
    if not can_draw() or environment.get("ACCESSIBLE") or chosen(PLAIN):
        return ""
    if not ABILITIES.get().starts_processes:
        return ""
    wanted = environment.get("PAGER")
    if wanted is not None:
        return "" if wanted.strip() in _NONE else wanted
    return _USUAL if shutil.which("less") else ""


def _read_in(command: str, texts: Sequence[str]) -> bool:
    """Run a pager on the lines until it ends; False if it could not be started.

    A `less` that somebody has given no options gets the usual ones, and says what closes it. Ctrl-C
    is for the pager.
    """
    told = say("Press q to close this, Space to read on")
    environment = {"LESS": f"{_USUAL.partition('-')[2]}Ps{told}$", **ENVIRONMENT.get()}
    encoding = standard_output().encoding or "utf-8"
    if encoding.lower().replace("-", "") == "utf8":
        environment = {"LESSCHARSET": "utf-8", **environment}
    with TemporaryFile() as file:
        file.write("".join(f"{line}{os.linesep}" for line in texts).encode(encoding, "replace"))
        file.seek(0)
        standard_output().flush()
        with leaving_ctrl_c_to_others():
            done = subprocess.run(command, shell=True, stdin=file, env=environment, check=False)
    return done.returncode not in _NOT_STARTED
