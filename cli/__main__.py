"""Where the program starts: arguments in, exit code out.

Every command's module is imported when it is asked for, never before.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from cli.arguments.parser import LAB_COMMANDS, read_arguments
from cli.exits import CommandFailed, ExitCode
from cli.visible import guard_streams, visible


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; a person gets one sentence for what went wrong, never a traceback."""
    guard_streams()
    try:
        code = _run(read_arguments(argv))
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
    """Run the module that is called like the command; without a command, the menu."""
    room = "lab" if options.command in LAB_COMMANDS else "cli"
    module = import_module(f"{room}.commands.{options.command or 'menu'}")
    code: ExitCode = module.run(options)
    return code


if __name__ == "__main__":
    sys.exit(main())
