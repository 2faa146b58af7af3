"""`boneyard bench`: measurements of this program against its goals, on this computer."""

import argparse
import importlib
import importlib.util
import json
import os
import pkgutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import bench
from bench._machine import this_machine
from bench.figure import Figure, format_figures, format_table, summed_up, to_json
from cli.exits import CommandFailed, ExitCode, as_failure

_NO_PARTS: Final = ("figure",)
_RUNS_OF_A_TABLE: Final = 3


def parts() -> tuple[str, ...]:
    """Return the names of all parts: the modules of `bench` that measure something."""
    names = sorted(module.name for module in pkgutil.iter_modules(bench.__path__))
    return tuple(name for name in names if name not in _NO_PARTS and not name.startswith("_"))


def measured_in(clone: Path, part: str) -> list[Figure]:
    """Measure a part in another clone, with its code; return no figures if it lacks the part.

    Raises `CommandFailed` if the measurement fails there.
    """
    command = ("uv", "run", "--offline", "boneyard", "bench", part, "--json")
    its_own = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run(
        command, cwd=clone, env=its_own, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode == ExitCode.USAGE:
        return []
    if done.returncode != ExitCode.OK:
        text = f"{clone} cannot measure {part}: what went wrong there stands above."
        raise CommandFailed(ExitCode.FAILED, text)
    rows = json.loads(done.stdout)
    return [Figure(row["name"], row["value"], row["unit"]) for row in rows]


def _measured(
    names: Sequence[str], runs: int, before: Path | None
) -> tuple[list[Figure], list[Figure]]:
    """Measure these parts `runs` times, here and in the clone `before` if there is one.

    Print progress. Return the figures measured here, then those measured in the other clone.
    """
    figures, former = list[Figure](), list[Figure]()
    for at, name in enumerate(names, 1):
        module = importlib.import_module(f"bench.{name}")
        measured, elsewhere = [], []
        for number in range(1, runs + 1):
            print(_progress(name, (at, len(names)), (number, runs)), file=sys.stderr, flush=True)
            if before:
                elsewhere.append(measured_in(before, name))
            measured.append(module.measure())
        figures.extend(summed_up(measured))
        former.extend(summed_up(elsewhere))
    return figures, former


def _progress(name: str, part: tuple[int, int], run: tuple[int, int]) -> str:
    """Return a line of progress: the part, and the numbers of part and run if there are several."""
    said = [f"part {part[0]} of {part[1]}"] if part[1] > 1 else []
    said += [f"run {run[0]} of {run[1]}"] if run[1] > 1 else []
    return f"measuring {', '.join((name, *said))} ..."


def run(options: argparse.Namespace) -> ExitCode:
    """Measure the requested parts, or all, and print the figures.

    With `strict`, a missed goal is a failure. With another clone `before`, every run here follows
    one there. Raises `CommandFailed` for an unknown part, a failure in the other clone, a goal
    missed under `strict`, or an interruption.
    """
    known = parts()
    for name in options.part:
        if name not in known:
            text = f"There is no part {name}; there are: {', '.join(known)}."
            raise CommandFailed(ExitCode.USAGE, text)
    runs = options.repeat or (_RUNS_OF_A_TABLE if options.table else 1)
    try:
        figures, former = _measured(options.part or known, runs, options.before)
    except BaseException as error:
        if isinstance(as_failure(error), KeyboardInterrupt):
            text = "You have stopped this: nothing is told of what was measured."
            raise CommandFailed(ExitCode.INTERRUPTED, text) from error
        raise
    if options.table or (options.before and not options.json):
        print(f"{this_machine()}; medians of {runs}.\n\n{format_table(figures, former)}")
    else:
        print(to_json(figures, former) if options.json else format_figures(figures))
    missed = [figure.name for figure in figures if not figure.ok]
    if options.strict and missed:
        raise CommandFailed(ExitCode.FAILED, f"Goals missed: {'; '.join(missed)}.")
    return ExitCode.OK
