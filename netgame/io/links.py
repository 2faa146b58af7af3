"""Framed streams over octets, and links: what one proved peer may send, and how fast.

A frame is a 4-octet big-endian length, then that many octets. However the stream splits the octets,
whole frames come out; a length over the limit is refused before any of the body is kept [peer.md
§1]. A link has a reader, a writer with a bounded queue, and a heartbeat:

    queue --writer--> peer          a peer that sits, or was sent something, owes us a frame:
    peer  --reader--> deliver       pinged every PING_S until one comes, dropped after DROP_S

While the socket takes each frame at once, the writer is not used. Frames of the streams that a link
carries for others (`network.forwarded`) leave when nothing is queued. A link that ends is not
revived; to get the peer back, dial again. Nothing that goes wrong here reaches another link
[peer.md §2]. `door` decides who may have a link.
"""

import math
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

import trio
from trio.abc import HalfCloseableStream as Stream

from netgame import limits
from netgame.errors import Disconnected, Malformed, NetgameError, SaidGoodbye, TimedOut
from netgame.frozen import FrozenStruct
from netgame.io.network.addresses import Address
from netgame.io.network.forwarded import Carrier, is_of_streams
from netgame.protocol.notices import LinkEnd
from netgame.protocol.peer.effects import PeerKey
from netgame.rates import TokenBucket
from netgame.wire.codec import encode
from netgame.wire.messages import Ping, Pong

LENGTH_BYTES: Final = 4
BROKEN: Final = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)
"""The errors of a stream whose connection is gone."""


def frame_octets(body: bytes) -> bytes:
    """The octets of one frame on the wire: the length of `body`, not checked here, then `body`."""
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


class FramedStream:
    """Frames over any trio stream; one task may send while another receives.

    Until `trust` is called, receiving a frame over `FRAME_BYTES_MAX_UNAUTHENTICATED` raises
    `Malformed`; the length of sent ones is not checked. Both directions raise `Disconnected` when
    the stream is gone. `send_now`, if given, sends octets without waiting, and returns whether all
    have left; the rest goes with the next `send_frames`.
    """

    def __init__(self, stream: Stream, send_now: Callable[[bytes], bool] | None = None) -> None:
        self.stream, self.send_now = stream, send_now
        self._limit = limits.FRAME_BYTES_MAX_UNAUTHENTICATED
        self._chunk = limits.READ_BYTES_UNPROVED
        self.buffer = bytearray()

    def trust(self) -> None:
        """Take frames of the size that the game needs, as the peer has proved its key."""
        self._limit = limits.FRAME_BYTES_MAX
        self._chunk = limits.READ_BYTES

    async def send_frame(self, body: bytes) -> None:
        """Send one frame; raises `Disconnected` if the stream is gone."""
        await self.send_frames((body,))

    async def send_frames(self, bodies: Iterable[bytes]) -> None:
        """Send frames with one call to the stream; with none, only what `send_now` has left.

        Raises `Disconnected` if the stream is gone.
        """
        try:
            await self.stream.send_all(b"".join(map(frame_octets, bodies)))
        except BROKEN:
            raise Disconnected("the link broke while sending") from None

    async def receive_frame(self, pace: Callable[[], Awaitable[None]] | None = None) -> bytes:
        """Wait for the next frame, however long it takes to begin.

        `pace`, if given, is awaited after each piece that is read of it. Raises `Malformed` for a
        frame that is too long, `TimedOut` for one that does not end within `FRAME_TIMEOUT_S` of its
        first octet, `SaidGoodbye` if the other side has ended the link, `Disconnected` if it ended
        without a word.
        """
        if not self.buffer:
            await self._receive_more(pace)
        if (frame := self._cut()) is not None:
            return frame
        with trio.move_on_after(limits.FRAME_TIMEOUT_S):
            while (frame := self._cut()) is None:
                await self._receive_more(pace)
            return frame
        raise TimedOut("a frame began but did not end in time")

    def _cut(self) -> bytes | None:
        """Take the next frame; None if not all of it is here, `Malformed` if it is too long."""
        length = int.from_bytes(self.buffer[:LENGTH_BYTES], "big")
        end = LENGTH_BYTES + length
        if length > self._limit:
            raise Malformed(
                "a frame of {length} octets where {most} are the most",
                length=length,
                most=self._limit,
            )
        if len(self.buffer) < end:
            return None
        frame = bytes(self.buffer[LENGTH_BYTES:end])
        del self.buffer[:end]
        return frame

    async def _receive_more(self, pace: Callable[[], Awaitable[None]] | None) -> None:
        try:
            octets = await self.stream.receive_some(self._chunk)
        except BROKEN:
            raise Disconnected("the link broke") from None
        if not octets:
            raise SaidGoodbye("the other side closed the link")
        self.buffer += octets
        if pace is not None:
            await pace()

    async def close(self) -> None:
        """Close the stream at once, without notice to the other side."""
        await trio.aclose_forcefully(self.stream)


PING: Final = encode(Ping())
PONG: Final = encode(Pong())
"""Messages have one encoding, so these two are recognized by their octets alone."""


class Proved(FrozenStruct):
    """A connection whose far end has proved that it is `peer`; `dialled`: this end opened it."""

    peer: PeerKey
    frames: FramedStream
    dialled: bool
    source: str = ""
    """Under which name the door counts the far end; empty if unknown."""
    host: str = ""
    """The far end's IP address; empty where no network was crossed."""
    by: PeerKey = PeerKey(b"")
    """The key of whoever forwards it; empty for a direct connection."""
    at: Address | None = None
    """The address that this end has dialled; None where it has dialled none."""


class Rates:
    """How fast one peer may send; kept beyond its links, so that a new one wins nothing."""

    def __init__(self, now: float) -> None:
        frames = limits.LINK_FRAMES_PER_S, limits.LINK_FRAMES_BURST
        slowed_s = limits.FLOOD_S * (1 - limits.FLOOD_SHARE)
        self.frames, self.pieces = TokenBucket(*frames, now), TokenBucket(*frames, now)
        self.volume = TokenBucket(limits.LINK_BYTES_PER_S, limits.LINK_BYTES_BURST, now)
        self.patience = TokenBucket(limits.FLOOD_SHARE, slowed_s, now)

    def matter(self, now: float) -> bool:
        """Whether to forget them would gain the peer anything."""
        kept = self.frames, self.pieces, self.volume, self.patience
        return not all(bucket.is_full(now) for bucket in kept)


class Link:
    """A proved connection; `run` carries it until either side ends it.

    `rates` are those of its peer, if they are kept for longer than one link.
    """

    def __init__(self, proved: Proved, rates: Rates | None = None) -> None:
        self.peer = proved.peer
        self.dialled = proved.dialled
        self.since = trio.current_time()
        self.heard = self.since
        """When the last frame came, in trio's seconds."""
        self.reason = ""
        """The first sentence given for its end; empty before."""
        self.ending = LinkEnd.ENDED_HERE
        """How it ended."""
        self.flooded = False
        """The peer sent far too much."""
        self.failed = False
        """It ended by no wish of either side."""
        self.by = proved.by
        """The key of whoever forwards it; empty for a direct link."""
        self.host, self.at = proved.host, proved.at
        """The peer's IP address, empty where no network is crossed; what this end has dialled."""
        self.streams = None if self.by else Carrier(self.peer, self._wake)
        """The streams that it carries; None for a forwarded link, which carries none."""
        self._frames = proved.frames
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._wake_writer = trio.Event()
        self._draining = False
        self._is_free = self._is_cut = False
        self._scope = trio.CancelScope()
        self._rates = Rates(self.since) if rates is None else rates
        self._is_close = True
        self._asked = self._pinged = self.since

    def send(self, body: bytes) -> None:
        """Send one frame at once if the socket takes it, else queue it.

        Does nothing on a link that is ending. A peer that cannot keep up loses the link, and
        catches up later.
        """
        if self._draining or self._scope.cancel_called:
            return
        if body != PONG:
            self._asked = min(self._asked, trio.current_time())
        if self._is_free and self._frames.send_now is not None:
            self._is_free = self._frames.send_now(frame_octets(body))
            if not self._is_free:
                self._is_cut = True
                self._wake_writer.set()
            return
        self._queue.append(body)
        self._queued_bytes += len(body)
        too_many = len(self._queue) > limits.SEND_QUEUE_FRAMES_MAX
        if too_many or self._queued_bytes > limits.SEND_QUEUE_BYTES_MAX:
            self.end("the peer cannot keep up")
        self._wake_writer.set()

    def _wake(self) -> None:
        self._wake_writer.set()

    def look_after(self, *, closely: bool) -> None:
        """Set whether to find out soon if the peer is dead, as for one that sits at the table.

        If so, `beat` awaits a frame from it at all times, else only after any sent; one that is
        awaited already still is.
        """
        self._is_close = closely
        self._asked = min(self._asked, trio.current_time() if closely else math.inf)

    def beat(self) -> None:
        """Ping the peer if that is due; end the link, as `SILENT`, if nothing came for too long.

        Does nothing on a link that is ending: how it did is known.
        """
        if self._scope.cancel_called:
            return
        now = trio.current_time()
        at = min(self._asked + limits.PING_S, self.heard + limits.PING_QUIET_S)
        if now >= self._asked + limits.DROP_S:
            self.ending = LinkEnd.FORWARDER if self.by else LinkEnd.SILENT
            self.failed = True
            self.end("the peer has been silent for too long")
        elif now >= max(at, self._pinged + limits.PING_S):
            self._pinged = now
            self.send(PING)

    def end(self, reason: str) -> None:
        """Make `run` close the link at once; what is queued is lost. An earlier `reason` stands."""
        self.reason = self.reason or reason
        self._scope.cancel()

    def finish(self, reason: str) -> None:
        """Begin to close the link: send the queue, then announce the end; returns at once.

        The link closes when the peer has closed its end too, at the latest after `DRAIN_TIMEOUT_S`.
        Until then nothing new is sent, and what comes is dropped.
        """
        self.reason = self.reason or reason
        if not self._draining:
            self._draining = True
            self._scope.deadline = trio.current_time() + limits.DRAIN_TIMEOUT_S
            self._wake_writer.set()

    async def run(self, deliver: Callable[[bytes], Awaitable[None]]) -> None:
        """Carry frames until the link ends; each received one is awaited in `deliver`, in order.

        Pings, pongs and frames about forwarded streams are not delivered. A peer that sends faster
        than `deliver` takes is read no faster: that is the flow control. A `NetgameError`, of the
        link or of `deliver`, ends the link and is not raised; any other error is, in a group. The
        connection is closed in either case.
        """
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._read, deliver)
                    nursery.start_soon(self._write)
        except* NetgameError as troubles:
            trouble = troubles.exceptions[0]
            quits = isinstance(trouble, SaidGoodbye)
            self.failed = self.failed or not (self.reason or quits)
            if not self.reason and isinstance(trouble, Disconnected):
                vanished = LinkEnd.FORWARDER if self.by else LinkEnd.BROKEN
                self.ending = LinkEnd.QUIT if quits else vanished
            self.end(str(trouble))
        finally:
            self._scope.cancel()
            if self.streams is not None:
                self.streams.cut()
            await self._frames.close()

    async def _read(self, deliver: Callable[[bytes], Awaitable[None]]) -> None:
        while True:
            body = await self._frames.receive_frame(self._pace)
            now = self.heard = trio.current_time()
            self._asked = now if self._is_close else math.inf
            await self._slow_down(
                max(self._rates.frames.take(1, now), self._rates.volume.take(len(body), now)), now
            )
            if body == PING:
                self.send(PONG)
            elif self.streams is not None and is_of_streams(body):
                self.streams.hear(body)
            elif body != PONG and not self._draining:
                await deliver(body)
            if self._frames.buffer:  # others' frames come in between
                await trio.lowlevel.checkpoint()

    async def _pace(self) -> None:
        """Count a piece that was read: each is opened by itself, also if it is one octet long."""
        now = trio.current_time()
        await self._slow_down(self._rates.pieces.take(1, now), now)

    async def _slow_down(self, pause: float, now: float) -> None:
        """Read a peer that sends too much more slowly, and end the link of one that never stops.

        Such a link is `flooded`.
        """
        if not pause:
            return
        await trio.sleep(pause)
        rested = trio.current_time()
        if self._rates.patience.take(rested - now, rested):
            self.flooded = True
            self.end("the peer floods the link")

    async def _write(self) -> None:
        while True:
            if self._queue or self._is_cut:
                batch, self._is_cut = tuple(self._queue), False
                self._queue.clear()
                self._queued_bytes = 0
                await self._frames.send_frames(batch)
            elif self._draining:
                await self._say_goodbye()
                return
            elif (body := self._next_of_streams()) is not None:
                await self._frames.send_frames((body,))
            else:
                self._wake_writer, self._is_free = trio.Event(), True
                with trio.CancelScope(deadline=self._streams_ready_at()):
                    await self._wake_writer.wait()
                self._is_free = False

    def _next_of_streams(self) -> bytes | None:
        return None if self.streams is None else self.streams.next_frame()

    def _streams_ready_at(self) -> float:
        return math.inf if self.streams is None else self.streams.ready_at

    async def _say_goodbye(self) -> None:
        # Closing a socket with octets unread would throw away what the peer has not read yet,
        # so end our direction only; the reader goes on until the peer closes or time is up.
        try:
            await self._frames.stream.send_eof()
        except BROKEN:
            self.end(self.reason)
