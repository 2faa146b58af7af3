"""Random keys, pastes, clicks and resizes at the real program: `python -m tests.cli.soak --keys N`.

Whatever is pressed, the program shows no traceback, keeps what stands at its prompt while it prints
and while its window changes, and answers. Whenever it has drawn something there is at most one
board on the screen, and exactly one in play. Keys may leave the table; then it is started again.

Keys come up to twelve in one read, so that there are fewer drawings than keys; with `--together 1`
each is drawn, and looked at, before the next.
"""

import argparse
import contextlib
import os
import re
import signal
import sys
import tempfile
import termios
import time
from pathlib import Path
from random import Random

import pyte

from tests.cli.pseudoterminals import DRAWN, Forked, Screen, boards
from tests.cli.running import environment

WAIT_S = 60.0
CHECKED_EVERY = 500
DRAWING_S = 0.05
"""Within this time the program draws its reaction, unless the computer is busy."""

TOGETHER_MAX = 12
"""Keys that arrive in one read, as when a person types ahead."""

ENDINGS = (0, 130, -signal.SIGINT, -signal.SIGQUIT)
"""Exit codes: left by a word or by Ctrl-C, or by Ctrl-C while the program was ending.

After Ctrl-Z, while the terminal is given back to a possible shell, Ctrl-backslash ends the program
too.
"""

PLACES = {
    "table": (("play", "--set", "6", "--bots", "1", "--rounds", "2", "--pace", "0"), b"Play"),
    "menu": ((), b"boneyard>"),
    "learn": (("learn",), b"boneyard>"),
}
"""Places to press keys: the words that lead there, and what is shown first."""

_F2, _CTRL_L = "\x1bOQ", "\x0c"
_WORDS = ("1", "2", "help", "board", "hand train", "plan", "hint", "score", "why", "9-4 m", "who")
_SEQUENCES = (
    *(f"\x1b[{end}" for end in ("A", "B", "C", "D", "H", "F", "Z", "3~", "5~", "6~", "1;5C")),
    "\x1bOP",
    "\x1bOQ",
    "\x1b[15~",
    "\x1b",
    "\x1b\x1b",
    "\x1b[",
    "\x1b[200~",
    "\x1b[201~",
    "\x1b[<0;1;1M",
    "\x1b[M !!",
    "\x1b[9999;9999R",
    "\x1bb",
    "\x1bf",
    "\x1b\x7f",
    "\x1b.",
)
_BUTTONS = (0, 0, 0, 1, 2, 32, 35, 64, 65, 99)
"""Buttons of a mouse: mostly the left one, moves, the wheel, and one that does not exist."""

_FAILED = (b"Traceback", b"Unhandled exception", b"Press ENTER")
"""The first words of an error from Python or from prompt-toolkit, which then waits for Enter."""

_ODD = "\u202eé漢字\u0301\x9b\U0001f600\ufeff\u200b"


class Soak:
    """One run of random keys at the program, which is started again whenever keys leave it."""

    def __init__(
        self, folder: Path, seed: int, place: str = "table", together: int = TOGETHER_MAX
    ) -> None:
        self.chance = Random(seed)
        self.context, self.together = place, together
        self.folder = folder
        self.starts = 0
        self.keys = self.clicks = 0
        self.shown = b""
        self.typed: list[str] = []
        self.boards = 0
        self.program = self._start()

    def _start(self) -> Forked:
        self.starts += 1
        words, shown = PLACES[self.context]
        data = str(self.folder / str(self.starts))
        variables = environment(TERM="xterm-256color", BONEYARD_MOUSE="on", BONEYARD_DATA=data)
        self.shown, self.begun, self.is_resized, self.is_cleared = b"", b"", False, True
        self.program = Forked(words, variables, 24, 80)
        self.screen = Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        os.set_blocking(self.program.child_fd, False)
        self._wait_for(shown)
        return self.program

    def run(self, keys: int) -> None:
        """Press `keys` keys, check now and then that the program answers, and then end it."""
        while self.keys < keys:
            due = self.keys + CHECKED_EVERY
            while self.keys < min(due, keys):
                batch = [self._key() for _ in range(self.chance.randint(1, self.together))]
                self.keys += len(batch)
                self._send("".join(batch))
                if self.chance.random() < 0.02:
                    self._resize(self.chance.randint(1, 60), self.chance.randint(1, 200))
                self._look()
            self._check()
        self.program.close(force=True)

    def _key(self) -> str:
        kind = self.chance.random()
        if kind < 0.5:
            return chr(self.chance.randint(32, 126))
        if kind < 0.7:
            return chr(self.chance.choice([*range(32), 127]))
        if kind < 0.77:
            return self.chance.choice(_SEQUENCES)
        if kind < 0.82:
            self.clicks += 1
            x = self.chance.randint(1, self.screen.columns)
            y = self.chance.randint(1, self.screen.lines)
            return f"\x1b[<{self.chance.choice(_BUTTONS)};{x};{y}{self.chance.choice('MMm')}"
        if kind < 0.9:
            return f"{self.chance.choice(_WORDS)}\r"
        if kind < 0.94:
            return self.chance.choice(_ODD)
        if kind < 0.97:
            return "\r"
        letters = [chr(self.chance.randint(1, 126)) for _ in range(self.chance.randint(0, 60))]
        return f"\x1b[200~{''.join(letters)}\n{self.chance.choice(_WORDS)}\n\x1b[201~"

    def _check(self) -> None:
        """Check that the program answers, and keeps what is typed while it draws and is resized.

        At a table Enter is then pressed on the text; elsewhere it is not, because every other
        prompt answers the text in its own way.
        """
        at_table = self.context == "table"
        for word, before, between in (
            ("zz", "", False),
            ("kept", "", True),
            *([("ahead", "1\r", True)] if at_table else []),
        ):
            text = f"{word}{self.keys}"
            self._resize(24, 80)
            # leave a search, a quotation or a paste; then clear the line
            self._send("\x1b[201~x\x07x")
            self._settle()
            self._send("x\x03")
            self._settle()
            self._see_board()
            starts = self.starts
            self.shown = b""
            self._send(before + text)
            if between:
                self._send(_F2)
                self._resize(20, 60)
                self._settle()
                self.shown = b""
                self._send(_CTRL_L)
                self._see(text, starts)
            if at_table:
                self._see_taken(text, starts)
            else:
                self._see(text, starts, stands=True)

    def _see_board(self) -> None:
        """Assert that there is one board in play, and at most one otherwise; count the boards."""
        assert self._is_right(), self._picture()
        self.boards += boards(self.screen)

    def _is_right(self) -> bool:
        """Return True if there is one board, or none while nobody plays.

        In a very low or narrow window there may be no board even in play, because Tab's list or a
        lesson may cover it.
        """
        screen, found = self.screen, boards(self.screen)
        last = screen.buffer[screen.lines - 1]
        status = "".join(last[at].data for at in range(screen.columns))
        is_in_play = (
            re.search(r"YOUR TURN|'s turn", status) is not None
            and min(screen.lines, screen.columns // 2) >= 12
        )
        return found == 1 or (found == 0 and not is_in_play)

    def _see_taken(self, text: str, starts: int) -> None:
        """Press Enter, and wait for the refusal that quotes the text.

        Do nothing if the program has been restarted.
        """
        if self.starts == starts:
            self._send("\r")
            self._see(f'"{text}" is not a command', starts, stands=True)

    def _see(self, text: str, starts: int, *, stands: bool = False) -> None:
        """Wait for a text, unless the program is restarted meanwhile.

        If `stands`, the text may be on the screen already: letters drawn over equal letters are not
        written again.
        """
        if self.starts == starts:
            self._wait_for(text.encode(), starts, text if stands else None)

    def _look(self) -> None:
        """Check the screen, usually after waiting a moment for output."""
        until = time.monotonic() + (DRAWING_S if self.chance.random() < 0.8 else 0.0)
        while not self._read() and time.monotonic() < until:
            time.sleep(0.001)
        self._see_board()

    def _settle(self) -> None:
        """Read until the program has been quiet for a moment."""
        quiet_at = time.monotonic() + 0.1
        while time.monotonic() < quiet_at:
            if self._read():
                quiet_at = time.monotonic() + 0.1
            else:
                time.sleep(0.005)

    def _resize(self, rows: int, columns: int) -> None:
        """Change the window, and wait until the program has redrawn it and is quiet.

        Until then, output sent before the change may be anywhere on the screen.
        """
        self._read()
        if (rows, columns) == (self.screen.lines, self.screen.columns) or self.program.closed:
            return
        self.screen.resize(rows, columns)
        self.is_resized = True
        termios.tcsetwinsize(self.program.child_fd, (rows, columns))
        deadline = time.monotonic() + WAIT_S
        self.is_cleared = False
        while not (self.is_cleared and self._is_right()):
            assert time.monotonic() < deadline, self._picture()
            self._settle()
        self.is_resized = False

    def _send(self, text: str) -> None:
        self.typed = [*self.typed, text][-20:]
        octets = text.encode("utf-8", "surrogatepass")
        while octets:
            try:
                octets = octets[os.write(self.program.child_fd, octets) :]
            except BlockingIOError:
                if not self._read():
                    time.sleep(0.002)
            except OSError:
                self._begin_again()
                return

    def _read(self) -> bool:
        """Read output; fail if it has an error, and restart the program if the keys left it.

        Return True if there was output or a restart.
        """
        try:
            octets = os.read(self.program.child_fd, 65536)
        except BlockingIOError:
            return False
        except OSError:
            octets = b""
        if not octets:
            self._begin_again()
            return True
        self.shown = (self.shown + octets)[-200_000:]
        if any(each in self.shown for each in _FAILED):
            self._read_all()
            raise AssertionError(self._story())
        self._draw(octets)
        return True

    def _draw(self, octets: bytes) -> None:
        """Feed output to the screen; check it after each drawing, except during a resize."""
        *drawn, self.begun = (self.begun + octets).split(DRAWN)
        for each in drawn:
            self.stream.feed(each)
            self.is_cleared |= b"\x1b[1;1H\x1b[K" in each
            if not self.is_resized:
                self._see_board()

    def _picture(self) -> str:
        return f"{boards(self.screen)} boards: {self._story()}"

    def _begin_again(self) -> None:
        code = self.program.program.wait(WAIT_S)
        assert code in ENDINGS, f"it ended with {code}: {self._story()}"
        self.program.close(force=True)
        self._start()

    def _wait_for(
        self, wanted: bytes, starts: int | None = None, standing: str | None = None
    ) -> None:
        """Wait until `wanted` is written or `standing` is on the screen.

        With `starts`, stop waiting if the program is restarted.
        """
        deadline = time.monotonic() + WAIT_S
        while wanted not in self.shown:
            if standing is not None and any(standing in row for row in self.screen.display):
                return
            assert time.monotonic() < deadline, f"no {wanted!r}: {self._story()}"
            if not self._read():
                time.sleep(0.002)
            if starts is not None and self.starts != starts:
                return

    def _read_all(self) -> None:
        """Read for one second, to get the end of a traceback, which has the most useful lines."""
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                self.shown += os.read(self.program.child_fd, 65536)

    def _story(self) -> str:
        last = self.shown[-20_000:].decode("utf-8", "replace")
        screen = "\n".join(self.screen.display)
        return f"after {self.keys} keys, the last {self.typed!r}, on\n{screen}\nit wrote:\n{last!r}"


def main() -> None:
    """Press as many random keys as the command line asks for, and print a summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", choices=PLACES, default="table", help="may open a table: menu")
    parser.add_argument("--together", type=int, default=TOGETHER_MAX, help="keys in one read")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        soak = Soak(Path(folder), options.seed, options.place, options.together)
        soak.run(options.keys)
    told = f"{soak.keys} keys with seed {options.seed} at the {options.place}"
    print(
        f"{told}, {soak.clicks} of them clicks, {soak.starts} starts, "
        f"{soak.boards} looks at one board: it always answered"
    )


if __name__ == "__main__":
    sys.exit(main())
