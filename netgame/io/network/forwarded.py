"""Forwarded streams: the streams that one link carries for others, as `ByteStream`s.

`netgame.protocol.forwarding` has the rules and the buffers; this module adds waiting. Everything is
sent by `next_frame`. The writer of the link calls it whenever it has nothing of its own to send, so
a forwarded stream never fills the queue of its link [peer.md §2].
"""

import math
from collections.abc import Callable
from contextlib import suppress

import trio
import trio.lowlevel

from netgame import limits
from netgame.errors import Disconnected, TimedOut
from netgame.io.network.streams import ByteStream
from netgame.protocol.forwarding import BUSY, Forwarded, Mux, StreamPhase
from netgame.protocol.peer.effects import PeerKey
from netgame.rates import TokenBucket
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import StreamMessage

_TAG_AT = slice(2, 9)
_TAG = b"stream-"


def is_of_streams(body: bytes) -> bool:
    """Return True if a frame is about a forwarded stream, by the tag that it begins with."""
    return body[_TAG_AT] == _TAG


def source_by(forwarder: PeerKey) -> str:
    """Return the name under which the door counts everything that this peer forwards."""
    return f"by {forwarder.hex()}"


class ForwardedStream(ByteStream):
    """One end of a stream that the peer at the other end of a link forwards."""

    def __init__(self, carrier: "Carrier", state: Forwarded) -> None:
        self.by, self.source = carrier.peer, source_by(carrier.peer)
        self.wanted = PeerKey(state.key)
        """The key of the peer that the stream should reach; empty if it should end at this peer."""
        self._carrier, self._state = carrier, state
        self._is_closed = False
        self._stirred = trio.lowlevel.ParkingLot()
        state.stir = self._stirred.unpark_all

    def accept(self) -> None:
        """Accept a stream that the peer has asked for or offered: it is open from now on."""
        self._carrier.mux.accept(self._state)
        self._carrier.wake()

    def refuse(self, code: str) -> None:
        """Refuse a stream that the peer has asked for or offered, with `code` as the reason."""
        self._carrier.mux.refuse(self._state, code)
        self._carrier.wake()

    async def wait_opened(self) -> None:
        """Return once the stream is open; raises `Disconnected` if it is refused or fails."""
        while self._state.phase is StreamPhase.ASKED:
            await self._stirred.park()
        if self._state.phase is not StreamPhase.OPEN:
            raise Disconnected("nobody forwards it: {why}", why=self._state.refusal or "no link")

    def send_now(self, octets: bytes) -> int:
        """Queue as many of the octets as there is room for, and return how many that were."""
        taken = self._carrier.mux.send(self._state, octets)
        self._carrier.wake()
        return taken

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Queue all octets, waiting for room.

        Raises `trio.ClosedResourceError` or `trio.BrokenResourceError` if the stream is not open.
        """
        await trio.lowlevel.checkpoint()
        octets = bytes(data)
        while octets:
            self._check_open()
            octets = octets[self.send_now(octets) :]
            if octets:
                await self._stirred.park()

    def _check_open(self) -> None:
        if self._is_closed:
            raise trio.ClosedResourceError
        if self._state.phase is not StreamPhase.OPEN:
            raise trio.BrokenResourceError

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return the next octets, waiting for some; empty if the other side has announced the end.

        Raises `trio.ClosedResourceError` or `trio.BrokenResourceError` if the stream has ended
        otherwise.
        """
        await self.wait_readable()
        octets = self._carrier.mux.read(self._state, max_bytes or limits.STREAM_WINDOW_BYTES)
        self._carrier.wake()
        if not octets and not self._state.has_ended:
            raise trio.BrokenResourceError
        return octets

    async def wait_readable(self) -> None:
        """Wait until there are octets to read, or the stream has ended in any way.

        Raises `trio.ClosedResourceError` if it has been closed at this end.
        """
        await trio.lowlevel.checkpoint()
        state = self._state
        while not (self._is_closed or state.came or state.has_ended or state.is_over):
            await self._stirred.park()
        if self._is_closed:
            raise trio.ClosedResourceError

    async def wait_over(self) -> None:
        """Wait until either end has closed the stream, or its link is gone."""
        while not self._state.is_over:
            await self._stirred.park()

    async def send_eof(self) -> None:
        """Tell the other side that nothing more will be sent in this direction."""
        await trio.lowlevel.checkpoint()
        self._check_open()
        self._carrier.mux.end(self._state)
        self._carrier.wake()

    def close(self) -> None:
        """Close the stream at once; octets for which the other end has room are still sent."""
        self._is_closed = True
        self._carrier.mux.close(self._state)
        self._stirred.unpark_all()
        self._carrier.wake()


def _refuse(stream: ForwardedStream) -> None:
    stream.refuse(BUSY)


class Carrier:
    """The streams that one link to `peer` carries; `wake` is called when frames may be due."""

    def __init__(self, peer: PeerKey, wake: Callable[[], None]) -> None:
        now = trio.current_time()
        self.peer = peer
        self.mux = Mux(now)
        self.offered: Callable[[ForwardedStream], None] = _refuse
        """Called with each stream that the peer asks for or offers, to be accepted or refused."""
        self._wake = wake
        self._is_gone = False
        self._ready_at = now
        self._rate = TokenBucket(limits.STREAM_FRAMES_PER_S, limits.STREAM_FRAMES_BURST, now)
        self._volume = TokenBucket(limits.STREAM_BYTES_PER_S, limits.STREAM_BYTES_BURST, now)

    async def open(self, key: PeerKey | None = None) -> ForwardedStream:
        """Ask the peer for a stream to the peer of this key; without a key, offer it a stream.

        Raises `Disconnected` if it refuses, the link ends, or there are too many streams already,
        and `TimedOut` if it does not answer.
        """
        state = None if self._is_gone else self.mux.ask(key or b"")
        if state is None:
            raise Disconnected("that link carries no more streams")
        stream = ForwardedStream(self, state)
        self.wake()
        try:
            with trio.fail_after(limits.DIAL_TIMEOUT_S):
                await stream.wait_opened()
        except trio.TooSlowError:
            stream.close()
            raise TimedOut("nobody has answered who was asked to forward a stream") from None
        except BaseException:
            stream.close()
            raise
        return stream

    def hear(self, body: bytes) -> None:
        """Handle a frame about streams; raises `Malformed` if no honest peer would send it."""
        state = self.mux.hear(decode_any(body, StreamMessage), trio.current_time())
        if state is not None:
            self.offered(ForwardedStream(self, state))
        self.wake()

    def wake(self) -> None:
        """Wake the writer of the link if there are frames to send."""
        if self.mux.is_due:
            self._wake()

    @property
    def ready_at(self) -> float:
        """The earliest time for sending a frame, in trio's seconds; infinite if there is none."""
        return self._ready_at if self.mux.is_due else math.inf

    def next_frame(self) -> bytes | None:
        """Return the next frame to send; None if there is none, or if it must not be sent yet."""
        now = trio.current_time()
        message = self.mux.next_message() if now >= self._ready_at else None
        if message is None:
            return None
        body = encode(message)
        self._ready_at = now + max(self._rate.take(1, now), self._volume.take(len(body), now))
        return body

    def cut(self) -> None:
        """End all streams, because their link is gone."""
        self._is_gone = True
        self.mux.cut()


async def pipe(near: ForwardedStream, far: ForwardedStream) -> None:
    """Copy octets and ends both ways until one of the streams is closed; then close the other."""
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_carry, near, far, nursery.cancel_scope)
            nursery.start_soon(_carry, far, near, nursery.cancel_scope)
    finally:
        near.close()
        far.close()


async def _carry(source: ForwardedStream, sink: ForwardedStream, stop: trio.CancelScope) -> None:
    with suppress(trio.BrokenResourceError):
        while octets := await source.receive_some(limits.STREAM_PIECE_BYTES_MAX):
            await sink.send_all(octets)
        await sink.send_eof()
        await source.wait_over()
    stop.cancel()
