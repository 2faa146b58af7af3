"""The place of one table's page: a port, and a path that nobody can guess."""

import base64
import re
from collections.abc import Iterator
from typing import Final

from netgame.crypto.group import Entropy
from netgame.frozen import FrozenStruct
from netgame.io.entropy import chosen_below, fresh_octets
from netgame.io.network.addresses import Address

_PATH_BYTES: Final = 16
_PATH: Final = re.compile("[a-z2-7]{26}")
_PORT_FIRST: Final = 49_152
_PORTS: Final = 16_384
"""The number of ports from `_PORT_FIRST` on; they belong to no service (RFC 6335 6)."""


class PagePlace(FrozenStruct):
    """The port and path of a page: new for each group, so no browser has been there before."""

    port: int
    path: str

    def url(self, host: str) -> str:
        """Return the URL of the page, with this IP address of the computer that serves it."""
        return f"{origin_of(Address(host, self.port))}/{self.path}/"


def new_place(entropy: Entropy = fresh_octets) -> PagePlace:
    """Return a place with a random port, and 128 random bits in its path."""
    path = base64.b32encode(entropy(_PATH_BYTES)).decode("ascii").rstrip("=").lower()
    return PagePlace(_PORT_FIRST + chosen_below(_PORTS), path)


def noted_place(port: int, path: str) -> PagePlace | None:
    """Return the place that a seat's notes give; None if the port or the path is not valid."""
    is_one = 0 < port < _PORT_FIRST + _PORTS and _PATH.fullmatch(path)
    return PagePlace(port, path) if is_one else None


def ports_to_try(first: int) -> Iterator[int]:
    """Yield this port, and then random others, without end."""
    yield first
    while True:
        yield _PORT_FIRST + chosen_below(_PORTS)


def origin_of(near: Address) -> str:
    """Return the origin (RFC 6454) of pages served at an address and port."""
    return f"http://{near}"
