"""The nodes of one process, which reach each other by pairs in memory: no port, no socket.

A seat and the bots beside it share a `Switchboard`. They prove their keys to each other as over any
other stream.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import trio

from netgame.errors import Disconnected
from netgame.io.network.streams import ByteStream, pair

_CALLS_MAX: Final = 64
"""The streams that may wait to be accepted: a seat has at most 13 bots."""


class Extension:
    """The place where other nodes of the process reach one node; a `Listener`."""

    at_home = True

    def __init__(self, hang_up: Callable[[], None]) -> None:
        self._hang_up = hang_up
        self._calls, self._answered = trio.open_memory_channel[ByteStream](_CALLS_MAX)

    async def accept(self) -> ByteStream:
        """Return the next stream that another node of the process opens."""
        return await self._answered.receive()

    def call(self) -> ByteStream:
        """Open a stream to this node; raises `Disconnected` if it no longer answers."""
        near, far = pair()
        try:
            self._calls.send_nowait(far)
        except (trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
            raise Disconnected("nobody answers beside this seat") from None
        return near

    def close(self) -> None:
        """Take no more calls, and hang up on those that wait."""
        self._hang_up()
        with suppress(trio.WouldBlock, trio.ClosedResourceError):
            while True:
                self._answered.receive_nowait().close()
        self._answered.close()


class Switchboard:
    """The keys that can be reached within this process."""

    def __init__(self) -> None:
        self._extensions: dict[bytes, Extension] = {}

    def __contains__(self, key: bytes) -> bool:
        """Return True if a node of this process plays with that key."""
        return key in self._extensions

    def extension(self, key: bytes) -> Extension:
        """Open and return the place where the node of this key is reached, until it is closed."""

        def hang_up() -> None:
            if self._extensions.get(key) is made:
                del self._extensions[key]

        made = self._extensions[key] = Extension(hang_up)
        return made

    def call(self, key: bytes) -> ByteStream:
        """Open a stream to the node of this key; raises `Disconnected` if there is none."""
        extension = self._extensions.get(key)
        if extension is None:
            raise Disconnected("nobody beside this seat has that key")
        return extension.call()
