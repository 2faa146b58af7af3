"""Which addresses of this computer are told to others, and in which order."""

import ipaddress
import socket
from types import SimpleNamespace

import ifaddr
import pytest

from netgame.io.network import interfaces
from netgame.io.network.addresses import Address, leads_nowhere_else
from netgame.io.network.interfaces import (
    NamedAddress,
    NoAddresses,
    best_first,
    dialled_as,
    has_network,
    interface_networks,
    lan_hosts,
    own_addresses,
    read_addresses,
)
from netgame.io.network.neighbours import Neighbours, is_near
from netgame.io.node.opening import addresses_to_tell
from netgame.limits import ADDRESSES_MAX


def named(interface, text, zone=0, **state):
    """Return an address on an interface; `text` is `NUMBER/BITS`."""
    face = ipaddress.ip_interface(text)
    return NamedAddress(interface, face.ip, face.network, zone, **state)


def told(*addresses, outward=()):
    """Return the addresses that others would be told, in order.

    `outward` are the addresses by which this computer reaches other networks.
    """
    numbers = frozenset(map(ipaddress.ip_address, outward))
    return [str(each.number) for each in best_first(addresses, numbers)]


LO = (named("lo", "127.0.0.1/8"), named("lo", "::1/128"))
WIFI = named("wlan0", "192.168.1.4/24")
VPN = named("tun0", "10.8.0.5/32")
LINK = named("wlan0", "fe80::1234/64", 3)


def test_loopback_is_never_told():
    """The loopback address is not told to others, because nobody else can reach it."""
    assert told(*LO) == []
    assert told(*LO, WIFI) == ["192.168.1.4"]
    assert not [host for host in lan_hosts() if ipaddress.ip_address(host).is_loopback]


@pytest.mark.parametrize("tunnel", [VPN, named("wg0", "10.8.0.5/24", is_tunnel=True)])
def test_a_vpn_comes_last_though_its_number_is_lower(tunnel):
    """A VPN address comes last, even if its number is lower than the others.

    People type the first address, and the others at the table are not in the VPN.
    """
    assert told(*LO, tunnel, WIFI) == ["192.168.1.4", "10.8.0.5"]
    assert told(*LO, tunnel) == ["10.8.0.5"]


def test_what_is_down_comes_after_what_is_up():
    """An interface that is down, such as an unplugged cable, comes after those that are up."""
    bridge = named("docker0", "172.17.0.1/16", is_up=False)
    assert told(bridge, WIFI) == ["192.168.1.4", "172.17.0.1"]
    assert told(bridge, VPN) == ["10.8.0.5", "172.17.0.1"]


@pytest.mark.parametrize(
    ("addresses", "is_on_one"),
    [
        (LO, False),
        ((*LO, WIFI), True),
        ((*LO, WIFI._replace(is_up=False)), False),
        ((*LO, VPN, LINK, named("eth1", "169.254.3.4/16")), False),
        ((named("eth0", "2001:db8::7/64"),), True),
    ],
    ids=["alone", "wifi", "wifi is off", "what is there without a network", "ipv6"],
)
def test_a_network_is_where_others_can_be(monkeypatch, addresses, is_on_one):
    """Loopback, a tunnel, a self-assigned address or an interface that is down is not a network."""
    monkeypatch.setattr(interfaces, "read_addresses", lambda: addresses)
    assert has_network() is is_on_one


def test_a_system_that_does_not_tell_its_addresses_loses_no_network(monkeypatch):
    """If the system does not tell its addresses, a network is assumed."""

    def tells_nothing():
        raise NoAddresses("no")

    monkeypatch.setattr(interfaces, "read_addresses", tells_nothing)
    assert has_network()


def test_of_two_networks_the_one_with_the_router_comes_first():
    """The address of the network with the router comes first, unless that is a VPN.

    A virtual bridge leads to no other computer.
    """
    bridge = named("docker0", "172.17.0.1/16")
    assert told(bridge, WIFI) == ["172.17.0.1", "192.168.1.4"]
    assert told(bridge, WIFI, outward=["192.168.1.4"]) == ["192.168.1.4", "172.17.0.1"]
    assert told(VPN, WIFI, outward=["10.8.0.5"]) == ["192.168.1.4", "10.8.0.5"]


def test_private_addresses_come_before_global_and_makeshift_ones():
    """Private addresses come before global ones, and those before self-assigned ones."""
    apipa, public = named("eth1", "169.254.3.4/16"), named("eth2", "203.0.115.7/24")
    assert told(apipa, public, WIFI) == ["192.168.1.4", "203.0.115.7", "169.254.3.4"]


def test_ipv6_is_told_where_there_is_no_lasting_ipv4():
    """IPv6 addresses are told only for an interface that has no lasting IPv4 address.

    A self-assigned address does not count as lasting. An IPv4 address of another interface, such
    as that of a VPN, makes no difference.
    """
    local, world = named("wlan0", "fd00:77::4/64"), named("wlan0", "2a00:1450::4/64")
    assert told(*LO, WIFI, local, world, LINK) == ["192.168.1.4"]
    assert told(*LO, world, LINK, local) == ["fd00:77::4", "2a00:1450::4"]
    apipa = named("wlan0", "169.254.3.4/16")
    assert told(apipa, local, LINK) == ["fd00:77::4", "169.254.3.4"]
    assert told(VPN, local, LINK) == ["fd00:77::4", "10.8.0.5"]


def test_a_link_local_ipv6_address_is_told_where_nothing_better_leads_here():
    """A link-local IPv6 address is told only if no better address leads to this computer.

    Every interface has such an address, even a virtual one.
    """
    virtual = named("awdl0", "fe80::99/64", 9)
    assert told(WIFI, virtual) == ["192.168.1.4"]
    assert told(*LO, LINK) == ["fe80::1234"]
    assert told(VPN, LINK) == ["fe80::1234", "10.8.0.5"]
    assert told(named("eth0", "10.0.0.4/8", is_up=False), LINK) == ["fe80::1234", "10.0.0.4"]


class System:
    """A computer that has these network interfaces, given in the form of `ifaddr`."""

    def __init__(self, monkeypatch, *adapters):
        self.adapters = adapters
        monkeypatch.setattr(ifaddr, "get_adapters", lambda: self.adapters)
        monkeypatch.setattr(interfaces, "_state_of", lambda _name: (True, False))
        monkeypatch.setattr(interfaces, "_outward", frozenset)


def adapter(name, *ips):
    """Return an interface with these addresses and prefix lengths, in the form of `ifaddr`."""
    found = [SimpleNamespace(ip=ip, network_prefix=bits) for ip, bits in ips]
    return SimpleNamespace(nice_name=name, ips=found)


def test_a_network_with_ipv6_alone_is_a_network(monkeypatch):
    """On a network with IPv6 alone the IPv6 address is told, as `[IPv6]:PORT`.

    Without any network, the loopback address is told.
    """
    lo = adapter("lo", ("127.0.0.1", 8), (("::1", 0, 0), 128))
    System(monkeypatch, lo, adapter("eth0", (("fe80::7", 0, 2), 64), (("fd00::7", 0, 0), 64)))
    assert addresses_to_tell(4747) == ("[fd00::7]:4747",)
    System(monkeypatch, lo, adapter("eth0", (("fe80::7", 0, 2), 64)))
    assert addresses_to_tell(4748) == ("[fe80::7]:4748",)
    System(monkeypatch, lo)
    assert addresses_to_tell(4747) == ("127.0.0.1:4747",)


def test_so_many_addresses_are_told(monkeypatch):
    """Others are told at most `ADDRESSES_MAX` addresses, each of them once."""
    many = [adapter(f"eth{n}", (f"10.0.{n}.1", 24), ("192.168.1.4", 24)) for n in range(20)]
    System(monkeypatch, *many)
    assert len(lan_hosts()) == len(set(lan_hosts())) == ADDRESSES_MAX


def test_a_link_local_address_is_dialled_at_each_interface(monkeypatch):
    """A link-local address that names no interface is dialled at each IPv6 interface.

    Any other address is dialled as it is.
    """
    System(
        monkeypatch,
        adapter("eth0", (("fe80::7", 0, 2), 64), (("fd00::7", 0, 0), 64)),
        adapter("eth1", (("fe80::8", 0, 3), 64)),
    )
    ways = (Address("fe80::1%2", 4747), Address("fe80::1%3", 4747))
    assert dialled_as(Address("fe80::1", 4747)) == ways
    assert Neighbours().dialled(b"k" * 32, ["[fe80::1]:4747", "10.0.0.9:1"]) == (
        *ways,
        Address("10.0.0.9", 1),
    )
    for host in ("fe80::1%eth0", "fd00::1", "169.254.1.2", "10.0.0.1", "anns-laptop"):
        assert dialled_as(Address(host, 1)) == (Address(host, 1),)


@pytest.mark.parametrize(
    "error",
    [PermissionError(13, "Permission denied"), OSError(24, "Too many open files"),
     AssertionError("sockaddr_to_ip(None) returned None"), ValueError("NULL pointer access")],
)  # fmt: skip
def test_a_system_that_tells_no_addresses_is_no_end(monkeypatch, error):
    """If the system does not tell its addresses, a sentence says so, and loopback remains.

    The cause may be a sandbox, too few descriptors, or a tunnel without a netmask.
    """

    def refuse():
        raise error

    monkeypatch.setattr(ifaddr, "get_adapters", refuse)
    with pytest.raises(NoAddresses, match="cannot be read"):
        read_addresses()
    assert own_addresses() == interface_networks() == lan_hosts() == ()
    assert addresses_to_tell(4747) == ("127.0.0.1:4747",)
    assert not is_near("127.0.0.1", interface_networks)
    assert is_near("192.168.1.7", interface_networks)


def test_the_state_of_an_interface_is_asked_of_the_system():
    """The state of `lo` is read from the system; an unknown interface counts as up."""
    if "lo" in {name for _, name in socket.if_nameindex()}:
        up = any(each.number.is_loopback for each in own_addresses())
        assert interfaces._state_of("lo") == (up, False)
    assert interfaces._state_of("no-such-face") == (True, False)


@pytest.mark.parametrize(
    ("text", "here"),
    [("127.0.0.1:4747", True), ("[::1]:4747", True), ("192.168.1.4:4747", False),
     ("[fe80::1%2]:4747", False), ("localhost:4747", False), ("no address", False)],
)  # fmt: skip
def test_which_addresses_lead_nowhere_else(text, here):
    """Only loopback IP addresses are known to lead nowhere else; a name is not looked up."""
    assert leads_nowhere_else(text) is here
