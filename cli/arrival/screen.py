"""Choosing the front end, and running a command on it."""

import argparse
import os
import sys
from collections.abc import Awaitable, Callable

import trio

from cli.exits import ExitCode
from cli.said.failures import as_failure
from cli.seat.frontend import FrontEnd


def at_screen(
    options: argparse.Namespace, main: Callable[[FrontEnd], Awaitable[ExitCode]]
) -> ExitCode:
    """Choose the front end and run the loop on it."""
    if options.json or options.plain or os.environ.get("ACCESSIBLE") or not _at_terminal():
        from cli.seat.json_lines import JsonFront
        from cli.seat.plain import PlainFront

        front = JsonFront() if options.json else PlainFront()
        return guarded(lambda: trio.run(main, front))
    from cli.seat.terminal import run_terminal

    return guarded(lambda: run_terminal(main))


def _at_terminal() -> bool:
    screen = sys.stdin.isatty() and sys.stdout.isatty()
    return screen and os.environ.get("TERM") != "dumb"


def guarded(work: Callable[[], int]) -> ExitCode:
    """Turn what a person can do something about into one sentence; bugs stay tracebacks."""
    try:
        return ExitCode(work())
    except BaseException as error:
        failure = as_failure(error)
        if failure is None:
            raise
        raise failure from None
