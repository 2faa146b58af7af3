"""`boneyard bench`: every figure this program is held to, measured here and now."""

import argparse
import importlib
import importlib.util
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import bench
from bench._machine import this_machine
from bench.figure import Figure, format_figures, format_table, summed_up, to_json
from cli.exits import CommandFailed, ExitCode

_NO_PARTS: Final = ("figure",)
_RUNS_OF_A_TABLE: Final = 3


def parts() -> tuple[str, ...]:
    """Return the names of all parts: the modules of `bench` that measure something."""
    names = sorted(module.name for module in pkgutil.iter_modules(bench.__path__))
    return tuple(name for name in names if name not in _NO_PARTS and not name.startswith("_"))


def measured_in(clone: Path, part: str) -> list[Figure]:
    """Measure a part in another clone, as it measures; nothing where it has no such part."""
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


def run(options: argparse.Namespace) -> ExitCode:
    """Measure the parts asked for, or all; it is for `strict` to fail where a goal is missed.

    With another clone `before`, every run here follows one there.
    """
    known = parts()
    for name in options.part:
        if name not in known:
            text = f"There is no part {name}; there are: {', '.join(known)}."
            raise CommandFailed(ExitCode.USAGE, text)
    runs = options.repeat or (_RUNS_OF_A_TABLE if options.table else 1)
    figures, former = list[Figure](), list[Figure]()
    for name in options.part or known:
        module = importlib.import_module(f"bench.{name}")
        measured, elsewhere = [], []
        for number in range(1, runs + 1):
            print(f"measuring {name}, {number} of {runs} ...", file=sys.stderr, flush=True)
            if options.before:
                elsewhere.append(measured_in(options.before, name))
            measured.append(module.measure())
        figures.extend(summed_up(measured))
        former.extend(summed_up(elsewhere))
    if options.table or (options.before and not options.json):
        print(f"{this_machine()}; medians of {runs}.\n\n{format_table(figures, former)}")
    else:
        print(to_json(figures, former) if options.json else format_figures(figures))
    missed = [figure.name for figure in figures if not figure.ok]
    if options.strict and missed:
        raise CommandFailed(ExitCode.FAILED, f"Goals missed: {'; '.join(missed)}.")
    return ExitCode.OK
