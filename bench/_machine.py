"""The machine that parts are measured on: its facts for a table of figures, and Ctrl-C."""

import os
import platform
import signal
from collections.abc import Iterator
from contextlib import contextmanager


def this_machine() -> str:
    """Return the interpreter, the number of cores, and how busy they are."""
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {os.cpu_count()} cores{load}"


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Start processes in this block that do not hear Ctrl-C: their parent ends them.

    A terminal sends it to all of them, and each would print a traceback. On a system without signal
    masks, they hear it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
