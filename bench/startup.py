"""How long `boneyard --help` takes, as a whole process."""

import subprocess
import sys
from statistics import median
from time import perf_counter
from typing import Final

from bench.figure import Figure

GOAL_S: Final = 0.1


def measure(repeat: int = 9) -> list[Figure]:
    """Measure the median wall time of `--help`, interpreter included, after one run to warm up."""
    times = [_one_run() for _ in range(repeat + 1)][1:]
    return [Figure("boneyard --help", median(times), "s", GOAL_S, "start of a whole process")]


def _one_run() -> float:
    start = perf_counter()
    subprocess.run([sys.executable, "-m", "cli", "--help"], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start
