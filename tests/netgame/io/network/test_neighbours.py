"""Addresses named by peers are dialled only if they may belong to this network."""

import ipaddress

import pytest
import trio
import trio.testing

from netgame.io.discovery import browse
from netgame.io.disk.identity import Identity
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.door.link_pool import LinkPool
from netgame.io.network.addresses import Address
from netgame.io.network.interfaces import interface_networks, own_addresses
from netgame.io.network.neighbours import Neighbours, is_near

ANN, BEN = Identity(b"1" * 32), Identity(b"2" * 32)
LAN = tuple(map(ipaddress.ip_network, ("127.0.0.0/8", "192.168.1.0/24", "203.0.114.0/24")))
ALONE = tuple(map(ipaddress.ip_network, ("127.0.0.0/8", "::1/128")))


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("192.168.1.7", True), ("192.168.9.7", True), ("10.1.2.3", True), ("172.16.0.1", True),
        ("100.64.0.9", True), ("169.254.3.4", True), ("fe80::1", True), ("fd00::7", True),
        ("fe80::1%eth0", True), ("203.0.114.77", True), ("::ffff:192.168.1.7", True),
        ("203.0.115.77", False), ("8.8.8.8", False), ("2606:4700::1111", False),
        ("::ffff:8.8.8.8", False), ("127.0.0.1", False), ("::1", False),
        ("::ffff:127.0.0.1", False), ("localhost", False), ("example.org", False), ("", False),
    ],
)  # fmt: skip
def test_what_is_of_this_network(host, near):
    """Private and link-local addresses are near, and so are those in this computer's networks.

    Host names and loopback addresses are not.
    """
    assert is_near(host, lambda: LAN) is near


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1"])
def test_loopback_is_of_this_network_where_there_is_no_other(host):
    """Loopback is near if this computer has no other network, or listens only on loopback."""
    assert is_near(host, lambda: ALONE)
    assert is_near(host, lambda: LAN, at_home=True)
    assert not is_near("8.8.8.8", lambda: ALONE, at_home=True)


def test_where_a_peer_was_met_it_is_dialled_and_nobody_else_is():
    """A peer is dialled at a far address if it was met there; other peers are not dialled there."""
    neighbours = Neighbours(lambda: LAN)
    named = ("8.8.8.8:4747", "10.0.0.4:4747", "127.0.0.1:22", "printer.local:9100", "224.0.0.1:1")
    addresses = (Address("8.8.8.8", 4747), Address("10.0.0.4", 4747))
    assert neighbours.dialled(ANN.public, named) == addresses[1:]
    neighbours.meet(ANN.public, "::ffff:8.8.8.8")
    assert neighbours.dialled(ANN.public, named) == addresses
    assert neighbours.dialled(BEN.public, named) == addresses[1:]


def test_the_networks_of_this_computer_are_networks():
    """This computer's networks, as read from its interfaces, include loopback.

    Every address of this computer is in the network that is read with it.
    """
    assert any(ipaddress.ip_address("127.0.0.1") in network for network in interface_networks())
    assert all(each.number in each.network for each in own_addresses())


async def test_a_pool_dials_no_stranger_that_a_peer_names(monkeypatch):
    """Of the addresses that peers name, a pool dials only near ones.

    `connect` dials any address.
    """
    tried = []

    async def race(channel, addresses, expected, code=None):
        tried.append((tuple(map(str, addresses)), expected))
        await trio.sleep_forever()

    monkeypatch.setattr("netgame.io.door.link_pool.race", race)

    async def deliver(event):
        pytest.fail("nobody is there")

    pool = LinkPool(Channel(ANN), deliver, Door())
    pool.neighbours = Neighbours(lambda: LAN)
    async with trio.open_nursery() as nursery:
        await nursery.start(pool.run, [])
        pool.keep_dialling(BEN.public, ("8.8.8.8:4747", "10.0.0.4:4747", "127.0.0.1:22"))
        await trio.testing.wait_all_tasks_blocked()
        assert tried == [(("10.0.0.4:4747",), BEN.public)]
        nursery.start_soon(pool.connect, (Address("8.8.8.8", 4747),), BEN.public)
        await trio.testing.wait_all_tasks_blocked()
        assert tried[-1] == (("8.8.8.8:4747",), BEN.public)
        nursery.cancel_scope.cancel()


def test_an_advertisement_of_another_network_is_not_looked_at(monkeypatch):
    """Of the addresses in an advertisement, only near ones are probed.

    Those in the network of one of this computer's interfaces come first.
    """
    monkeypatch.setattr(browse, "interface_networks", lambda: LAN)
    assert browse.near_hosts(("8.8.8.8", "192.168.1.9", "127.0.0.1")) == ("192.168.1.9",)
    assert browse.near_hosts(("8.8.8.8",)) == ()
    mixed = ("10.8.0.5", "fe80::1%2", "192.168.1.9", "203.0.114.4")
    assert browse.near_hosts(mixed) == ("192.168.1.9", "203.0.114.4", "10.8.0.5", "fe80::1%2")
