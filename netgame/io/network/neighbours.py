"""This computer's addresses and networks, and which of the addresses that others name are dialled.

A join request and an advertisement name any address they like. Dialled unseen, they would have
every computer at the table knock at strangers' doors, or at its own. So an address is dialled if

- it is private or link-local, as on any LAN,
- one of this computer's interfaces is in its network,
- that peer has been met there: a link came from it, or a person typed it once, also over a VPN,
- it is loopback, and so is all that this computer or this seat has.

What a person types is always dialled; it does not come by here.
"""

import ipaddress
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple, TypeAlias

import trio

from netgame.io.network.addresses import Address, Number, number_of
from netgame.limits import ADDRESSES_MAX
from netgame.protocol.peer.effects import PeerKey

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


class NamedAddress(NamedTuple):
    """An address of this computer: what the system calls its interface, and its network."""

    interface: str
    number: Number
    network: Network


def own_addresses() -> tuple[NamedAddress, ...]:
    """Return every address of this computer."""
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
    """Return the networks of this computer's interfaces."""
    return tuple(each.network for each in own_addresses())


def lan_addresses(port: int) -> tuple[str, ...]:
    """Return `address:port` for every IPv4 address of this computer that others may reach.

    Private and link-local addresses come first; loopback is left out.
    """
    usable = {
        each.number
        for each in own_addresses()
        if each.number.version == 4 and not each.number.is_loopback
    }
    ordered = sorted(usable, key=lambda number: (not number.is_private, int(number)))
    return tuple(f"{number}:{port}" for number in ordered)[:ADDRESSES_MAX]


def is_near(host: str, networks: Callable[[], Iterable[Network]], *, at_home: bool = False) -> bool:
    """Whether an address is of this network; `at_home` says that this seat is on loopback only."""
    number = number_of(host)
    if number is None:
        return False
    if number.is_loopback:
        return at_home or all(network.is_loopback for network in networks())
    return not number.is_global or any(number in network for network in networks())


class Neighbours:
    """What one seat knows of where its peers are."""

    def __init__(self, networks: Callable[[], Iterable[Network]] = interface_networks) -> None:
        self.at_home = False
        self._networks = networks
        self._met: defaultdict[PeerKey, set[Number]] = defaultdict(set)

    def meet(self, peer: PeerKey, host: str) -> None:
        """Note that this peer has proved its key at this address."""
        number = number_of(host)
        if number is not None:
            self._met[peer].add(number)

    def meet_at(self, peer: PeerKey, stream: trio.abc.Stream) -> None:
        """Note where the far end of a connection is, if it is one of the network."""
        inner = getattr(stream, "transport_stream", stream)
        if isinstance(inner, trio.SocketStream):
            with suppress(OSError):  # it may be gone already
                self.meet(peer, str(inner.socket.getpeername()[0]))

    def dialled(self, peer: PeerKey, addresses: Iterable[Address]) -> tuple[Address, ...]:
        """Return those of the addresses named for a peer at which it is dialled."""
        met = self._met.get(peer, set())
        return tuple(
            address
            for address in addresses
            if number_of(address.host) in met
            or is_near(address.host, self._networks, at_home=self.at_home)
        )
