"""A text to read in a window: all of it at once, or through a pager if it is longer.

The pager is `$PAGER`, a shell command, or `less -FRX`. There is none if standard input or output is
not a terminal, or is a dumb one; if the player wants plain sentences; if `$PAGER` is empty or
`cat`; if there is no `less`; or if this platform cannot start another program.
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
"""This pager ends at once if everything fits, shows colours, and leaves the text on the screen."""

_NONE: Final = ("", "cat")
_NOT_STARTED: Final = (126, 127)
"""A shell's exit codes for a command that it cannot run or find."""


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
    """Return the pager's command, or an empty one for no pager."""
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
    """Run a pager on the lines until it ends; return False if the shell could not start it.

    Unless `$LESS` is set, `less` gets the usual options, and a prompt that says how to close it.
    Ctrl-C goes to the pager.
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
