"""Addresses: as people type them, and as peers name them."""

import ipaddress
import re
from typing import Final, NamedTuple, TypeAlias

from netgame.errors import Malformed
from netgame.limits import ADDRESS_CHARS_MAX, PORT_DEFAULT

Number: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

_PORT_MAX: Final = 65_535
_NAME: Final = re.compile(r"[^\s\[\]]{1,253}")
"""A host name: at most as long as a name in the DNS (RFC 1035 2.3.4, as text)."""


class Address(NamedTuple):
    """A host name or IP address, and a TCP port."""

    host: str
    port: int

    def __str__(self) -> str:
        """Return `host:port`, with brackets around IPv6."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read `host`, `host:port`, `[v6]` or `[v6]:port`; raises `Malformed` for anything else.

    The port is `PORT_DEFAULT` if none is given; a name is not looked up.
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
    """Return True if `host` can be a name or an IP address; one with a colon must be IPv6."""
    if ":" in host:
        try:
            return host.isprintable() and ipaddress.ip_address(host).version == 6
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

    The text may be hostile. Returns None if it has no IP address, is too long, or has an address
    that no computer can have. The port may be left out, as for `parse_address`.
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
    """Return the IP address in `host`, without `%zone` and IPv4 mapping; None for a name."""
    try:
        number = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number


def network_of(number: Number, prefix_bits: int) -> Network:
    """Return the network that contains this address and has a prefix of `prefix_bits`."""
    return ipaddress.ip_network(f"{number}/{prefix_bits}", strict=False)


def leads_nowhere_else(text: str) -> bool:
    """Return True if the host in `HOST:PORT` is a loopback address of this computer."""
    number = number_of(_split(text)[0])
    return number is not None and number.is_loopback
