"""Which of the addresses that others name are dialled: those of this network, and no others.

A join request and an advertisement name any address they like. Dialled unseen, they would have
every computer at the table knock at strangers' doors, or at its own. So an address is dialled if

- it is private or link-local, as on any LAN,
- one of this computer's interfaces is in its network,
- that peer has been met there: a link came from it, or a person typed it once, also over a VPN,
- it is loopback, and so is all that this computer or this seat has.

What a person types is always dialled; it does not come by here.
"""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TypeAlias

import trio

from netgame.io.addresses import Address
from netgame.protocol.peer.effects import PeerKey

_Number: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


def number_of(host: str) -> _Number | None:
    """Return the IP address that `host` is, IPv4 where it is one in disguise; None for a name."""
    try:
        number = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number


def interface_networks() -> tuple[_Network, ...]:
    """Return the networks of this computer's interfaces."""
    import ifaddr

    found: list[_Network] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            number = number_of(host)
            if number is not None:
                found.append(ipaddress.ip_network(f"{number}/{ip.network_prefix}", strict=False))
    return tuple(found)


def is_near(
    host: str, networks: Callable[[], Iterable[_Network]], *, at_home: bool = False
) -> bool:
    """Whether an address is of this network; `at_home` says that this seat is on loopback only."""
    number = number_of(host)
    if number is None:
        return False
    if number.is_loopback:
        return at_home or all(network.is_loopback for network in networks())
    if not number.is_global:
        return True
    return any(number in network for network in networks())


class Neighbours:
    """What one seat knows of where its peers are."""

    def __init__(self, networks: Callable[[], Iterable[_Network]] = interface_networks) -> None:
        self.at_home = False
        self._networks = networks
        self._met: defaultdict[PeerKey, set[_Number]] = defaultdict(set)

    def meet(self, peer: PeerKey, host: str) -> None:
        """Note that this peer has proved its key at this address."""
        number = number_of(host)
        if number is not None:
            self._met[peer].add(number)

    def meet_at(self, peer: PeerKey, stream: trio.abc.Stream) -> None:
        """Note where the far end of a connection is, if it is one of the network."""
        inner = getattr(stream, "transport_stream", stream)
        if isinstance(inner, trio.SocketStream):
            try:
                self.meet(peer, str(inner.socket.getpeername()[0]))
            except OSError:
                return  # it is gone already

    def dialled(self, peer: PeerKey, addresses: Iterable[Address]) -> tuple[Address, ...]:
        """Return those of the addresses named for a peer at which it is dialled."""
        met = self._met.get(peer, set())
        return tuple(
            address
            for address in addresses
            if number_of(address.host) in met
            or is_near(address.host, self._networks, at_home=self.at_home)
        )
