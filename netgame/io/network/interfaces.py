"""This computer's own addresses: those that the system knows, and those that others are told.

Some addresses of a laptop are of no use to others: those of a tunnel, of a cable that is not
plugged in, or of virtual machines. A peer that is told several addresses tries them in order, and
people type just one. So the best come first (`best_first`), and an address that only this computer
can reach is told only if there is no other.
"""

import socket
import struct
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from contextvars import ContextVar
from typing import Final, NamedTuple

from netgame.errors import NetgameError
from netgame.io.abilities import ABILITIES
from netgame.io.network.addresses import Address, Network, Number, network_of, number_of
from netgame.limits import ADDRESSES_MAX

_SIOCGIFFLAGS: Final = 0x8913
"""The request of netdevice(7) for the flags of an interface."""
_RUNNING: Final = 0x1 | 0x40
"""IFF_UP and IFF_RUNNING: it is switched on, and its cable or its Wi-Fi is connected."""
_POINT_TO_POINT: Final = 0x10
_ELSEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that no computer has (RFC 5737, RFC 3849), so the route to them is the default one."""


class NoAddresses(NetgameError):
    """The addresses of this computer cannot be read; the text says why in one sentence."""


class NamedAddress(NamedTuple):
    """An address of this computer.

    `is_up` and `is_tunnel` are known only on Linux; elsewhere every interface counts as up, and
    none as a tunnel.
    """

    interface: str
    """The system's name of the interface."""
    number: Number
    network: Network
    """The network that the address is in."""
    zone: int = 0
    """The number of the interface for which a link-local IPv6 address is valid; 0 for any other."""
    is_up: bool = True
    is_tunnel: bool = False

    @property
    def is_alone(self) -> bool:
        """True if no other computer can be in its network: it is a tunnel's, or has one address."""
        return self.is_tunnel or self.network.num_addresses == 1


def read_addresses() -> tuple[NamedAddress, ...]:
    """Return every address of this computer, IPv4 and IPv6, loopback included.

    Raises `NoAddresses` if they cannot be read.
    """
    if not ABILITIES.get().knows_networks:
        raise NoAddresses("this program cannot see the addresses of its computer here")
    import ifaddr

    try:
        adapters = tuple(ifaddr.get_adapters())
    except (OSError, ValueError, AssertionError) as error:
        # ifaddr assumes that every address has a netmask, and every interface a name in UTF-8.
        reason = getattr(error, "strerror", None) or str(error)
        text = "the addresses of this computer cannot be read: {reason}"
        raise NoAddresses(text, reason=reason) from error
    found: list[NamedAddress] = []
    for adapter in adapters:
        is_up, is_tunnel = _state_of(adapter.nice_name)
        for ip in adapter.ips:
            host, zone = (ip.ip, 0) if isinstance(ip.ip, str) else (ip.ip[0], ip.ip[2])
            number = number_of(host)
            if number is not None:
                network = network_of(number, ip.network_prefix)
                zone = zone if number.is_link_local else 0
                named = NamedAddress(adapter.nice_name, number, network, zone, is_up, is_tunnel)
                found.append(named)
    return tuple(found)


def _state_of(interface: str) -> tuple[bool, bool]:
    """Return whether an interface is up, and whether it is a tunnel; (True, False) if unknown."""
    if sys.platform != "linux":
        return True, False
    import fcntl

    wanted = struct.pack("16s24x", interface.encode()[:15])
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        (flags,) = struct.unpack_from("16xH", fcntl.ioctl(asked, _SIOCGIFFLAGS, wanted))
        return flags & _RUNNING == _RUNNING, bool(flags & _POINT_TO_POINT)
    return True, False


def own_addresses() -> tuple[NamedAddress, ...]:
    """Return every address of this computer; an empty tuple if they cannot be read."""
    with suppress(NoAddresses):
        return read_addresses()
    return ()


def has_network() -> bool:
    """Return True if this computer is on a network with others, or if its addresses are unknown.

    A link-local address does not count: systems assign one where there is no network.
    """
    try:
        addresses = read_addresses()
    except NoAddresses:
        return True
    return any(
        each.is_up and not (each.is_alone or each.number.is_loopback or each.number.is_link_local)
        for each in addresses
    )


HAS_NETWORK: Final[ContextVar[Callable[[], bool]]] = ContextVar("has_network", default=has_network)
"""The `has_network` of the place where this task's player is: a browser has its own."""


def interface_networks() -> tuple[Network, ...]:
    """Return the network of each address of this computer, loopback included; some may repeat."""
    return tuple(each.network for each in own_addresses())


def lan_hosts() -> tuple[str, ...]:
    """Return at most `ADDRESSES_MAX` addresses to tell others, the best first.

    Loopback addresses are left out, so the result is empty without a network.
    """
    told = best_first(own_addresses(), _outward())
    return tuple(dict.fromkeys(str(each.number) for each in told))[:ADDRESSES_MAX]


def best_first(
    addresses: Iterable[NamedAddress], outward: frozenset[Number] = frozenset()
) -> tuple[NamedAddress, ...]:
    """Return the addresses that others are told, the one likeliest to reach this computer first.

    First come those that are up; then those with room for other computers in their network; then
    private before global before link-local addresses; then those `outward`, by which this computer
    reaches other networks; then IPv4; then the lowest number.
    """

    def worth(each: NamedAddress) -> tuple[bool, bool, int, bool, int, int]:
        number = each.number
        reach = 2 if number.is_link_local else 0 if number.is_private else 1
        is_inward = number not in outward
        return not each.is_up, each.is_alone, reach, is_inward, number.version, int(number)

    return tuple(sorted(_told(addresses), key=worth))


def _told(addresses: Iterable[NamedAddress]) -> list[NamedAddress]:
    """Return the addresses that others are told.

    Loopback addresses are left out. IPv6 is told only for an interface that has no IPv4 address
    except link-local ones: people type IPv4 more easily, and a global IPv6 address in a record
    would identify a computer. Every interface, even a virtual one, has a link-local IPv6 address;
    it is told only if others cannot reach this computer by a better one.
    """
    others = [each for each in addresses if not each.number.is_loopback]
    lasting = [each for each in others if not each.number.is_link_local]
    by_four = {each.interface for each in lasting if each.number.version == 4}
    is_led_to = any(each.is_up and not each.is_alone for each in lasting)
    return [
        each
        for each in others
        if each.number.version == 4
        or (each.interface not in by_four and not (is_led_to and each.number.is_link_local))
    ]


def _outward() -> frozenset[Number]:
    """Return the addresses by which this computer reaches other networks; empty if it reaches none.

    Nothing is sent: connecting a datagram socket only looks up the route.
    """
    found = set()
    for family, far in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((far, 9))
            found.add(number_of(str(asking.getsockname()[0])))
    return frozenset(number for number in found if number is not None)


def dialled_as(address: Address) -> tuple[Address, ...]:
    """Return the addresses to dial in order to reach `address`.

    A link-local IPv6 address without a zone does not say which interface leads to it, so it is
    returned once for each zone of this computer. Any other address is returned as it is, and so is
    this one if no interface has a zone.
    """
    number = number_of(address.host)
    if number is None or number.version == 4 or not number.is_link_local or "%" in address.host:
        return (address,)
    zones = sorted({each.zone for each in own_addresses() if each.zone})
    return tuple(Address(f"{number}%{zone}", address.port) for zone in zones) or (address,)
