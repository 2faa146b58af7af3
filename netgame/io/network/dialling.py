"""Opening a stream to an address: by TCP, unless `DIAL` is set to another way.

A browser tab sets it: a tab reaches only the program that serves its page, by a WebSocket.
"""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Final, TypeAlias

from netgame.io.network import tcp
from netgame.io.network.addresses import Address
from netgame.io.network.streams import ByteStream

Dial: TypeAlias = Callable[[Address], Awaitable[ByteStream]]
"""A function that opens a stream.

It raises `TimedOut` after `DIAL_TIMEOUT_S`, and `Disconnected` for any other failure.
"""

DIAL: Final[ContextVar[Dial]] = ContextVar("dial", default=tcp.dial)
"""The function that dials for the player of this task."""


async def dial(address: Address) -> ByteStream:
    """Open a stream to an address, by `DIAL`; raises the errors of a `Dial`."""
    return await DIAL.get()(address)
