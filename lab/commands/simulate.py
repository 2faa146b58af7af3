"""`boneyard simulate`: many games without people, in search of failures.

`--tables` plays tables under random rules with open hands, and then a few more as peers play them,
with the real group; `--rules` plays at least twenty rounds of each preset, then of random rule
sets; `--seeds` and `--seconds` play whole tables of peers in virtual time, under faults; `--cheats`
does every cheat of the catalogue once, and prints how it was found out; `--crashes` plays two games
again and again, each time with a crash at a different effect of a seat.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from itertools import islice

from cli.exits import CommandFailed, ExitCode
from lab.simulation.game import Game
from lab.simulation.report import Report

_NETWORK_TABLES = 20
"""How many random tables use the real group by default; they take a few seconds."""

_TOLD_EVERY = 10
"""Rule sets between two lines of progress: about ten seconds."""


def run(options: argparse.Namespace) -> ExitCode:
    """Run the requested simulation and print its report.

    Return `FAILED` if anything went wrong, or else `INTERRUPTED` after an interruption.
    """
    report = _report(options)
    interrupted = False
    try:
        for done, _ in enumerate(report.work, 1):
            if options.rules is not None and done % _TOLD_EVERY == 0:
                print(f"{done} of {options.rules} rule sets", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        interrupted = True
    if options.json:
        print(json.dumps(report.facts(), ensure_ascii=False))
    else:
        failed = (line for each in report.failed for line in each.lines())
        print("\n".join((*report.lines(), *failed)))
    if report.failed:
        return ExitCode.FAILED
    return ExitCode.INTERRUPTED if interrupted else ExitCode.OK


def _report(options: argparse.Namespace) -> Report:
    if options.liars and options.seeds is None and options.seconds is None:
        raise CommandFailed(ExitCode.USAGE, "--liars goes with --seeds and --seconds.")
    if options.tables is not None:
        return _tables(options)
    if options.network is not None:
        raise CommandFailed(ExitCode.USAGE, "--network goes with --tables.")
    if options.rules is not None:
        return _tables(options)
    if options.crashes:
        from lab.simulation.printed_sweeps import CrashesReport

        if options.real:
            raise CommandFailed(ExitCode.USAGE, "--crashes plays with the toy group.")
        return CrashesReport(options.first, options.every or 1)
    if options.every is not None:
        raise CommandFailed(ExitCode.USAGE, "--every goes with --crashes.")
    if options.cheats:
        from lab.simulation.printed_sweeps import CheatsReport

        return CheatsReport(real=options.real)
    return _campaign(options)


def _tables(options: argparse.Namespace) -> Report:
    from lab.simulation.printed import TablesReport

    if options.toy or options.real:
        raise CommandFailed(ExitCode.USAGE, "--toy and --real go with games of peers.")
    if options.rules is not None:
        return TablesReport(options.first, options.rules, 0, by_rules=True)
    network = min(options.tables, _NETWORK_TABLES) if options.network is None else options.network
    return TablesReport(options.first, options.tables, network)


def _campaign(options: argparse.Namespace) -> Report:
    from lab.simulation.campaign import CampaignReport, games

    real = None
    if options.real or options.toy:
        real = options.real
    played = games(options.first, real=real, liars=options.liars)
    if options.seeds is not None:
        return CampaignReport(islice(played, options.seeds))
    return CampaignReport(_for_seconds(played, options.seconds))


def _for_seconds(played: Iterator[Game], seconds: int) -> Iterator[Game]:
    """Yield games until the time is up; finish the last one."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield next(played)
