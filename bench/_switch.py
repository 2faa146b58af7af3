"""A switch between network namespaces that delays every frame, and may isolate ports.

    python -m bench._switch DELAY_S APART NAMESPACE ...

Its ports are TAP devices, each the `eth0` of a namespace. The first port reaches all others; these
reach one another unless APART is 1. Not every kernel has netem, which could delay frames as well.
Run it in its own namespace; it prints a line once all ports are there. Needs root.
"""

import fcntl
import os
import select
import struct
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from tests.lan.network import Lan, a_lan, namespaces

DEVICE: Final = "/dev/net/tun"
_TUNSETIFF: Final = 0x400454CA
_TAP, _NO_HEADER = 0x0002, 0x1000
"""Flags of `linux/if_tun.h`."""
_FRAME_BYTES: Final = 65_536
_EVERYBODY: Final = 1
"""The bit of a multicast or broadcast address."""


@contextmanager
def delayed(hosts: int, delay_s: float, *, apart: bool) -> Iterator[Lan]:
    """Make a network of `hosts` hosts whose frames take `delay_s`, and remove it afterwards.

    With `apart`, all hosts but the first reach only the first. Raises `RuntimeError` if the switch
    does not start.
    """
    made = a_lan(hosts)
    switch = f"{made.prefix}-br"
    words = (sys.executable, "-m", "bench._switch", str(delay_s), str(int(apart)), *made.names)
    with namespaces([switch, *made.names]):
        command = ("ip", "netns", "exec", switch, *words)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None, "it is a pipe"
            if not process.stdout.readline():
                raise RuntimeError(f"no switch: it ended with exit code {process.wait()}")
            for host in range(hosts):
                made.bring_up(host)
            yield made
        finally:
            process.kill()
            process.wait()


# ---- in the process of the switch ---------------------------------------------------------------


class _Due(NamedTuple):
    """A frame that is to be forwarded to `ports` at the time `at`."""

    at: float
    ports: tuple[int, ...]
    frame: bytes


def _plug_in(number: int, namespace: str) -> int:
    """Make a TAP device, and give it to a namespace; return the descriptor of its other end."""
    port, name = os.open(DEVICE, os.O_RDWR | os.O_NONBLOCK), f"tap{number}"
    fcntl.ioctl(port, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _TAP | _NO_HEADER))
    subprocess.run(("ip", "link", "set", name, "netns", namespace, "name", "eth0"), check=True)
    return port


class DelayingSwitch:
    """Forwards each frame to other ports, `delay_s` seconds after reading it."""

    def __init__(self, ports: Sequence[int], delay_s: float, *, apart: bool) -> None:
        self._ports, self._delay_s, self._apart = ports, delay_s, apart
        self._home: dict[bytes, int] = {}
        """The port of each known hardware address."""
        self._due = deque[_Due]()

    def run(self) -> None:
        """Forward frames for ever."""
        while True:
            wait = max(0.0, self._due[0].at - time.monotonic()) if self._due else None
            for port in select.select(self._ports, (), (), wait)[0]:
                self.take(port, time.monotonic())
            self.hand_on(time.monotonic())

    def take(self, port: int, now: float) -> None:
        """Read all frames waiting at a port, and queue each for the ports it must be sent to."""
        with suppress(OSError):
            while frame := os.read(port, _FRAME_BYTES):
                self._home[frame[6:12]] = port
                reached = self._reached(port, frame[:6])
                self._due.append(_Due(now + self._delay_s, reached, frame))

    def hand_on(self, now: float) -> None:
        """Forward all frames that are due by now."""
        while self._due and self._due[0].at <= now:
            due = self._due.popleft()
            for port in due.ports:
                with suppress(OSError):  # the port is down or full, as a switch's port may be
                    os.write(port, due.frame)

    def _reached(self, port: int, address: bytes) -> tuple[int, ...]:
        """Return the ports to which a frame from `port` to a hardware address is sent.

        It is sent to all other ports if the address is a group's, or if its port is not known yet.
        If `apart` is set, a frame is only ever sent to or from the first port.
        """
        home = None if address[0] & _EVERYBODY else self._home.get(address)
        first = self._ports[0]
        return tuple(
            other
            for other in (self._ports if home is None else (home,))
            if other != port and not (self._apart and first not in (port, other))
        )


def _run(delay_s: str, apart: str, *names: str) -> None:
    ports = [_plug_in(number, name) for number, name in enumerate(names)]
    print("ready", flush=True)
    DelayingSwitch(ports, float(delay_s), apart=apart == "1").run()


if __name__ == "__main__":
    _run(*sys.argv[1:])
