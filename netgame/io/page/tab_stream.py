"""A WebSocket as a stream of octets, sent as binary messages whose boundaries mean nothing.

A WebSocket has no half-close. A side that has ended its direction goes on listening, and the
WebSocket is closed once either side is done with both. An intended end is announced within the
channel (`netgame.io.door.sealed`); a stream that ends without that was cut off.

The stream has no task of its own: octets are read, and pings answered, when a reader wants octets.
If the system takes only a part of a message, `send_now` reports all but one octet as sent. The
caller keeps that octet, and when it sends it again, the rest of the message is sent.
"""

from typing import Final

import trio
import trio.lowlevel
from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event, Ping, TextMessage
from wsproto.frame_protocol import CloseReason

from netgame import limits
from netgame.io.network.streams import HERE, ByteStream, take
from netgame.io.network.tcp import TcpStream
from netgame.rates import TokenBucket

_PONGS_BYTES_MAX: Final = 1_024
"""Octets of waiting pongs; beyond that, pings are not answered."""


def source_by_page(below: TcpStream) -> str:
    """Return the name under which a browser's stream over this connection is counted.

    Even a browser on this computer is not counted as `HERE`: any web site that is open in it may
    connect from loopback.
    """
    return f"page {below.host}" if below.source == HERE else below.source


class WebSocketStream(ByteStream):
    """The server's end of a WebSocket over a TCP connection, after its handshake."""

    def __init__(self, below: TcpStream) -> None:
        self.source = source_by_page(below)
        self.host = "" if below.source == HERE else below.host
        self._below = below
        self._frames = Connection(ConnectionType.SERVER)
        self._came = bytearray()
        self._has_ended = self._is_broken = self._is_closed = False
        """True if no more octets come; true if the other end broke the protocol, or a message was
        left unfinished; true if this end is closed.
        """
        self._message_bytes = 0
        """Octets so far of the message that is coming."""
        self._unsent = bytearray()
        """Octets that are framed and have not left."""
        self._sent_ahead = 0
        """Octets, one or none, that are framed already but that the sender was told to send again.
        """
        self._is_sending = False
        """True while a task waits in `send_all`; it also sends all that is added meanwhile."""
        self._ready_at = now = trio.current_time()
        self._rate = TokenBucket(limits.LINK_FRAMES_PER_S, limits.LINK_FRAMES_BURST, now)

    # ---- receiving --------------------------------------------------------------------------

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Wait for octets and return them; none after the end of the stream.

        Raises `trio.BrokenResourceError` if the other end breaks the protocol.
        """
        await self.wait_readable()
        return take(self._came, max_bytes or limits.READ_BYTES)

    async def wait_readable(self) -> None:
        """Wait until there are octets to receive, or the stream ends; answer pings meanwhile."""
        await trio.lowlevel.checkpoint()
        while True:
            if self._is_closed:
                raise trio.ClosedResourceError
            if self._is_broken:
                raise trio.BrokenResourceError
            if self._came or self._has_ended:
                return
            if self._ready_at > trio.current_time():
                await trio.sleep_until(self._ready_at)
            octets = await self._below.receive_some(limits.PAGE_READ_BYTES)
            if octets:
                self._hear(octets)
            else:
                self._has_ended = True

    def _hear(self, octets: bytes) -> None:
        """Handle received octets, and delay the next reading if there were many messages."""
        self._frames.receive_data(octets)
        count = 0
        for event in self._frames.events():
            self._take(event)
            count += 1
            if self._is_broken or self._has_ended:
                break
        now = trio.current_time()
        self._ready_at = now + self._rate.take(count, now)

    def _take(self, event: Event) -> None:
        match event:
            case BytesMessage(data=data, message_finished=is_whole):
                self._message_bytes += len(data)
                if self._message_bytes > limits.PAGE_MESSAGE_BYTES_MAX:
                    self._break(CloseReason.MESSAGE_TOO_BIG)
                    return
                self._came += data
                self._message_bytes = 0 if is_whole else self._message_bytes
            case Ping():
                if len(self._unsent) < _PONGS_BYTES_MAX:
                    self._queue(event.response())
            case TextMessage():
                self._break(CloseReason.UNSUPPORTED_DATA)
            case CloseConnection() if self._frames.state is ConnectionState.REMOTE_CLOSING:
                self._has_ended = True
                self._queue(CloseConnection(CloseReason.NORMAL_CLOSURE))
            case CloseConnection(code=code):  # how wsproto reports octets that are not frames
                self._break(CloseReason(code))

    def _break(self, reason: CloseReason) -> None:
        """Close the WebSocket because the other end breaks the protocol."""
        self._came.clear()
        self._say_close(reason)
        self._is_broken = True
        self._below.close()

    # ---- sending ----------------------------------------------------------------------------

    def send_now(self, octets: bytes) -> int:
        """Send as much as the system takes at once; return how many octets count as sent.

        If the system took only a part of a message, that is all but its last octet: the caller must
        send that octet again, with those that follow.
        """
        if not self._sends() or not self._flush_now():
            return 0
        taken = self._sent_ahead
        self._sent_ahead = 0
        while taken < len(octets):
            piece = octets[taken : taken + limits.PAGE_MESSAGE_BYTES_MAX]
            taken += len(piece)
            self._unsent += self._frames.send(BytesMessage(piece))
            if not self._flush_now():
                self._sent_ahead = 1
                return taken - 1
        return len(octets)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all the octets, and wait until the connection has taken them."""
        await trio.lowlevel.checkpoint()
        octets = bytes(data)
        if octets:
            octets, self._sent_ahead = octets[self._sent_ahead :], 0
        for at in range(0, len(octets), limits.PAGE_MESSAGE_BYTES_MAX):
            self._check_sends()
            piece = octets[at : at + limits.PAGE_MESSAGE_BYTES_MAX]
            self._unsent += self._frames.send(BytesMessage(piece))
            await self._flush()
        await self._flush()

    async def send_eof(self) -> None:
        """Send what is still unsent, and nothing else: the channel itself announces the end."""
        await trio.lowlevel.checkpoint()
        await self._flush()

    def close(self) -> None:
        """Close the stream at once; tell the other end, unless a message is only partly sent."""
        if self._is_closed:
            return
        if not self._is_broken:
            self._say_close(CloseReason.NORMAL_CLOSURE)
        self._is_closed = True
        self._below.close()

    def _sends(self) -> bool:
        """Return True if the WebSocket is open and no task waits in `send_all`."""
        is_over = self._is_closed or self._is_broken or self._is_sending
        return not is_over and self._frames.state is ConnectionState.OPEN

    def _check_sends(self) -> None:
        if self._is_closed:
            raise trio.ClosedResourceError
        if self._is_broken or self._frames.state is not ConnectionState.OPEN:
            raise trio.BrokenResourceError

    def _queue(self, event: Event) -> None:
        """Send a pong or a close: at once or, while a task sends, together with its octets."""
        self._unsent += self._frames.send(event)
        if not self._is_sending:
            self._flush_now()

    def _say_close(self, reason: CloseReason) -> None:
        """Send a close, unless one was sent or received, or framed octets are still unsent."""
        if self._frames.state is ConnectionState.OPEN and not (self._is_sending or self._unsent):
            self._queue(CloseConnection(reason))

    def _flush_now(self) -> bool:
        """Send as many framed octets as the system takes; return True if all have left."""
        if self._unsent:
            del self._unsent[: self._below.send_now(bytes(self._unsent))]
        return not self._unsent

    async def _flush(self) -> None:
        """Send all framed octets, including those that are added meanwhile."""
        if self._is_closed:
            raise trio.ClosedResourceError
        if self._is_broken:
            raise trio.BrokenResourceError
        self._is_sending = True
        try:
            while self._unsent:
                octets = bytes(self._unsent)
                self._unsent.clear()
                await self._below.send_all(octets)
        except BaseException:
            self._is_broken = True  # nobody knows how much of a message has left
            raise
        finally:
            self._is_sending = False
