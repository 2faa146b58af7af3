"""The program's entry point: arguments in, exit code out.

A command's module is imported only when that command runs.
"""

import gc
import sys
from collections.abc import Sequence
from importlib import import_module

from cli.arguments.parser import LAB_COMMANDS, TABLE_COMMANDS, read_arguments
from cli.exits import CommandFailed, ExitCode, as_failure
from cli.language import ENGLISH, speak, tell_argparse
from cli.logbook import LOG, begin_log
from cli.screens.runs import AtScreen
from cli.settings.place import language_wanted
from cli.signals import end_quietly, hearing
from cli.streams import lead_nowhere, standard_error, standard_output
from cli.visible import guard_streams, print_line


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in `argv`, or on the command line if None; return the exit code.

    A mistake that a person can mend becomes one sentence on standard error, and the exit code tells
    its kind. Ctrl-C gives 130. If the reader of standard output has closed it, the code is 141 in a
    game, else 0. Raises `SystemExit` for `--help`, for wrong arguments and when the system ends the
    program. A bug is logged and raised.
    """
    guard_streams()
    try:
        with hearing():
            return int(_done(argv))
    finally:
        if argv is None:  # the process ends with this
            end_quietly()


async def main_here(argv: Sequence[str]) -> int:
    """Run a command in the caller's asyncio loop, on the streams that `served_by` has set.

    Otherwise like `main`; the caller handles signals.
    """
    said = _Said()
    with said:
        end = _begun(argv, said)
        said.code = await end.here() if isinstance(end, AtScreen) else end
        standard_output().flush()
    return int(said.code)


def _done(argv: Sequence[str] | None) -> ExitCode:
    """Run the command, report what went wrong, and return the exit code; raises as `main` does."""
    said = _Said()
    with said:
        end = _begun(argv, said)
        said.code = end.run() if isinstance(end, AtScreen) else end
        standard_output().flush()
    return said.code


class _Said:
    """A context manager that reports the error that ends a command, and keeps its exit code."""

    def __init__(self) -> None:
        self.code = ExitCode.OK
        self.alone, self.plays = True, False
        """`alone` is true if the command needs no network, and `plays` if it is a game."""

    def __enter__(self) -> None:
        """Enter the block."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        """Report the error and set `code`; return False if `main` has to raise it all the same."""
        if error is None:
            return False
        if isinstance(error, SystemExit):
            # `--help`, argparse's complaint and a farewell have said everything already
            _give_up_unwritten()
            return False
        match as_failure(error, alone=self.alone):
            case CommandFailed() as failed:
                _give_up_unwritten()
                print_line(failed.sentence, standard_error())
                self.code = failed.code
            case KeyboardInterrupt():
                self.code = ExitCode.INTERRUPTED
            case BrokenPipeError():  # the reader of our output has seen enough
                _give_up_unwritten()
                self.code = ExitCode.CUT_OFF if self.plays else ExitCode.OK
            case None:
                LOG.error("this is a bug", exc_info=error)
                return False
        return True


def _begun(argv: Sequence[str] | None, said: _Said) -> AtScreen | ExitCode:
    """Read the arguments and run the module of the command, or the menu if none is named.

    Returns the command's exit code, or the `AtScreen` that runs it. With `--json` everything from
    here on is said in English, because programs read it.
    """
    speak(language := language_wanted())
    tell_argparse(language)
    options = read_arguments(argv)
    command = options.command or "menu"
    said.plays = command in ("menu", "learn", "demo", *TABLE_COMMANDS) and command != "tables"
    said.alone = not said.plays and command not in ("tables", "doctor", "selftest", "share")
    if options.verbose:
        print_line(begin_log(command), standard_error())
    if options.json:
        speak(ENGLISH)
    room = "lab" if command in LAB_COMMANDS else "cli"
    name = "tables" if command in TABLE_COMMANDS else command
    module = import_module(f"{room}.commands.{name}")
    gc.freeze()  # imported objects live on: the collector need not scan them
    end: AtScreen | ExitCode = module.run(options)
    return end


def _give_up_unwritten() -> None:
    """Flush standard output; if nobody reads it, discard all output from now on.

    The interpreter then has nothing to complain about at exit.
    """
    try:
        standard_output().flush()
    except (CommandFailed, BrokenPipeError):
        lead_nowhere()


if __name__ == "__main__":
    sys.exit(main())
