"""From `boneyard play` to a dealt hand: the real command, as a whole process.

The time includes the interpreter, three bots that sit down as peers, and a verified deal.
"""

import subprocess
import sys
import tempfile
from statistics import median
from time import perf_counter
from typing import Final

from bench.figure import Figure, format_figures

GOAL_S: Final = 3.0
LIMIT_S: Final = 60.0
_DEALT: Final = "dealt"
"""The word that the plain front end greets a new hand with."""


def measure(repeat: int = 3, bots: int = 3) -> list[Figure]:
    """Measure the median over some runs at a double-12 table with `bots` bots."""
    times = [_one_run(bots) for _ in range(repeat)]
    goal = f"with {bots} bots, double-12"
    return [Figure("boneyard play to a dealt hand", median(times), "s", GOAL_S, goal)]


def _one_run(bots: int) -> float:
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        command = [sys.executable, "-m", "cli", "play", "--bots", str(bots), "--plain"]
        start = perf_counter()
        with subprocess.Popen(
            [*command, "--data", folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                return _seconds_to_hand(process, start)
            finally:
                process.kill()


def _seconds_to_hand(process: subprocess.Popen[str], start: float) -> float:
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if _DEALT in line:
            return perf_counter() - start
        if perf_counter() - start > LIMIT_S:
            break
    raise RuntimeError("no hand was dealt; the command said: " + "".join(said))


if __name__ == "__main__":
    print(format_figures(measure()))
