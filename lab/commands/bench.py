"""`boneyard bench`: every figure this program is held to, measured here and now."""

import argparse
import importlib
import importlib.util
import pkgutil
import sys
from typing import Final

import bench
from bench.figure import Figure, format_figures, to_json
from cli.exits import CommandFailed, ExitCode

_NO_PARTS: Final = ("figure",)


def parts() -> tuple[str, ...]:
    """Return the names of all parts: the modules of `bench` that measure something."""
    names = sorted(module.name for module in pkgutil.iter_modules(bench.__path__))
    return tuple(name for name in names if name not in _NO_PARTS and not name.startswith("_"))


def run(options: argparse.Namespace) -> ExitCode:
    """Measure the parts asked for, or all; figures that miss their goal do not fail it."""
    known = parts()
    for name in options.part:
        if name not in known:
            text = f"There is no part {name}; there are: {', '.join(known)}."
            raise CommandFailed(ExitCode.USAGE, text)
    figures: list[Figure] = []
    for name in options.part or known:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        module = importlib.import_module(f"bench.{name}")
        figures.extend(module.measure())
    print(to_json(figures) if options.json else format_figures(figures))
    return ExitCode.OK
