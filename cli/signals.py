"""The ends that the system asks for: SIGTERM, and SIGHUP of a terminal that is closed.

Both are heard here and nowhere else. Who runs a front end listens, and leaves its table first;
where nobody does, the program ends at once. So it ends as process 1 of a container too, to which
the system does nothing of itself.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, TypeAlias

from cli.exits import ExitCode

Listener: TypeAlias = Callable[[ExitCode], None]
"""Takes the exit code of the end that is asked for, between any two steps of the main thread."""


_ENDS: Final[dict[int, ExitCode]] = {signal.SIGTERM: ExitCode.TERMINATED}
"""The exit code for each signal heard, as shells have it: 128 and the signal's number."""

if sys.platform != "win32":  # which closes a console in another way, and has no SIGHUP
    _ENDS[signal.SIGHUP] = ExitCode.HUNG_UP

_listeners: Final[list[Listener]] = []


@contextmanager
def hearing() -> Iterator[None]:
    """Hear the signals within the block: each goes to all listeners, else raises `SystemExit`.

    One that whoever started us has turned off stays off, as `nohup` does with SIGHUP. Outside the
    main thread, where Python hears no signals, the block only runs.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _ENDS}
    heard = [number for number, does in before.items() if does is not signal.SIG_IGN]
    try:
        for number in heard:
            signal.signal(number, _hear)
        yield
    except RuntimeError as error:
        # before 3.12 Python wraps what is raised while it makes a class, as it does on an import
        if isinstance(error.__cause__, SystemExit):
            raise error.__cause__ from None
        raise
    finally:
        for number in heard:
            signal.signal(number, before[number])


def end_quietly() -> None:
    """Have Ctrl-C end the process without a word: all is done, and Python is putting things away.

    To be called in the main thread.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def leaving_ctrl_c_to_others() -> Iterator[None]:
    """Do nothing at Ctrl-C within the block, but let a program that is started there hear it.

    To be used in the main thread, while another program has the terminal.
    """
    before = signal.signal(signal.SIGINT, lambda *_: None)  # SIG_IGN would be handed down
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have this called, within the block, for each signal that is heard."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def ask_for_end(code: ExitCode) -> None:
    """Ask all listeners for the end with this code; raise `SystemExit` if there is none."""
    if not _listeners:
        sys.exit(code)
    for listener in tuple(_listeners):
        listener(code)


def _hear(number: int, _frame: FrameType | None) -> None:
    ask_for_end(_ENDS[number])
