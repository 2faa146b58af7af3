"""Facts about the measuring machine, and a way to start processes that Ctrl-C does not reach."""

import os
import platform
import signal
from collections.abc import Iterator
from contextlib import contextmanager


def this_machine() -> str:
    """Return one line: the interpreter, the number of cores and, if it is known, the load."""
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {os.cpu_count()} cores{load}"


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Shield the processes started in this block from Ctrl-C; their parent must end them.

    A terminal sends Ctrl-C to all processes, and each would print a traceback. On a system without
    signal masks, the block shields nothing.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
