"""Network addresses as people type them and as peers name them."""

import ipaddress
from typing import NamedTuple, TypeAlias

from netgame.errors import Malformed
from netgame.limits import ADDRESS_CHARS_MAX, PORT_DEFAULT

Number: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_PORT_MAX = 65_535
_HOST_CHARS_MAX = 253
"""The longest name in the DNS (RFC 1035 2.3.4, as text)."""


class Address(NamedTuple):
    """A host name or IP address, and a TCP port."""

    host: str
    port: int

    def __str__(self) -> str:
        """`host:port`, with brackets around IPv6."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read `host`, `host:port`, `[v6]` or `[v6]:port`; raises `Malformed` with a sentence."""
    text = text.strip()
    host, separator, port = _split(text)
    if not _is_host(host):
        raise Malformed(f"{text!r} is not an address: expected HOST or HOST:PORT")
    if not separator:
        return Address(host, PORT_DEFAULT)
    is_number = port.isascii() and port.isdigit() and len(port) <= len(str(_PORT_MAX))
    if not (is_number and 0 < int(port) <= _PORT_MAX):
        raise Malformed(f"{port!r} is not a port: expected a number from 1 to {_PORT_MAX}")
    return Address(host, int(port))


def _is_host(host: str) -> bool:
    """Whether this can be a computer's name or address; colons stand in IPv6 addresses only."""
    if ":" in host:
        try:
            return ipaddress.ip_address(host).version == 6
        except ValueError:
            return False
    return (
        0 < len(host) <= _HOST_CHARS_MAX
        and host.isprintable()
        and not any(c.isspace() or c in "[]" for c in host)
    )


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
    """Read an address a peer named: an IP address and a port, nothing a name server is asked for.

    None for whatever is not one, or could not be a computer's.
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
    """Return the IP address that `host` is, IPv4 where it is one in disguise; None for a name."""
    try:
        number = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number
