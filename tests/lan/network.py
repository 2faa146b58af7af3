"""Computers on one network, as namespaces joined by a bridge in a namespace of its own.

Needs root and `ip`. Nothing here touches an interface of the machine: the bridge, too, lives in a
namespace, and every veth pair connects two namespaces.
"""

import argparse
import itertools
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

_made = itertools.count()
"""Networks of this process; each has names of its own."""


def ip(*words: str) -> None:
    """Run one `ip` command; fails with what it said."""
    done = subprocess.run(("ip", *words), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"ip {' '.join(words)}: {done.stderr.strip()}")


def usable() -> bool:
    """Whether this process may make namespaces."""
    if os.geteuid() != 0:
        return False
    name = f"by-try-{os.getpid()}"
    try:
        ip("netns", "add", name)
        ip("netns", "del", name)
    except (RuntimeError, FileNotFoundError):
        return False
    return True


def asked_of(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """What somebody wants who can have namespaces; exits where they cannot."""
    parser.add_argument("--if-possible", action="store_true", help="exit 0 without root")
    wanted = parser.parse_args()
    if not usable():
        print("needs root and network namespaces (ip netns)", file=sys.stderr)
        sys.exit(0 if wanted.if_possible else 2)
    return wanted


@dataclass(frozen=True)
class Lan:
    """A bridge and its hosts; host i has the address 10.77.0.(i+1)."""

    prefix: str
    hosts: int

    def name(self, host: int) -> str:
        """The namespace of a host."""
        return f"{self.prefix}-{host}"

    def address(self, host: int) -> str:
        """The address of a host."""
        return f"10.77.0.{host + 1}"

    def command(self, host: int, words: Sequence[str]) -> list[str]:
        """The command line that runs `words` on a host."""
        return ["ip", "netns", "exec", self.name(host), *words]

    def cut(self, host: int) -> None:
        """Take a host's interface down."""
        ip("-n", self.name(host), "link", "set", "eth0", "down")

    def restore(self, host: int) -> None:
        """Bring it up again."""
        ip("-n", self.name(host), "link", "set", "eth0", "up")

    def split(self, *hosts: int) -> None:
        """Cut the bridge in two: these hosts are on one half, all others on the other."""
        for host in hosts:
            ip("-n", f"{self.prefix}-br", "link", "set", f"port{host}", "master", "br1")

    def isolate(self, *hosts: int) -> None:
        """Let none of these reach another of them, as client isolation of a Wi-Fi does."""
        for host in hosts:
            port = (f"port{host}", "type", "bridge_slave", "isolated", "on")
            ip("-n", f"{self.prefix}-br", "link", "set", *port)

    def heal(self) -> None:
        """Make the bridge whole again."""
        for host in range(self.hosts):
            ip("-n", f"{self.prefix}-br", "link", "set", f"port{host}", "master", "br0")


@contextmanager
def lan(hosts: int) -> Iterator[Lan]:
    """Make the network, and take it away again."""
    made = Lan(f"by{os.getpid()}n{next(_made)}", hosts)
    bridge = f"{made.prefix}-br"
    names = [bridge, *(made.name(host) for host in range(hosts))]
    try:
        for name in names:
            ip("netns", "add", name)
        for half in ("br0", "br1"):
            ip("-n", bridge, "link", "add", half, "type", "bridge")
            ip("-n", bridge, "link", "set", half, "up")
        for host in range(hosts):
            _plug_in(made, bridge, host)
        yield made
    finally:
        for name in names:
            subprocess.run(("ip", "netns", "del", name), capture_output=True, check=False)


def _plug_in(made: Lan, bridge: str, host: int) -> None:
    """Join one host to the bridge."""
    name, port = made.name(host), f"port{host}"
    ip("-n", bridge, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
    ip("-n", bridge, "link", "set", port, "master", "br0")
    ip("-n", bridge, "link", "set", port, "up")
    ip("-n", name, "link", "set", "lo", "up")
    ip("-n", name, "addr", "add", f"{made.address(host)}/24", "dev", "eth0")
    ip("-n", name, "link", "set", "eth0", "up")
