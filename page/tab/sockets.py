"""Byte streams from a tab to the one computer it can dial, each over a WebSocket.

That is the server of the page or, for a page opened from a file, the table whose address the player
has typed. Other members of the table are reached by streams that a member forwards
(`netgame.io.door.forwarding`).
"""

from contextlib import suppress
from typing import Any, Final

import trio
import trio.lowlevel

from netgame import limits
from netgame.errors import Disconnected, TimedOut
from netgame.io.network.addresses import Address
from netgame.io.network.streams import ByteStream, take
from page.tab.browser import Page, Socket

_WAITING_MAX: Final = 262_144
"""How many octets the browser may hold unsent; with more, `send_all` waits."""
_PAUSE_S: Final = 0.02
_MESSAGE_BYTES: Final = 32_768


class PageStream(ByteStream):
    """A WebSocket as a byte stream; incoming octets are kept until they are read."""

    def __init__(self, page: Page, where: str) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._came = bytearray()
        self._where = where
        self._is_open = self._has_ended = self._is_closed = False
        self._stirred = trio.lowlevel.ParkingLot()
        from pyodide.ffi import create_proxy

        self._proxies = [create_proxy(each) for each in (self._opened, self._take, self._end)]
        self._socket: Socket = page.open(where, *self._proxies)

    def _stir(self) -> None:
        with suppress(trio.RunFinishedError):  # the command that it was for has ended
            self._token.run_sync_soon(self._stirred.unpark_all)

    def _opened(self, *_: object) -> None:
        self._is_open = True
        self._stir()

    def _take(self, octets: Any) -> None:  # noqa: ANN401 - octets of JavaScript
        self._came += octets.to_bytes()
        self._stir()

    def _end(self, *_: object) -> None:
        self._has_ended = True
        self._stir()
        for proxy in self._proxies:
            proxy.destroy()

    async def wait_opened(self) -> None:
        """Wait until the stream is open; raises `Disconnected` if it cannot be opened."""
        while not self._is_open:
            if self._has_ended:
                if self._where:
                    raise Disconnected(
                        "nobody answers there, or its host has to let pages from files in first, "
                        "by typing: page files"
                    )
                raise Disconnected("whoever serves this page does not answer")
            await self._stirred.park()

    def send_now(self, octets: bytes) -> int:
        """Send as many octets as there is room for; return their number.

        That is 0 once the stream has ended or is closed.
        """
        if self._is_closed or self._has_ended:
            return 0
        taken = min(len(octets), _WAITING_MAX - int(self._socket.waiting()))
        for at in range(0, taken, _MESSAGE_BYTES):
            self._socket.send(_for_browser(octets[at : min(at + _MESSAGE_BYTES, taken)]))
        return max(taken, 0)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of `data`, waiting for room as long as it takes.

        Raises `trio.ClosedResourceError` if this side has closed the stream, and
        `trio.BrokenResourceError` if it has ended.
        """
        await trio.lowlevel.checkpoint()
        octets = bytes(data)
        while octets:
            if self._is_closed:
                raise trio.ClosedResourceError
            if self._has_ended:
                raise trio.BrokenResourceError
            octets = octets[self.send_now(octets) :]
            if octets:  # browsers do not tell when there is room again
                await trio.sleep(_PAUSE_S)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Wait for octets and return them; return none at the end of the stream.

        Raises `trio.ClosedResourceError` if this side has closed the stream.
        """
        await self.wait_readable()
        return take(self._came, max_bytes or limits.READ_BYTES)

    async def wait_readable(self) -> None:
        """Wait until there are octets to read, or the stream has ended.

        Raises `trio.ClosedResourceError` if this side has closed the stream.
        """
        await trio.lowlevel.checkpoint()
        while not (self._came or self._has_ended or self._is_closed):
            await self._stirred.park()
        if self._is_closed:
            raise trio.ClosedResourceError

    async def send_eof(self) -> None:
        """Do nothing: a WebSocket cannot end just one direction.

        The encrypted channel above it tells the other side that nothing more follows.
        """
        await trio.lowlevel.checkpoint()

    def close(self) -> None:
        """Close the stream at once; unsent octets are lost."""
        if not self._is_closed:
            self._is_closed = True
            self._socket.close()
            self._stirred.unpark_all()


def _for_browser(octets: bytes) -> Any:  # noqa: ANN401
    from pyodide.ffi import to_js

    return to_js(octets)


async def dial(page: Page, served_at: str, address: Address) -> ByteStream:
    """Open a stream to `address`, which must be `served_at`, the address of the page's server.

    A page from a file has no server: `served_at` is empty, and any address may be dialled. Raises
    `Disconnected` for an address that may not be dialled or does not answer, and `TimedOut` after
    `DIAL_TIMEOUT_S`.
    """
    if served_at and str(address) != served_at:
        raise Disconnected("a page reaches nobody but who serves it")
    stream = PageStream(page, "" if served_at else str(address))
    try:
        with trio.fail_after(limits.DIAL_TIMEOUT_S):
            await stream.wait_opened()
    except trio.TooSlowError:
        stream.close()
        raise TimedOut("{address} did not answer", address=address) from None
    except BaseException:
        stream.close()
        raise
    return stream
