"""The streams that the program reads and writes: those of its process, or of its caller.

Only this module looks up standard input and output, and knows what a terminal is. A caller with
streams of their own sets `STREAMS` for the task that serves a person, just as
`cli.settings.place.ENVIRONMENT` has that person's variables.
"""

import errno
import os
import shutil
import sys
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import Final, Literal, NamedTuple, TextIO

from cli.exits import ExitCode
from cli.signals import ask_for_end


class Streams(NamedTuple):
    """The streams that serve one person."""

    input: TextIO
    output: TextIO
    errors: TextIO
    window: Callable[[], tuple[int, int]] | None = None
    """Returns the columns and rows of the window that `output` goes to; None if it has none."""
    hears: Callable[[str], None] | None = None
    """Takes each line said at a drawn screen; None if nobody wants those lines."""


STREAMS: Final[ContextVar[Streams | None]] = ContextVar("streams", default=None)
"""The streams of the person that this task serves; None for the process's own."""


def standard_input() -> TextIO:
    """Return the stream from which lines are read."""
    given = STREAMS.get()
    return sys.stdin if given is None else given.input


def standard_output() -> TextIO:
    """Return the stream to which answers are written."""
    given = STREAMS.get()
    return sys.stdout if given is None else given.output


def standard_error() -> TextIO:
    """Return the stream to which complaints and progress are written."""
    given = STREAMS.get()
    return sys.stderr if given is None else given.errors


def who_hears() -> Callable[[str], None] | None:
    """Return the function that takes each line said at a drawn screen, or None."""
    given = STREAMS.get()
    return None if given is None else given.hears


def is_terminal(stream: TextIO | int | None = None) -> bool:
    """Return True if a stream or a descriptor, by default the output, is a terminal."""
    if isinstance(stream, int):
        return os.isatty(stream)
    return (standard_output() if stream is None else stream).isatty()


def has_terminal() -> bool:
    """Return True if input and output are both terminals."""
    return standard_input().isatty() and is_terminal()


def can_draw() -> bool:
    """Return True if `has_terminal`, and `TERM` is not `dumb`, so that lines can be redrawn."""
    return has_terminal() and os.environ.get("TERM") != "dumb"


def window(otherwise: tuple[int, int] = (80, 24)) -> os.terminal_size:
    """Return the columns and lines of the window as it is now, or `otherwise` if there is none."""
    given = STREAMS.get()
    if given is None:
        return shutil.get_terminal_size(otherwise)
    return os.terminal_size(otherwise if given.window is None else given.window())


def octets_of(descriptor: int | None) -> Callable[[int], bytes]:
    """Return a function that waits for input and reads at most the number of octets it is given.

    It reads from the descriptor, or else from the input. From a caller's input it reads a whole
    line in UTF-8, regardless of the number.
    """
    given = STREAMS.get()
    if descriptor is None and given is not None:
        return lambda _octets_max: given.input.readline().encode()
    return partial(os.read, 0 if descriptor is None else descriptor)


def device_encoding(descriptor: int | None) -> str | None:
    """Return the encoding of the stream that `octets_of` reads, if it is a window's; else None."""
    if descriptor is None and STREAMS.get() is not None:
        return None
    return os.device_encoding(0 if descriptor is None else descriptor)


def ask_line(question: str) -> str:
    """Ask on the output, and return the line that is typed; raises `EOFError` at the input's end.

    At the process's own terminal the line can be edited.
    """
    if STREAMS.get() is None:
        return input(question)
    standard_output().write(question)
    standard_output().flush()
    line = standard_input().readline()
    if not line:
        raise EOFError
    return line.removesuffix("\n")


# ---- those of the process -----------------------------------------------------------------------


def guard(guarded: Callable[[TextIO], TextIO]) -> None:
    """Wrap standard output and standard error of the process with `guarded`.

    Streams that a shell has closed are replaced by the null device.
    """
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = guarded(sys.stdout or _nowhere("w"))
    sys.stderr = guarded(sys.stderr or _nowhere("w"))


def _nowhere(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")


def lead_nowhere() -> None:
    """Discard what is written to standard output from now on, because nobody reads it.

    The output of a caller is not touched.
    """
    if STREAMS.get() is None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


GONE: Final = {errno.EIO, errno.ENXIO}
"""The errors of a terminal whose window was closed; a stream that never was one gives ENOTTY."""


def drop_closed_terminal() -> bool:
    """Redirect the standard streams whose terminal is closed to the null device.

    If there were any, ask the program to end as SIGHUP does, because that signal may come later or
    not at all, and return True. Return False if there were none, or for a caller's streams, which
    are left alone.
    """
    if STREAMS.get() is not None:
        return False
    closed = [descriptor for descriptor in range(3) if _is_closed_terminal(descriptor)]
    if closed:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in closed:
            os.dup2(nowhere, descriptor)
        os.close(nowhere)
        ask_for_end(ExitCode.HUNG_UP)
    return bool(closed)


def _is_closed_terminal(descriptor: int) -> bool:
    try:
        os.get_terminal_size(descriptor)
    except OSError as error:
        return error.errno in GONE
    return False
