"""Addresses that people type, and addresses that peers give."""

import pytest
import trio

from netgame.errors import Malformed
from netgame.io.network.addresses import Address, parse_address, parse_literal
from netgame.io.network.tcp import numbers_of


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.4:5000", "192.168.1.4", 5000),
        (" anns-laptop ", "anns-laptop", 4747),
        ("anns-laptop:1", "anns-laptop", 1),
        ("[fe80::1]:65535", "fe80::1", 65535),
        ("[::1]", "::1", 4747),
        ("::1", "::1", 4747),
    ],
)
def test_address_is_read(text, host, port):
    """A port may be left out; an IPv6 address with a port needs brackets.

    The text form of an address is read back as the same address.
    """
    assert parse_address(text) == Address(host, port)
    assert parse_address(str(parse_address(text))) == Address(host, port)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":5",
        "a:",
        "a:0",
        "a:65536",
        "a:00000199999",
        "a:x",
        "a:-1",
        "a:٣",
        "[::1",
        "[::1]5",
        "a b:4",
        "x" * 999,
        "4747]:4747",
        "a[b]:1",
        "1:2:3",
        "a\x1b[2J:4",
    ],
)
def test_what_is_no_address_is_refused(text):
    """Text that is not an address is refused with a sentence that says what was expected."""
    with pytest.raises(Malformed, match="expected"):
        parse_address(text)


@pytest.mark.parametrize(
    "text", ["example.org:4747", "224.0.0.1:4747", "0.0.0.0:4747", "1.2.3.4:99999", "", "1.2.3:4"]
)
def test_peers_may_only_name_addresses_of_computers(text):
    """An address named by a peer is ignored unless it is a computer's IP address with a port.

    Host names are never looked up for a peer.
    """
    assert parse_literal(text) is None


def test_peers_addresses_are_read():
    """An IP address with a port, named by a peer, is read."""
    assert parse_literal("10.0.0.1:4748") == Address("10.0.0.1", 4748)


class Resolver(trio.abc.HostnameResolver):
    """A resolver that finds two addresses for any name, and returns the first of them twice."""

    async def getaddrinfo(self, host, port, *_):
        """Return the addresses, as the function of the same name in `socket` does."""
        numbers = ("10.0.0.7", "fd00::7", "10.0.0.7")
        return [(0, 0, 0, "", (number, port)) for number in numbers]

    async def getnameinfo(self, *_):
        """Fail: no name is looked up for an address."""
        raise AssertionError


async def test_the_numbers_behind_a_name_are_each_found_once():
    """A host name is turned into IP addresses, because peers are dialled by those alone.

    Each is returned once, even if the look-up names it twice. An IP address is returned as it is.
    For a name that leads nowhere the result is empty.
    """
    assert "127.0.0.1:4747" in await numbers_of(Address("localhost", 4747))
    assert await numbers_of(Address("10.0.0.7", 1)) == ("10.0.0.7:1",)
    assert await numbers_of(Address("::1", 9)) == ("[::1]:9",)
    assert await numbers_of(Address("no..such..name", 9)) == ()
    trio.socket.set_custom_hostname_resolver(Resolver())
    assert await numbers_of(Address("table", 9)) == ("10.0.0.7:9", "[fd00::7]:9")
