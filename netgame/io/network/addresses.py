"""Addresses: as people type them, as peers name them, this computer's own, and which are dialled.

A join request and an advertisement may name any address. If these were dialled unseen, every
computer at the table could be made to knock at strangers' doors, or at its own. An address is
therefore dialled only if

- it is private or link-local, as on any LAN,
- one of this computer's interfaces is in its network,
- that peer has been met there: a link came from it, or a person typed it once, also over a VPN,
- it is loopback, and so are all addresses of this computer or this seat.

An address that a person types is always dialled; `Neighbours` is not asked.
"""

import ipaddress
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

import trio

from netgame.errors import Malformed
from netgame.limits import ADDRESS_CHARS_MAX, ADDRESSES_MAX, PORT_DEFAULT
from netgame.protocol.peer.effects import PeerKey

Number: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

_PORT_MAX: Final = 65_535
_NAME: Final = re.compile(r"[^\s\[\]]{1,253}")
"""As much as a name has in the DNS (RFC 1035 2.3.4, as text)."""


class Address(NamedTuple):
    """A host name or IP address, and a TCP port."""

    host: str
    port: int

    def __str__(self) -> str:
        """`host:port`, with brackets around IPv6."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read `host`, `host:port`, `[v6]` or `[v6]:port`; raises `Malformed` with a sentence.

    The port is `PORT_DEFAULT` where none is given; a name is not looked up.
    """
    text = text.strip()
    host, separator, port = _split(text)
    if not _is_host(host):
        raise Malformed("{word!r} is not an address: expected HOST or HOST:PORT", word=text)
    if not separator:
        return Address(host, PORT_DEFAULT)
    if not re.fullmatch("[0-9]{1,5}", port) or not 0 < int(port) <= _PORT_MAX:
        problem = "{port!r} is not a port: expected a number from 1 to {most}"
        raise Malformed(problem, port=port, most=_PORT_MAX)
    return Address(host, int(port))


def _is_host(host: str) -> bool:
    """Whether this can be a computer's name or address; only IPv6 addresses have colons."""
    if ":" in host:
        try:
            return ipaddress.ip_address(host).version == 6
        except ValueError:
            return False
    return host.isprintable() and _NAME.fullmatch(host) is not None


def _split(text: str) -> tuple[str, str, str]:
    if text.startswith("["):
        host, closing, rest = text[1:].partition("]")
        if not closing or (rest and not rest.startswith(":")):
            return "", "", ""
        return host, rest[:1], rest[1:]
    if text.count(":") > 1:
        return text, "", ""
    return text.partition(":")


def parse_literal(text: str) -> Address | None:
    """Read an address that a peer named: an IP address and a port, never a name to look up.

    It may be hostile. None if it is not one, is too long, or could not be a computer's. The port
    may be left out, as for `parse_address`.
    """
    try:
        address = parse_address(text)
        number = ipaddress.ip_address(address.host)
    except (ValueError, Malformed):
        return None
    if number.is_multicast or number.is_unspecified or len(text) > ADDRESS_CHARS_MAX:
        return None
    return address


def number_of(host: str) -> Number | None:
    """The IP address in `host`, without `%zone`, IPv4 if mapped into IPv6; None for a name."""
    try:
        number = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number


class NamedAddress(NamedTuple):
    """An address of this computer, with the system's name of its interface and its network."""

    interface: str
    number: Number
    network: Network


def own_addresses() -> tuple[NamedAddress, ...]:
    """Every address of this computer, IPv4 and IPv6, loopback included."""
    import ifaddr

    found: list[NamedAddress] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            number = number_of(ip.ip if isinstance(ip.ip, str) else ip.ip[0])
            if number is not None:
                network = ipaddress.ip_network(f"{number}/{ip.network_prefix}", strict=False)
                found.append(NamedAddress(adapter.nice_name, number, network))
    return tuple(found)


def interface_networks() -> tuple[Network, ...]:
    """The network of each address of this computer, loopback included; one may come twice."""
    return tuple(each.network for each in own_addresses())


def lan_hosts() -> tuple[str, ...]:
    """The IPv4 addresses of this computer but loopback, cut off after `ADDRESSES_MAX`.

    Private and link-local addresses come first, then by number. Empty without a network.
    """
    usable = {
        each.number
        for each in own_addresses()
        if each.number.version == 4 and not each.number.is_loopback
    }
    ordered = sorted(usable, key=lambda number: (not number.is_private, int(number)))
    return tuple(map(str, ordered[:ADDRESSES_MAX]))


def is_near(host: str, networks: Callable[[], Iterable[Network]], *, at_home: bool = False) -> bool:
    """Whether an address is on this network; `at_home`: this seat listens on loopback only.

    Any that is not global is, such as a private or link-local one, and any in one of `networks`; a
    name never is. Loopback is if this seat is `at_home`, or this computer has no other address.
    """
    number = number_of(host)
    if number is None:
        return False
    if number.is_loopback:
        return at_home or all(network.is_loopback for network in networks())
    return not number.is_global or any(number in network for network in networks())


class Neighbours:
    """Knows where one seat has met its peers, and says which addresses it may dial; dials none.

    Its owner sets `at_home` for a seat that listens on loopback only.
    """

    def __init__(self, networks: Callable[[], Iterable[Network]] = interface_networks) -> None:
        self.at_home = False
        self._networks = networks
        self._met: defaultdict[PeerKey, set[Number]] = defaultdict(set)

    def meet(self, peer: PeerKey, host: str) -> None:
        """Note that this peer has proved its key at this address; a name is ignored."""
        number = number_of(host)
        if number is not None:
            self._met[peer].add(number)

    def forget(self, peer: PeerKey) -> None:
        """Forget where this peer, a stranger, was met; does nothing if it never was."""
        self._met.pop(peer, None)

    def meet_at(self, peer: PeerKey, stream: trio.abc.Stream) -> None:
        """Note the address of a connection's far end, if it is a network connection."""
        inner = getattr(stream, "transport_stream", stream)
        if isinstance(inner, trio.SocketStream):
            with suppress(OSError):  # it may be gone already
                self.meet(peer, str(inner.socket.getpeername()[0]))

    def dialled(self, peer: PeerKey, named: Iterable[str]) -> tuple[Address, ...]:
        """The addresses that may be dialled, of those that others name for a peer, in their order.

        Hostile ones, and names, are left out.
        """
        met = self._met.get(peer, set())
        return tuple(
            address
            for address in filter(None, map(parse_literal, named))
            if number_of(address.host) in met
            or is_near(address.host, self._networks, at_home=self.at_home)
        )
