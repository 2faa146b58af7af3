"""Where the program starts: arguments in, exit code out.

Every command's module is imported when it is asked for, never before.
"""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from cli.arguments.parser import LAB_COMMANDS, TABLE_COMMANDS, read_arguments
from cli.exits import CommandFailed, ExitCode, as_failure
from cli.language import ENGLISH, speak, tell_argparse
from cli.logbook import LOG, begin_log
from cli.settings.place import language_wanted
from cli.signals import end_quietly, hearing
from cli.visible import guard_streams, print_line


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command of `argv`, or of the command line if None; return the exit code.

    What a person can mend is one sentence on standard error, and the code says which kind it was.
    Ctrl-C gives 130; a reader that has closed our output gives 141 in a game, else 0. Raises
    `SystemExit` for `--help`, wrong arguments and an end that the system asks for; a bug is logged
    and raised.
    """
    guard_streams()
    try:
        with hearing():
            return int(_done(argv))
    finally:
        if argv is None:  # the process ends with this
            end_quietly()


def _done(argv: Sequence[str] | None) -> ExitCode:
    """Run the command, and say what went wrong; raises as `main`."""
    alone, plays = True, False
    try:
        speak(language := language_wanted())
        tell_argparse(language)
        options = read_arguments(argv)
        command = options.command or "menu"
        plays = command in ("menu", "learn", "demo", *TABLE_COMMANDS) and command != "tables"
        alone = not plays and command not in ("tables", "doctor")
        if options.verbose:
            print_line(begin_log(command), sys.stderr)
        code = _run(options)
        sys.stdout.flush()
    except SystemExit:  # `--help`, argparse's complaint and a farewell say all there is to say
        _give_up_unwritten()
        raise
    except BaseException as error:
        match as_failure(error, alone=alone):
            case CommandFailed() as failed:
                _give_up_unwritten()
                print_line(failed.sentence, sys.stderr)
                code = failed.code
            case KeyboardInterrupt():
                code = ExitCode.INTERRUPTED
            case BrokenPipeError():  # whoever read our output has seen enough
                _give_up_unwritten()
                code = ExitCode.CUT_OFF if plays else ExitCode.OK
            case None:
                LOG.exception("this is a bug")
                raise
    return code


def _run(options: argparse.Namespace) -> ExitCode:
    """Run the module of the command, or the menu if none is named; return its exit code.

    With `--json` everything is said in English from here on, as programs read it.
    """
    if options.json:
        speak(ENGLISH)
    room = "lab" if options.command in LAB_COMMANDS else "cli"
    name = "tables" if options.command in TABLE_COMMANDS else options.command or "menu"
    module = import_module(f"{room}.commands.{name}")
    gc.freeze()  # what has been imported stays: nobody need look through it for garbage
    code: ExitCode = module.run(options)
    return code


def _give_up_unwritten() -> None:
    """Flush standard output; if nobody takes it, lead it nowhere from now on.

    The interpreter then has nothing to complain of at exit.
    """
    try:
        sys.stdout.flush()
    except (CommandFailed, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
