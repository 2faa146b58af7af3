"""How this program opens a stream to an address: by TCP, unless the place has a way of its own.

A browser tab reaches one address only, that of whoever serves its page, and by a WebSocket.
"""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Final, TypeAlias

from netgame.io.network import tcp
from netgame.io.network.addresses import Address
from netgame.io.network.streams import ByteStream

Dial: TypeAlias = Callable[[Address], Awaitable[ByteStream]]
"""Opens a stream; raises `TimedOut` after `DIAL_TIMEOUT_S`, else `Disconnected`."""

DIAL: Final[ContextVar[Dial]] = ContextVar("dial", default=tcp.dial)
"""That of the place where whoever is served by this task is."""


async def dial(address: Address) -> ByteStream:
    """Open a stream to an address; raises as a `Dial`."""
    return await DIAL.get()(address)
