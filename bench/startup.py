"""How long `boneyard --help` takes, as a whole process."""

import subprocess
import sys
import tempfile
from statistics import median
from time import perf_counter
from typing import Final

from bench._machine import deaf_to_ctrl_c
from bench._terminal import keeping_bytecode
from bench.figure import Figure

GOAL_S: Final = 0.1


def measure(repeat: int = 9) -> list[Figure]:
    """Measure the median wall time of `--help`, interpreter included, after one warm-up run."""
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        times = [_one_run(folder) for _ in range(repeat + 1)][1:]
    return [Figure("boneyard --help", median(times), "s", GOAL_S, "start of a whole process")]


def _one_run(bytecode: str) -> float:
    command = [sys.executable, "-m", "cli", "--help"]
    environment = keeping_bytecode(bytecode)
    with deaf_to_ctrl_c():
        start = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        return perf_counter() - start
