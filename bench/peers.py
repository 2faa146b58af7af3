"""What a game costs each peer where every peer is a process of its own, over loopback sockets.

Processor time is each process's own. The wall clock says little: all computers share this one.
"""

import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from bench.figure import Figure, format_figures


class Outlay(NamedTuple):
    """What a process had spent when it was told of something: seconds; and the MiB it held."""

    word: str
    cpu: float
    at: float
    mib: float


def run_table(seats: int, pips: int, rounds: int) -> list[list[Outlay]]:
    """Play a game in so many processes; what each was told of, in order."""
    with tempfile.TemporaryDirectory(prefix="boneyard-") as name:
        running, place = list[subprocess.Popen[str]](), "-"
        for number in range(seats):
            words = (number, Path(name) / str(number), seats, pips, rounds, place)
            command = [sys.executable, "-m", "bench._peer", *map(str, words)]
            running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
            said = running[-1].stdout
            assert said is not None
            port = said.readline().strip()
            place = place if number else f"127.0.0.1:{port}"
        outputs = [process.communicate()[0] for process in running]
    return [[_outlay(*line.split()) for line in output.splitlines()] for output in outputs]


def _outlay(word: str, cpu: str, at: str, mib: str) -> Outlay:
    return Outlay(word, float(cpu), float(at), float(mib))


def spent(told: list[list[Outlay]]) -> dict[tuple[str, str], list[float]]:
    """What each peer spent on the first deal and on each round's play; name and unit of each."""
    figures: dict[tuple[str, str], list[float]] = defaultdict(list)
    for marks in told:
        figures["held when the game was over", "MiB"].append(marks[-1].mib)
        for before, after in pairwise(marks):
            if after.word == "Dealt" and before.word == "GameStarted":
                figures["first deal, processor", "s"].append(after.cpu - before.cpu)
                figures["first deal, wall", "s"].append(after.at - before.at)
                figures["held after the deal", "MiB"].append(after.mib)
            if after.word in ("RoundOver", "GameOver"):
                figures["a round's play, processor", "s"].append(after.cpu - before.cpu)
    return figures


def measure(seats: int = 8, pips: int = 12, rounds: int = 1) -> list[Figure]:
    """Play one game; give the medians over all peers."""
    figures = spent(run_table(seats, pips, rounds)).items()
    return [
        Figure(f"{name}, {seats} processes", statistics.median(values), unit)
        for (name, unit), values in figures
    ]


if __name__ == "__main__":
    print(format_figures(measure(*map(int, sys.argv[1:]))))
