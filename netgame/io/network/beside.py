"""Streams between the nodes of one process: pairs in memory, without ports or sockets.

A seat and the bots in its process share a `Switchboard`. They prove their keys to each other as
over any other stream.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import trio

from netgame.errors import Disconnected
from netgame.io.network.streams import ByteStream, pair

_CALLS_MAX: Final = 64
"""The number of streams that may wait to be accepted; a seat has at most 13 bots."""


class Extension:
    """The `Listener` at which one node is reached by the other nodes of its process."""

    at_home = True

    def __init__(self, hang_up: Callable[[], None]) -> None:
        self._hang_up = hang_up
        self._calls, self._answered = trio.open_memory_channel[ByteStream](_CALLS_MAX)

    async def accept(self) -> ByteStream:
        """Wait for the next stream that another node of the process opens, and return it."""
        return await self._answered.receive()

    def call(self) -> ByteStream:
        """Return a stream to this node; `Disconnected` if it is closed or too many streams wait."""
        near, far = pair()
        try:
            self._calls.send_nowait(far)
        except (trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
            raise Disconnected("nobody answers beside this seat") from None
        return near

    def close(self) -> None:
        """Accept no more streams, and close those that wait to be accepted."""
        self._hang_up()
        with suppress(trio.WouldBlock, trio.ClosedResourceError):
            while True:
                self._answered.receive_nowait().close()
        self._answered.close()


class Switchboard:
    """The nodes that can be reached within this process, by key."""

    def __init__(self) -> None:
        self._extensions: dict[bytes, Extension] = {}

    def __contains__(self, key: bytes) -> bool:
        """Return True if a node with that key can be reached in this process."""
        return key in self._extensions

    def extension(self, key: bytes) -> Extension:
        """Make the node of this key reachable, and return the listener for it.

        Closing the listener makes the node unreachable again.
        """

        def hang_up() -> None:
            if self._extensions.get(key) is made:
                del self._extensions[key]

        made = self._extensions[key] = Extension(hang_up)
        return made

    def call(self, key: bytes) -> ByteStream:
        """Return a stream to the node of this key; `Disconnected` if it does not answer."""
        extension = self._extensions.get(key)
        if extension is None:
            raise Disconnected("nobody beside this seat has that key")
        return extension.call()
