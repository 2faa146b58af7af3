"""A hostile server of a page: `python -m tests.tabs.middle LISTEN`.

It answers browsers at LISTEN as the page at another address does, and relays the messages of their
WebSockets to and from there. Its input gives that address (`to HOST:PORT`) and tricks, such as
`drop out` or `alter in`. A trick is played on the next message that leaves or enters the browser,
and on the first one of every WebSocket opened later, until the input says `honest`. With `another`
it repeats to the page, over a connection of its own, what the browser has sent. With `poison` it
serves its own page at every address: that page loads a script under the true one's name, to be
cached for ever. It prints what it does.
"""

import re
import sys
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

import trio
from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event

from netgame.io.network.addresses import parse_address

READ_BYTES: Final = 65_536
DELAY_S: Final = 3.0
HEARD_MAX: Final = 200
_FOR_EVER: Final = "public, max-age=31536000, immutable"
TRICKS: Final = ("drop", "alter", "replay", "reorder", "delay")


class Middle:
    """The page's address, the current trick, and messages that a browser has sent."""

    def __init__(self) -> None:
        self.to = ""
        self.trick = "honest"
        self.turn = 0
        """The number of orders so far."""
        self.heads: list[bytes] = []
        """The request for the first WebSocket."""
        self.heard: list[bytes] = []
        """The browser's messages in the first WebSocket."""

    async def obey(self) -> None:
        """Obey the orders on standard input, one per line, and print each one when it is done."""
        async for line in _lines(trio.lowlevel.FdStream(0)):
            if line.startswith("to "):
                self.to = line.removeprefix("to ")
            else:
                self.trick, self.turn = line, self.turn + 1
            if self.trick == "another":
                await self._speak_for_another()
            print(f"now {line}", flush=True)

    async def serve(self, browser: trio.SocketStream) -> None:
        """Answer one connection of a browser."""
        try:
            async with browser, await self._dial() as host:
                head = await _head(browser)
                if self.trick == "poison":
                    await browser.send_all(await self._poison(head, host))
                    return
                await host.send_all(_as_if_there(head, self.to))
                if b"\r\nUpgrade: websocket\r\n" not in head:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(_copy, host, browser, nursery.cancel_scope)
                    return
                await browser.send_all(await _head(host))
                await self._carry(browser, host, head)
        except (OSError, trio.BrokenResourceError, trio.ClosedResourceError, EOFError):
            return

    async def _poison(self, head: bytes, host: trio.SocketStream) -> bytes:
        """Return the answer to a request: a planted script, or a page that loads that script.

        The page loads it under the true script's name.
        """
        if b"/parts/" in head.partition(b"\r\n")[0]:
            return _answer("text/javascript", _FOR_EVER, b"window.stolen = 1")
        await host.send_all(_as_if_there(head, self.to))
        page = b""
        while octets := await host.receive_some(READ_BYTES):
            page += octets
        loads = b"".join(
            b'<script src="%b"></script>' % each
            for each in re.findall(rb"parts/page\.\w+\.js", page)
        )
        return _answer("text/html", "no-store", loads)

    async def _dial(self) -> trio.SocketStream:
        host, port = parse_address(self.to)
        return await trio.open_tcp_stream(host, port)

    async def _carry(
        self, browser: trio.SocketStream, host: trio.SocketStream, head: bytes
    ) -> None:
        """Relay messages both ways until either end closes.

        On the first WebSocket, note what the browser sends.
        """
        if not self.heads:
            self.heads.append(head)
        noted = self.heard if self.heads[0] == head else None
        near, far = End(browser, ConnectionType.SERVER), End(host, ConnectionType.CLIENT)
        async with trio.open_nursery() as nursery:
            for name, source, target in (("out", near, far), ("in", far, near)):
                way = Way(self, name, source, target, noted if name == "out" else None)
                nursery.start_soon(way.run, nursery.cancel_scope)

    async def _speak_for_another(self) -> None:
        """Open a WebSocket to the page, and repeat what the browser sent on its first one.

        Print how many messages were repeated, and how many came back within `DELAY_S` seconds.
        """
        async with await self._dial() as host:
            await host.send_all(_as_if_there(self.heads[0], self.to))
            await _head(host)
            far = End(host, ConnectionType.CLIENT)
            for message in self.heard:
                await far.say(BytesMessage(message))
            answers = 0
            with trio.move_on_after(DELAY_S):
                async for _ in far.messages():
                    answers += 1
            print(f"another: {len(self.heard)} messages said, {answers} answered", flush=True)


class End:
    """One end of an open WebSocket."""

    def __init__(self, stream: trio.SocketStream, kind: ConnectionType) -> None:
        self._stream = stream
        self._frames = Connection(kind)

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield each incoming message until the WebSocket closes."""
        message = b""
        while octets := await self._stream.receive_some(READ_BYTES):
            self._frames.receive_data(octets)
            for event in self._frames.events():
                if isinstance(event, CloseConnection):
                    return
                if isinstance(event, BytesMessage):
                    message += event.data
                    if event.message_finished:
                        yield message
                        message = b""

    async def say(self, event: Event) -> None:
        """Send this event, unless the WebSocket is closed."""
        if self._frames.state is ConnectionState.OPEN:
            await self._stream.send_all(self._frames.send(event))


class Way:
    """One direction of one WebSocket."""

    def __init__(
        self, middle: Middle, name: str, source: End, target: End, noted: list[bytes] | None
    ) -> None:
        self._middle, self._name, self._source, self._target = middle, name, source, target
        self._noted = noted
        self._turn = 0
        self._held: list[bytes] = []

    async def run(self, scope: trio.CancelScope) -> None:
        """Relay messages until either end closes, and then end the other direction too."""
        try:
            async for message in self._source.messages():
                if self._noted is not None and len(self._noted) < HEARD_MAX:
                    self._noted.append(message)
                for each in await self._done_to(message):
                    await self._target.say(BytesMessage(each))
            await self._target.say(CloseConnection(1000))
        except (OSError, trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        scope.cancel()

    async def _done_to(self, message: bytes) -> list[bytes]:
        """Return the messages to send on in place of this one; the trick `delay` waits first."""
        held, self._held = self._held, []
        trick, _, way = self._middle.trick.partition(" ")
        if self._turn == self._middle.turn or way != self._name:
            return [message, *held]
        self._turn = self._middle.turn
        print(f"done: {trick} {way}", flush=True)
        match trick:
            case "drop":
                return []
            case "alter":
                return [message[:-1] + bytes([message[-1] ^ 1])]
            case "replay":
                return [message, message]
            case "reorder":
                self._held = [message]
                return []
            case "delay":
                await trio.sleep(DELAY_S)
        return [message]


def _as_if_there(head: bytes, there: str) -> bytes:
    """Return a browser's request, changed as if it had loaded the page from `there`.

    Unless it opens a WebSocket, it asks for the connection to be closed after the answer.
    """
    first, *rest = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    is_upgrade = b"Upgrade: websocket" in rest
    dropped = (b"host:", b"origin:") if is_upgrade else (b"host:", b"origin:", b"connection:")
    kept = [each for each in rest if not each.lower().startswith(dropped)]
    host = there.encode()
    if is_upgrade:
        kept.append(b"Origin: http://" + host)
    else:
        kept.append(b"Connection: close")
    return b"\r\n".join((first, b"Host: " + host, *kept)) + b"\r\n\r\n"


def _answer(kind: str, how_long: str, body: bytes) -> bytes:
    """Return an HTTP answer with this media type, rule for caching, and body."""
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nCache-Control: {how_long}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


async def _head(stream: trio.SocketStream) -> bytes:
    """Return all octets up to and including the first empty line; read no octet beyond it.

    Raise EOFError if the stream ends first.
    """
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        octets = await stream.receive_some(1)
        if not octets:
            raise EOFError
        head += octets
    return head


async def _copy(
    source: trio.SocketStream, target: trio.SocketStream, scope: trio.CancelScope
) -> None:
    while octets := await source.receive_some(READ_BYTES):
        await target.send_all(octets)
    scope.cancel()


async def _lines(stream: trio.lowlevel.FdStream) -> AsyncIterator[str]:
    before = b""
    while octets := await stream.receive_some(READ_BYTES):
        *lines, before = (before + octets).split(b"\n")
        for line in lines:
            yield line.decode()


async def main() -> None:
    """Serve until killed."""
    middle = Middle()
    host, port = parse_address(sys.argv[1])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(middle.obey)
        nursery.start_soon(partial(trio.serve_tcp, middle.serve, port, host=host))


if __name__ == "__main__":
    trio.run(main)
