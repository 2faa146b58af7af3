"""Runs the program in a process of its own, forked from one that has already imported it.

A new interpreter would have to import the whole program in every test. Here one parent process
imports it once and forks on request. Each child has its own streams, its own environment and, if
the test wants one, its own terminal. Tests of how the program starts run a new interpreter.
"""

import atexit
import fcntl
import gc
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module

from tests.tree import ROOT

REQUEST_OCTETS_MAX = 65536
STREAMS = (("stdin", "r", -1), ("stdout", "w", -1), ("stderr", "w", 1))
"""The standard streams, which an interpreter opens when it starts: name, mode and buffering."""


class Program:
    """A process that runs the program; its id, and later its exit code, arrive through a pipe."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        streams: Sequence[int],
        *,
        leads_terminal: bool = False,
    ) -> None:
        """Start the program with these words, variables and three streams.

        The caller's own descriptors of the streams stay open. With `leads_terminal`, the first
        stream is a terminal, which becomes the controlling terminal of the process.
        """
        self.returncode: int | None = None
        self._told, tells = os.pipe()
        request = json.dumps([list(words), dict(environment), leads_terminal]).encode()
        socket.send_fds(parent(), [request], [*streams, tells])
        os.close(tells)
        self.pid = self._number()

    def _number(self) -> int:
        """Wait for the next number in the pipe, which has one number on each line."""
        line = b""
        while not line.endswith(b"\n"):
            octet = os.read(self._told, 1)
            assert octet, "whoever started the program has ended"
            line += octet
        return int(line)

    def poll(self) -> int | None:
        """Return the exit code, or None if the program is still running."""
        return self.wait(0.0)

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for the exit code and return it; return None if `timeout` seconds pass first.

        Without `timeout`, wait as long as it takes.
        """
        if self.returncode is None and select.select([self._told], [], [], timeout)[0]:
            self.returncode = self._number()
            os.close(self._told)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the program if it still runs, and wait until it has ended."""
        self.send_signal(signal.SIGKILL)
        self.wait()


@cache
def parent() -> socket.socket:
    """Return the socket of the process that forks; the first call starts that process."""
    ours, its = socket.socketpair()
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.cli.forked", str(its.fileno())],
        cwd=ROOT,
        env={**kept, "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[its.fileno()],
    )
    its.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


# ---- in the process that forks --------------------------------------------------------------


def serve(requests: socket.socket) -> None:
    """Import the program, then fork a child for each request that arrives.

    Return once the other end of the socket is closed. Each child runs the program and exits.
    """
    for room in ("cli", "netgame", "engine"):
        for module in pkgutil.walk_packages([str(ROOT / room)], f"{room}."):
            if module.name != "cli.__main__":
                import_module(module.name)
    main = import_module("cli.__main__").main
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        request, streams, _, _ = socket.recv_fds(requests, REQUEST_OCTETS_MAX, 4)
        if not request:
            return
        if os.fork() == 0:
            requests.close()
            words, environment, leads_terminal = json.loads(request)
            _watch(streams)
            _become(environment, streams, leads_terminal=leads_terminal)
            sys.argv = [sys.argv[0], *words]
            sys.exit(main())
        for stream in streams:
            os.close(stream)


def _watch(streams: list[int]) -> None:
    """Fork again; only the new child returns from this call.

    The calling process takes the last of `streams`, a pipe, and writes the child's id and later its
    exit code to it. Then it exits.
    """
    tells = streams.pop()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        os.close(tells)
        return
    for stream in streams:
        os.close(stream)
    os.write(tells, b"%d\n" % child)
    _, status = os.waitpid(child, 0)
    os.write(tells, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(
    environment: Mapping[str, str], streams: Sequence[int], *, leads_terminal: bool
) -> None:
    """Give this forked process the signals, streams, terminal and environment of a new one."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    if leads_terminal:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for place, (name, mode, buffering) in enumerate(STREAMS):
        errors = getattr(sys, name).errors
        opened = os.fdopen(place, mode, buffering, "utf-8", errors, newline="\n", closefd=False)
        setattr(sys, name, opened)
    os.environ.clear()
    os.environ.update(environment)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
