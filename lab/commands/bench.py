"""`boneyard bench`: every figure this program is held to, measured here and now."""

import argparse
import importlib
import importlib.util
import pkgutil
import sys
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


def run(options: argparse.Namespace) -> ExitCode:
    """Measure the parts asked for, or all; it is for `strict` to fail where a goal is missed."""
    known = parts()
    for name in options.part:
        if name not in known:
            text = f"There is no part {name}; there are: {', '.join(known)}."
            raise CommandFailed(ExitCode.USAGE, text)
    runs = options.repeat or (_RUNS_OF_A_TABLE if options.table else 1)
    figures: list[Figure] = []
    for name in options.part or known:
        module = importlib.import_module(f"bench.{name}")
        measured = []
        for number in range(1, runs + 1):
            print(f"measuring {name}, {number} of {runs} ...", file=sys.stderr, flush=True)
            measured.append(module.measure())
        figures.extend(summed_up(measured))
    if options.table:
        print(f"{this_machine()}; medians of {runs}.\n\n{format_table(figures)}")
    else:
        print(to_json(figures) if options.json else format_figures(figures))
    missed = [figure.name for figure in figures if not figure.ok]
    if options.strict and missed:
        raise CommandFailed(ExitCode.FAILED, f"Goals missed: {'; '.join(missed)}.")
    return ExitCode.OK
