"""Runs the real program at a pseudo-terminal of 120 columns by 40 rows, and times what it shows."""

import os
import pty
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import Final

LIMIT_S: Final = 120.0
PROMPT: Final = b"boneyard>"
TURN: Final = b"Play"
"""Part of the list of plays. Only changes are drawn, so a longer text might never appear whole."""
_QUIET_S: Final = 0.3
_REST_S: Final = 1.0


def keeping_bytecode(folder: str) -> dict[str, str]:
    """Return an environment in which compiled modules are kept in a folder, as after an install."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": folder}


class TimedTerminal:
    """Presses keys at a program's pseudo-terminal, reads what is shown, and measures the time."""

    def __init__(self, descriptor: int, process: int) -> None:
        self._descriptor = descriptor
        self._threads = Path(f"/proc/{process}/task")
        self._shown = b""
        os.set_blocking(descriptor, False)

    def seconds(self, keys: bytes, *wanted: bytes) -> float:
        """Press keys; return the seconds until the screen has shown all of `wanted`, in order.

        Without keys, what was shown earlier counts too. Raises `RuntimeError` after `LIMIT_S`.
        """
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

    def spent(self, keys: bytes, *wanted: bytes) -> float:
        """Press keys; return the processor seconds used until `wanted` is shown and all is quiet.

        The seconds that the program uses at rest in the same time are subtracted.
        """
        self._settle()
        at_rest, seconds = self._lasting(lambda: sleep(_REST_S))
        for_keys, more = self._lasting(lambda: self.seconds(keys, *wanted))
        return for_keys - at_rest * more / seconds

    def _lasting(self, act: Callable[[], object]) -> tuple[float, float]:
        """Do `act`, wait for a quiet screen, and return the processor and wall seconds taken."""
        before = self._processor_s()
        start = perf_counter()
        act()
        self._settle()
        return self._processor_s() - before, perf_counter() - start

    def _processor_s(self) -> float:
        """Return the processor seconds of all the program's threads so far (Linux, sched-stats)."""
        told = (thread / "schedstat" for thread in self._threads.iterdir())
        return sum(int(each.read_text().split()[0]) for each in told) / 1e9

    def press(self, keys: bytes) -> None:
        """Press keys once the screen is quiet."""
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
        return True


@contextmanager
def at_terminal(environment: Mapping[str, str], *words: str) -> Iterator[TimedTerminal]:
    """Start the program at its own terminal, and end it at the end of the block.

    `words` are the arguments of the Python interpreter.
    """
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (40, 120))
    here = {**environment, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": ""}
    with subprocess.Popen(
        [sys.executable, *words],
        stdin=its,
        stdout=its,
        stderr=its,
        env=here,
        start_new_session=True,
    ) as process:
        os.close(its)
        try:
            yield TimedTerminal(ours, process.pid)
        finally:
            process.kill()
            os.close(ours)
