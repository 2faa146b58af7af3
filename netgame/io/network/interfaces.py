"""This computer's network interfaces, and what is of their networks."""

import ipaddress
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from netgame.io.network.addresses import Number, number_of
from netgame.limits import ADDRESSES_MAX

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
