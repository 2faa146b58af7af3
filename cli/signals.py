"""The signals that end the program: SIGTERM, and SIGHUP from a closed terminal.

Only this module handles them. A front end listens while it runs, so that it can leave its table
first. If nothing listens, the program ends at once. It does so even as process 1 of a container,
where the system has no default action for these signals.
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
"""Takes the exit code to end with; called between any two steps of the main thread."""


_ENDS: Final[dict[int, ExitCode]] = {signal.SIGTERM: ExitCode.TERMINATED}
"""The exit code for each signal handled, as in shells: 128 plus the signal's number."""

if sys.platform != "win32":  # Windows closes a console in another way, and has no SIGHUP
    _ENDS[signal.SIGHUP] = ExitCode.HUNG_UP

_listeners: Final[list[Listener]] = []


@contextmanager
def hearing() -> Iterator[None]:
    """Handle the signals within the block: pass each of them to all listeners.

    A signal that was ignored before stays ignored, as under `nohup`. Without listeners, a signal
    raises `SystemExit`. Outside the main thread, where Python handles no signals, the block runs
    unchanged.
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
        # before 3.12 Python wraps an exception raised while a class is made, as in an import
        if isinstance(error.__cause__, SystemExit):
            raise error.__cause__ from None
        raise
    finally:
        for number in heard:
            signal.signal(number, before[number])


def end_quietly() -> None:
    """Let Ctrl-C end the process silently while Python cleans up after the program.

    Call it in the main thread.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def leaving_ctrl_c_to_others() -> Iterator[None]:
    """Ignore Ctrl-C within the block, but let a program started there receive it.

    Use it in the main thread, while another program has the terminal.
    """
    before = signal.signal(signal.SIGINT, lambda *_: None)  # a child would inherit SIG_IGN
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call this listener for each signal handled within the block."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def ask_for_end(code: ExitCode) -> None:
    """Ask all listeners to end with this code; raises `SystemExit` if there are none."""
    if not _listeners:
        sys.exit(code)
    for listener in tuple(_listeners):
        listener(code)


def _hear(number: int, _frame: FrameType | None) -> None:
    ask_for_end(_ENDS[number])
