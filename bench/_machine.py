"""What the parts need of the machine: facts for a table of figures, and who hears Ctrl-C."""

import os
import platform
import signal
from collections.abc import Iterator
from contextlib import contextmanager


def this_machine() -> str:
    """Say what runs here, on how many cores, and how busy they are with other things."""
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {os.cpu_count()} cores{load}"


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Have the processes that are started in here not hear Ctrl-C: who started them ends them.

    A terminal sends it to all of them, and each would print where it was. Where a system has no
    masks of signals, they hear it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
