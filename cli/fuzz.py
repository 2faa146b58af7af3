"""`boneyard fuzz`: mutated inputs for every reader, in search of what must never happen."""

from __future__ import annotations

import json
import math
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio

from cli.exits import CommandFailed, ExitCode
from cli.fuzzing.campaign import Count, fuzz
from cli.fuzzing.parts import Part, parts

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]

_INPUTS: Final = 100_000
_SHOWN: Final = 20
"""Failures that are printed for each part; all are counted."""


def run(options: argparse.Namespace) -> ExitCode:
    """Fuzz the parts asked for, or all; fails if any input broke or slowed down its reader."""
    chosen = _chosen(options.part)
    inputs = options.inputs or (math.inf if options.seconds else _INPUTS)
    end_at = time.monotonic() + options.seconds if options.seconds else math.inf
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        counts = trio.run(fuzz, chosen, Path(folder), options.seed, options.first, inputs, end_at)
    spent = time.monotonic() - start
    if options.json:
        print(json.dumps(_as_json(counts, options.seed, spent)))
    else:
        print("\n".join(_lines(counts, options.seed, spent)))
    return ExitCode.FAILED if any(count.failures for count in counts) else ExitCode.OK


def _chosen(names: list[str]) -> tuple[Part, ...]:
    known = {part.name: part for part in parts()}
    for name in names:
        if name not in known:
            text = f"There is no part {name}; there is: {', '.join(known)}."
            raise CommandFailed(ExitCode.USAGE, text)
    return tuple(known[name] for name in names or known)


def _lines(counts: tuple[Count, ...], seed: int, spent: float) -> list[str]:
    lines = [f"{'part':12}{'inputs':>12}{'taken':>12}{'failures':>10}  slowest"]
    for count in counts:
        slowest = f"{count.slowest_s * 1000:.2f} ms (input {count.slowest})"
        failed = len(count.failures)
        lines.append(
            f"{count.name:12}{count.inputs:>12,}{count.taken:>12,}{failed:>10,}  {slowest}"
        )
    inputs = sum(count.inputs for count in counts)
    failures = sum(len(count.failures) for count in counts)
    lines.append(f"{inputs:,} inputs from seed {seed} in {spent:.1f} s; {failures:,} failures.")
    for count in counts:
        for failure in count.failures[:_SHOWN]:
            lines += [f"{failure.part}: {failure.what}", f"    {failure.again(seed)}"]
    return lines


def _as_json(counts: tuple[Count, ...], seed: int, spent: float) -> dict[str, object]:
    rows = [
        {
            "part": count.name,
            "inputs": count.inputs,
            "taken": count.taken,
            "slowest_ms": count.slowest_s * 1000,
            "failures": [
                {"input": each.index, "what": each.what, "again": each.again(seed)}
                for each in count.failures
            ],
        }
        for count in counts
    ]
    return {"seed": seed, "seconds": spent, "parts": rows}
