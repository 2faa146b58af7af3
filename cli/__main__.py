"""Where the program starts: arguments in, exit code out.

Every command's module is imported when it is asked for, never before.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from cli.commands.arguments import read_arguments
from cli.exits import CommandFailed, ExitCode
from cli.visible import guard_streams, visible

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; a person gets one sentence for what went wrong, never a traceback."""
    guard_streams()
    options = read_arguments(argv)
    try:
        code = _run(options)
        sys.stdout.flush()
    except CommandFailed as failed:
        print(visible(failed.sentence), file=sys.stderr)
        code = failed.code
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has seen enough; the interpreter must not complain at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = ExitCode.OK
    return int(code)


def _run(options: argparse.Namespace) -> ExitCode:
    match options.command:
        case "play" | "host" | "join" | "resume" | "tables" | None:
            from cli.commands.tables import run

            return run(options)
        case "bench":
            from cli.commands.bench import run as run_bench

            return run_bench(options)
        case "doctor":
            from cli.commands.doctor import run as run_doctor

            return run_doctor(options)
        case "fuzz":
            from cli.commands.fuzz import run as run_fuzz

            return run_fuzz(options)
        case "simulate":
            from cli.commands.simulate import run as run_simulate

            return run_simulate(options)
        case _:
            from cli.commands.offline import run as run_offline

            return run_offline(options)


if __name__ == "__main__":
    sys.exit(main())
