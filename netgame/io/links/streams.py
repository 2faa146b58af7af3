"""Frames over a byte stream: a 4-octet big-endian length, then that many octets.

However the stream cuts the octets, frames come out whole; a length over the limit is refused
before anything of the body is kept [protocol.md §3.1].
"""

from collections.abc import Iterable
from typing import Final

import trio
from trio.abc import HalfCloseableStream, Stream

from netgame import limits
from netgame.errors import Disconnected, Malformed, TimedOut

LENGTH_BYTES: Final = 4


def frame_octets(body: bytes) -> bytes:
    """Return the octets of one frame on the wire."""
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


class FramedStream:
    """Frames over any trio stream; one task may send while another receives.

    Until `trust` is called only small frames are taken. Both directions raise `Disconnected`
    when the stream is gone.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._limit = limits.FRAME_BYTES_MAX_UNAUTHENTICATED
        self._chunk = limits.READ_BYTES_UNPROVED
        self._buffer = bytearray()

    def trust(self) -> None:
        """Take frames of the size the game needs: the peer has proved its key."""
        self._limit = limits.FRAME_BYTES_MAX
        self._chunk = limits.READ_BYTES

    async def send_frame(self, body: bytes) -> None:
        """Send one frame."""
        await self.send_frames((body,))

    async def send_frames(self, bodies: Iterable[bytes]) -> None:
        """Send several frames with one call to the system."""
        try:
            await self.stream.send_all(b"".join(map(frame_octets, bodies)))
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            raise Disconnected("the link broke while sending") from None

    async def receive_frame(self) -> bytes:
        """Wait for the next frame, however long it takes to begin.

        Raises `Malformed` for a frame that is too long, `TimedOut` for one that does not end
        within `FRAME_TIMEOUT_S` of its first octet, `Disconnected`.
        """
        if not self._buffer:
            await self._receive_more()
        with trio.move_on_after(limits.FRAME_TIMEOUT_S):
            length = int.from_bytes(await self._peek(LENGTH_BYTES), "big")
            if length > self._limit:
                raise Malformed(f"a frame of {length} octets where {self._limit} are the most")
            frame = await self._peek(LENGTH_BYTES + length)
            del self._buffer[: len(frame)]
            return frame[LENGTH_BYTES:]
        raise TimedOut("a frame began but did not end in time")

    async def _peek(self, count: int) -> bytes:
        while len(self._buffer) < count:
            await self._receive_more()
        return bytes(self._buffer[:count])

    async def _receive_more(self) -> None:
        try:
            octets = await self.stream.receive_some(self._chunk)
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            raise Disconnected("the link broke") from None
        if not octets:
            raise Disconnected("the other side closed the link")
        self._buffer += octets

    async def send_eof(self) -> None:
        """Say that nothing more will be sent, below any encryption; the other way stays open."""
        stream = self.stream
        while isinstance(stream, trio.SSLStream):
            stream = stream.transport_stream
        if not isinstance(stream, HalfCloseableStream):
            raise Disconnected("this stream cannot be closed in one direction")
        try:
            await stream.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            raise Disconnected("the link broke while closing") from None

    async def close(self) -> None:
        """Close the stream at once, without a word to the other side."""
        await trio.aclose_forcefully(self.stream)
