"""Players of whole tables: processes on the loopback of this machine, typed to through pipes."""

import os
import queue
import re
import socket
import threading
import time

from tests.cli.forked import Program
from tests.cli.running import WAIT_S, environment


class Player:
    """A boneyard process with pipes, whose output can be waited for."""

    def __init__(self, folder, *arguments: str) -> None:
        typed, said = os.pipe(), os.pipe()
        its = (typed[0], said[1], said[1])
        self.process = Program(arguments, environment(BONEYARD_DATA=str(folder)), its)
        os.close(typed[0])
        os.close(said[1])
        self.stdin = os.fdopen(typed[1], "w", encoding="utf-8")
        self.stdout = os.fdopen(said[0], encoding="utf-8")
        self.lines: list[str] = []
        self.incoming: queue.Queue[str] = queue.Queue()
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self) -> None:
        for line in self.stdout:
            self.incoming.put(line)

    def wait_for(self, pattern: str) -> str:
        """Wait for a line that matches, and return it.

        Fail if no line comes for `WAIT_S` seconds, or if the process ends first.
        """
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            try:
                line = self.incoming.get(timeout=0.1)
            except queue.Empty:
                assert self.process.poll() is None, "".join(self.lines)
                continue
            self.lines.append(line)
            if re.search(pattern, line):
                return line
            deadline = time.monotonic() + WAIT_S
        raise AssertionError(f"no {pattern!r} in:\n{''.join(self.lines)}")

    def type(self, line: str) -> None:
        """Type a line."""
        self.stdin.write(f"{line}\n")
        self.stdin.flush()

    def exit_code(self) -> int | None:
        """Wait for the process to end, and return its exit code.

        Return None if it still runs after `WAIT_S` seconds.
        """
        return self.process.wait(timeout=WAIT_S)


def free_port() -> str:
    """Return the number of a loopback port on which nobody listens, as text."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return str(taken.getsockname()[1])


def hosted(party, *words):
    """Start a table hosted by Ann; return her process, the words that join it, and its join code.

    An open table has no join code, so the third value means nothing then.
    """
    port = free_port()
    host = party("Ann", "host", "--set", "6", "--port", port, *words)
    code = host.wait_for("need this code|Type start").split()[-1]
    return host, ("join", f"127.0.0.1:{port}"), code
