"""Computers on one network: namespaces joined by a bridge in a namespace of its own.

This needs root and `ip`. No interface of the machine is touched: the bridge is in a namespace too,
and every veth pair connects two namespaces.
"""

import argparse
import itertools
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

_made = itertools.count()
"""Counts the networks of this process, so that each has names of its own."""


_NO_CONNECTIONS_IN: Final = (
    "40 0 0 12",  # the kind of frame
    "21 0 5 2048",  # IPv4, or on to IPv6
    "48 0 0 23",  # the protocol
    "21 0 9 6",  # TCP, or let it pass
    "177 0 0 14",  # how long the header is
    "80 0 0 27",  # the flags of TCP
    "5 0 0 4",
    "21 0 5 34525",  # IPv6, or let it pass
    "48 0 0 20",  # the protocol
    "21 0 3 6",  # TCP, or let it pass
    "48 0 0 67",  # the flags of TCP
    "84 0 0 18",  # SYN and ACK
    "21 1 0 2",  # SYN alone, or let it pass
    "6 0 0 4294967295",
    "6 0 0 2",  # dropped
)
"""A filter for `tc` that drops packets opening a TCP connection. It is classic BPF, which needs no
compiler and, unlike nftables, comes with `ip`.
"""


def ip(*words: str) -> None:
    """Run one `ip` command; raise RuntimeError with its error output if it fails."""
    run("ip", *words)


def run(*command: str) -> None:
    """Run one command; raise RuntimeError with its error output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")


def usable() -> bool:
    """Return True if this process may make namespaces."""
    if getattr(os, "geteuid", lambda: 1)() != 0:
        return False
    name = f"by-try-{os.getpid()}"
    try:
        ip("netns", "add", name)
        ip("netns", "del", name)
    except (RuntimeError, FileNotFoundError):
        return False
    return True


def asked_of(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Return the parsed arguments; exit if this process cannot make namespaces.

    The exit code is 2, or 0 with the option `--if-possible`, which is added to the parser.
    """
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
        """Return the namespace of a host."""
        return f"{self.prefix}-{host}"

    @property
    def names(self) -> list[str]:
        """The namespaces of all hosts."""
        return [self.name(host) for host in range(self.hosts)]

    def address(self, host: int) -> str:
        """Return the address of a host."""
        return f"10.77.0.{host + 1}"

    def command(self, host: int, words: Sequence[str]) -> list[str]:
        """Return the command line that runs `words` on a host."""
        return ["ip", "netns", "exec", self.name(host), *words]

    def bring_up(self, host: int) -> None:
        """Bring up a host's interfaces and give it its address."""
        name = self.name(host)
        ip("-n", name, "link", "set", "lo", "up")
        ip("-n", name, "addr", "add", f"{self.address(host)}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")

    def cut(self, host: int) -> None:
        """Take a host's interface down."""
        ip("-n", self.name(host), "link", "set", "eth0", "down")

    def restore(self, host: int) -> None:
        """Bring a host's interface up again."""
        ip("-n", self.name(host), "link", "set", "eth0", "up")

    def split(self, *hosts: int) -> None:
        """Cut the bridge in two: these hosts on one half, all others on the other."""
        for host in hosts:
            ip("-n", f"{self.prefix}-br", "link", "set", f"port{host}", "master", "br1")

    def isolate(self, *hosts: int) -> None:
        """Keep these hosts from reaching each other, as the client isolation of a Wi-Fi does."""
        for host in hosts:
            port = (f"port{host}", "type", "bridge_slave", "isolated", "on")
            ip("-n", f"{self.prefix}-br", "link", "set", *port)

    def shut(self, host: int) -> None:
        """Block incoming TCP connections to a host, as a firewall does, but not outgoing ones."""
        name, rows = self.name(host), (str(len(_NO_CONNECTIONS_IN)), *_NO_CONNECTIONS_IN)
        run("tc", "-n", name, "qdisc", "add", "dev", "eth0", "clsact")
        what = ("ingress", "bpf", "da", "bytecode", ",".join(rows))
        run("tc", "-n", name, "filter", "add", "dev", "eth0", *what)

    def tunnel(self, host: int, to: int) -> str:
        """Take a host off the bridge, and give it a tunnel to host `to`, the only one it can reach.

        All its packets go there and no further; multicast does not pass. Return the other host's
        address in the tunnel.
        """
        far, near = "10.88.0.2", "10.88.0.1"
        ip("-n", self.name(host), "link", "del", "eth0")
        ends = ("tun0", "mtu", "1280", "type", "veth", "peer", "name", "tun0", "mtu", "1280")
        ip("-n", self.name(to), "link", "add", *ends, "netns", self.name(host))
        for name, own, other in ((self.name(to), near, far), (self.name(host), far, near)):
            ip("-n", name, "addr", "add", own, "peer", other, "dev", "tun0")
            ip("-n", name, "link", "set", "tun0", "up", "multicast", "off")
        ip("-n", self.name(host), "route", "add", "default", "via", near)
        run(*self.command(to, ("sysctl", "-qw", "net.ipv4.ip_forward=0")))
        return near

    def heal(self) -> None:
        """Join the two halves of the bridge again."""
        for host in range(self.hosts):
            ip("-n", f"{self.prefix}-br", "link", "set", f"port{host}", "master", "br0")


@contextmanager
def namespaces(names: Sequence[str]) -> Iterator[None]:
    """Make network namespaces, and delete them afterwards with all that is in them."""
    try:
        for name in names:
            ip("netns", "add", name)
        yield
    finally:
        for name in names:
            subprocess.run(("ip", "netns", "del", name), capture_output=True, check=False)


def a_lan(hosts: int) -> Lan:
    """Return a network that is still to be made, under names that no other network has."""
    return Lan(f"by{os.getpid()}n{next(_made)}", hosts)


@contextmanager
def lan(hosts: int) -> Iterator[Lan]:
    """Make a network of this many hosts, and delete it afterwards."""
    made = a_lan(hosts)
    bridge = f"{made.prefix}-br"
    with namespaces([bridge, *made.names]):
        for half in ("br0", "br1"):
            ip("-n", bridge, "link", "add", half, "type", "bridge")
            ip("-n", bridge, "link", "set", half, "up")
        for host in range(hosts):
            _plug_in(made, bridge, host)
        yield made


def _plug_in(made: Lan, bridge: str, host: int) -> None:
    """Join one host to the bridge."""
    name, port = made.name(host), f"port{host}"
    ip("-n", bridge, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
    ip("-n", bridge, "link", "set", port, "master", "br0")
    ip("-n", bridge, "link", "set", port, "up")
    made.bring_up(host)
