"""What a person at the prompt waits for: the real program at a pseudo-terminal of 120 by 40.

At a table of eight with a double-18 set, in one's first turn: from a key to its echo, from Tab to a
menu, from Enter to a table drawn anew; and from the start of the program to its first prompt.
"""

import os
import pty
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter, sleep
from typing import Final

from bench.figure import Figure, format_figures, middle

ECHO_GOAL_S: Final = 0.03
REDRAW_GOAL_S: Final = 0.05
PROMPT_GOAL_S: Final = 0.7
LIMIT_S: Final = 120.0
_PROMPT: Final = b"boneyard> "
_TURN: Final = b"Play  1: "
_CURSOR_ASKED: Final = b"\x1b[6n"
_ORIGIN: Final = b"\x1b[1;1R"
_QUIET_S: Final = 0.3
_WHERE: Final = "8 seats, double-18"


class TimedTerminal:
    """The near end of a pseudo-terminal, which answers where its cursor is."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._shown = b""
        os.set_blocking(descriptor, False)

    def seconds(self, keys: bytes, *wanted: bytes) -> float:
        """Return how long it takes from these keys until all of this has been shown, in order."""
        if keys:
            self._settle()
            self._shown = b""
        start = perf_counter()
        os.write(self._descriptor, keys)
        while not self._has(wanted):
            self._read()
            if perf_counter() - start > LIMIT_S:
                raise RuntimeError(f"no {wanted!r} was shown, but: {self._shown[-2000:]!r}")
        return perf_counter() - start

    def press(self, keys: bytes) -> None:
        """Press keys once all is quiet."""
        self._settle()
        os.write(self._descriptor, keys)

    def _has(self, wanted: tuple[bytes, ...]) -> bool:
        at = 0
        for each in wanted:
            at = self._shown.find(each, at) + len(each)
            if at < len(each):
                return False
        return True

    def _settle(self) -> None:
        quiet_at = perf_counter() + _QUIET_S
        while perf_counter() < quiet_at:
            if self._read():
                quiet_at = perf_counter() + _QUIET_S

    def _read(self) -> bool:
        try:
            octets = os.read(self._descriptor, 65536)
        except BlockingIOError:
            sleep(0.0005)
            return False
        self._shown += octets
        os.write(self._descriptor, _ORIGIN * octets.count(_CURSOR_ASKED))
        return True


@contextmanager
def _program(folder: str, *words: str) -> Iterator[TimedTerminal]:
    """Start the program at a terminal of its own, and end it at the end of the block."""
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (40, 120))
    command = [sys.executable, "-m", "cli", *words, "--pace", "0", "--data", folder]
    environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": ""}
    with subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True
    ) as process:
        os.close(its)
        try:
            yield TimedTerminal(ours)
        finally:
            process.kill()
            os.close(ours)


def measure(repeat: int = 9) -> list[Figure]:
    """Measure keys at a large table, and the first prompt of a small one."""
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        prompts = [_first_prompt(folder) for _ in range(max(3, repeat // 3))]
        bots = ",".join(["easy"] * 7)
        with _program(folder, "play", "--set", "18", "--seed", "7", "--bots", bots) as terminal:
            terminal.seconds(b"", _TURN, _PROMPT)
            echoes, menus, redraws = [], [], []
            for _ in range(repeat):
                echoes.append(terminal.seconds(b"h", b"h"))
                menus.append(terminal.seconds(b"\t", b"hint"))
                terminal.press(b"\x07\x15x\x03")
                redraws.append(terminal.seconds(b"\r", _TURN, _PROMPT))
    return [
        middle("key to its echo", echoes, "s", ECHO_GOAL_S, _WHERE),
        middle("Tab to a menu", menus, "s", ECHO_GOAL_S, _WHERE),
        middle("Enter to a new board", redraws, "s", REDRAW_GOAL_S, _WHERE),
        Figure("boneyard play to its prompt", median(prompts), "s", PROMPT_GOAL_S, "one bot"),
    ]


def _first_prompt(folder: str) -> float:
    start = perf_counter()
    with _program(folder, "play", "--set", "6", "--bots", "1") as terminal:
        terminal.seconds(b"", _PROMPT)
        return perf_counter() - start


if __name__ == "__main__":
    print(format_figures(measure()))
