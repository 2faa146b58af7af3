"""A program at a pseudo-terminal, and an emulated screen that shows what it draws."""

import os
import pty
import re
import shlex
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pexpect
import pyte
from pexpect.fdpexpect import fdspawn

from tests.cli.forked import Program
from tests.cli.running import environment
from tests.tree import ROOT

WAIT_S = 30.0


_HEAD_CELLS = 14

DRAWS, DRAWN = b"\x1b[?2026h", b"\x1b[?2026l"
"""The codes that the program writes before and after each drawing of the prompt."""


class Screen(pyte.Screen):
    """A screen that rewraps its lines when its width changes, as most terminals do."""

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Change the screen's size.

        If the width changes, rewrap the text so that its end stays in sight.
        """
        texts = [text.rstrip() for text in self.display] if self.columns != columns else []
        super().resize(lines, columns)
        if texts and columns:
            self.erase_in_display(2)
            self.cursor_position(1, 1)
            rows = [
                text[at : at + columns]
                for text in texts
                for at in range(0, len(text) or 1, columns)
            ]
            for number, text in enumerate(rows):
                if number:
                    self.index()
                    self.carriage_return()
                self.draw(text)


class ScrolledScreen(Screen, pyte.HistoryScreen):
    """A screen with a scrollback, which makes it slower."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows, history=5000, ratio=1.0)

    def erase_in_display(self, how: int = 0, *args: object, **more: object) -> None:
        """Clear part or all of the screen.

        Text that is cleared from the first cell on is kept in the scrollback, as in tmux.
        """
        if how == 0 and (self.cursor.x, self.cursor.y) == (0, 0):
            used = [at for at, text in enumerate(self.display) if text.strip()]
            self.history.top.extend(
                dict(self.buffer[at]) for at in range(max(used, default=-1) + 1)
            )
        super().erase_in_display(how, *args, **more)


def boards(screen: pyte.Screen) -> int:
    """Return how many boards are on the screen, not counting those in an answer that Esc closes."""
    count = 0
    for row in map(screen.buffer.__getitem__, range(screen.lines)):
        begun = "".join(row[at].data for at in range(_HEAD_CELLS))
        count += re.match(r" R(ound )?\d+/\d+ ", begun) is not None
        is_rule = begun.startswith(("──", "--"))
        if is_rule and "Esc" in "".join(row[at].data for at in range(screen.columns)):
            break
    return count


class Forked(fdspawn):
    """The forked program at a pseudo-terminal of its own."""

    def __init__(
        self, words: Sequence[str], environment: Mapping[str, str], rows: int, columns: int
    ) -> None:
        ours, its = pty.openpty()
        termios.tcsetwinsize(its, (rows, columns))
        super().__init__(ours, timeout=WAIT_S)
        self.delaybeforesend = None
        self.program = Program(words, environment, (its, its, its), leads_terminal=True)
        os.close(its)

    def isalive(self) -> bool:
        """Return True while the program runs."""
        self.exitstatus = self.program.poll()
        return self.exitstatus is None

    def kill(self, sig: int) -> None:
        """Send the program a signal."""
        self.program.send_signal(sig)

    def close(self, force: bool = False) -> None:
        """Close the terminal; with `force`, kill the program as well."""
        if not self.closed:
            super().close()
        if force:
            self.program.kill()


class Terminal:
    """A boneyard process, and a screen that shows what it draws."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        shell: bool = False,
        name: str = "Ann",
    ) -> None:
        place = {"BONEYARD_DATA": str(folder), "BONEYARD_NAME": name}
        variables = environment(TERM="xterm-256color", **place)
        self.screen = ScrolledScreen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.seen = self.late = b""
        self.shown: str | None = None
        self.process: pexpect.spawn | Forked
        if not shell:
            self.process = Forked(arguments, variables, rows, columns)
            return
        self.process = pexpect.spawn(
            "bash",
            ["--norc", "--noprofile", "-i"],
            cwd=str(ROOT),
            env=variables,
            dimensions=(rows, columns),
            timeout=WAIT_S,
        )
        self.process.delaybeforesend = None
        self.send(shlex.join([sys.executable, "-m", "cli", *arguments]) + "\r")

    def read(self) -> None:
        """Read what the process has written, if anything, and show it on the screen.

        A drawing that has only arrived in part is shown when the rest has arrived.
        """
        octets, has_ended = b"", False
        try:
            octets = self.process.read_nonblocking(65536, timeout=0.05)
        except pexpect.TIMEOUT:
            return
        except pexpect.EOF:
            has_ended = True
        self.seen += octets
        octets = self.late + octets
        behind = octets.rfind(DRAWN) + len(DRAWN) if DRAWN in octets else 0
        begun = -1 if has_ended else octets.find(DRAWS, behind)
        whole = len(octets) if begun < 0 else begun
        self.late = octets[whole:]
        self.stream.feed(octets[:whole])
        self.shown = None

    def text(self) -> str:
        """Return the text of the whole scrollback and of the screen."""
        if self.shown is None:
            lines = self.screen.history.top
            above = ["".join(line[at].data for at in sorted(line)) for line in lines]
            self.shown = "\n".join([*above, *self.screen.display])
        return self.shown

    def count(self, text: str) -> int:
        """Return how often a text occurs in the scrollback and on the screen."""
        return self.text().count(text)

    def has(self, text: str) -> bool:
        """Return True if a text occurs in the scrollback or on the screen."""
        return self.count(text) > 0

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Read until `holds` returns True; fail if time is up or the process has ended."""
        deadline = time.monotonic() + WAIT_S
        while not holds():
            assert time.monotonic() < deadline, self.text()
            assert self.process.isalive(), self.text()
            self.read()

    def wait_for(self, pattern: str) -> str:
        """Wait until the text of scrollback and screen matches the pattern, and return it."""
        self.wait_until(lambda: re.search(pattern, self.text()) is not None)
        return self.text()

    def prompts(self, typed: str = "") -> bool:
        """Return True if the cursor follows the prompt and this typed text."""
        cursor = self.screen.cursor
        line = self.screen.display[cursor.y][: cursor.x].strip()
        return line == f"boneyard> {typed}".strip()

    def wait_for_prompt(self, after: str) -> str:
        """Wait until the text matches and the prompt accepts keys; return the whole text.

        While lines are printed there is no prompt, and the kernel handles keys by its own rules:
        Ctrl-C is a signal then, and Ctrl-Z loses what was typed with it.
        """
        self.wait_until(lambda: self.prompts() and re.search(after, self.text()) is not None)
        return self.text()

    def press(self, key: str, typed: str = "") -> None:
        """Send a key, and wait until the screen is redrawn with this text at the prompt."""
        drawn = self.seen.count(DRAWN)
        self.send(key)
        self.wait_until(lambda: self.seen.count(DRAWN) > drawn and self.prompts(typed))

    def resize(self, columns: int, rows: int, *, waits: bool = True) -> None:
        """Change the window's size; if `waits`, wait until the program has drawn again."""
        self.read()
        drawn = self.seen.count(DRAWN)
        self.screen.resize(rows, columns)
        termios.tcsetwinsize(self.process.fileno(), (rows, columns))
        self.wait_until(lambda: self.seen.count(DRAWN) > drawn or not waits)

    def shows(self, text: str) -> bool:
        """Return True if a text is on the screen, not only in the scrollback."""
        return any(text in line for line in self.screen.display)

    def play_until(self, text: str) -> None:
        """Play the first listed tile in each turn until this text appears."""
        while not self.has(text):
            # the program draws and passes by itself
            self.wait_until(lambda: self.shows("Play  1: ") or self.has(text))
            played = self.count("You played")
            if not self.has(text):
                self.send("1\r")
                self.wait_until(lambda seen=played: self.count("You played") > seen)

    def send(self, text: str) -> None:
        """Type this text."""
        self.process.send(text)

    def exit_code(self) -> int | None:
        """Wait up to `WAIT_S` for the process to end, close the terminal, and return the exit code.

        Return None if the process still runs.
        """
        deadline = time.monotonic() + WAIT_S
        while self.process.isalive() and time.monotonic() < deadline:
            self.read()
        self.read()
        self.process.close()
        return self.process.exitstatus
