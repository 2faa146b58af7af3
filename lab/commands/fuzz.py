"""`boneyard fuzz`: mutated inputs for every reader, in search of failures."""

import argparse
import json
import math
import multiprocessing
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from cli.exits import CommandFailed, ExitCode
from cli.screens.ending import run_trio
from lab.fuzzing.campaign import Count, Lot, fuzz, together
from lab.fuzzing.part import Part
from lab.fuzzing.parts import parts

_INPUTS: Final = 100_000
_SHOWN: Final = 20
"""Failures to print for each part; all are counted."""


def run(options: argparse.Namespace) -> ExitCode:
    """Fuzz the requested parts, or all, and print the counts and failures.

    Return `FAILED` if any input broke its reader or took too long to read.
    """
    _chosen(options.part)
    start = time.monotonic()
    runs = (_run(names, lot, options.processes) for names, lot in _lots(options))
    counts = tuple(chain.from_iterable(runs))
    spent = time.monotonic() - start
    if options.json:
        print(json.dumps(_as_json(counts, options.seed, spent)))
    else:
        print("\n".join(_lines(counts, options.seed, spent)))
    return ExitCode.FAILED if any(count.failures for count in counts) else ExitCode.OK


def _lots(options: argparse.Namespace) -> list[tuple[list[str], Lot]]:
    """Return the lots of inputs to run, each with the names of its parts.

    `--records` and `--built` each add a lot for a single part.
    """
    records = ("spoilt-records", options.records), ("built-records", options.built)
    asked = [([name], float(count)) for name, count in records if count]
    end_at = time.monotonic() + options.seconds if options.seconds else math.inf
    if not asked or options.part or options.inputs:
        inputs = options.inputs or (math.inf if options.seconds else _INPUTS)
        asked.append((options.part, inputs))
    return [(names, Lot(options.seed, options.first, inputs, end_at)) for names, inputs in asked]


def _alone(names: list[str], lot: Lot) -> tuple[Count, ...]:
    chosen = _chosen(names)
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        return run_trio(partial(fuzz, chosen, Path(folder), lot))


def _run(names: list[str], lot: Lot, processes: int) -> tuple[Count, ...]:
    """Run all inputs, in this process or shared among several."""
    if processes == 1:
        return _alone(names, lot)
    lots = [lot._replace(turn=turn, turns=processes) for turn in range(processes)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        try:
            return together(list(pool.map(partial(_alone, names), lots)))
        except BrokenProcessPool:
            text = "A process died without a word; run the parts one by one to see which input did."
            raise CommandFailed(ExitCode.FAILED, text) from None


def _chosen(names: list[str]) -> tuple[Part, ...]:
    known = {part.name: part for part in parts()}
    for name in names:
        if name not in known:
            text = f"There is no part {name}; there are: {', '.join(known)}."
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
    failures = [failure.slow for count in counts for failure in count.failures]
    lines.append(
        f"{inputs:,} inputs from seed {seed} in {spent:.1f} s; {len(failures):,} failures: "
        f"{failures.count(False):,} uncaught or wrongly taken, {sum(failures):,} too slow."
    )
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
                {
                    "input": each.index,
                    "what": each.what,
                    "slow": each.slow,
                    "again": each.again(seed),
                }
                for each in count.failures
            ],
        }
        for count in counts
    ]
    return {"seed": seed, "seconds": spent, "parts": rows}
