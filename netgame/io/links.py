"""Framed streams over octets, and links: the frames that one proved peer may send, and how fast.

A frame is a 4-octet big-endian length, then that many octets. However the stream splits the octets,
the receiver gets whole frames; a length over the limit is refused before the body is read [peer.md
§1]. A link has a reader, a writer with a bounded queue, and a heartbeat:

    queue --writer--> peer          a peer that sits, or was sent something, owes a frame:
    peer  --reader--> deliver       pinged every PING_S until one comes, dropped after DROP_S

The writer is idle as long as the socket takes each frame at once. Frames of the streams that a link
carries for others (`network.forwarded`) are sent when nothing is queued. A link that has ended is
not revived; to get the peer back, dial again. A failure of one link does not affect another
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
"""The errors that a stream raises when its connection is gone."""


def frame_octets(body: bytes) -> bytes:
    """Return one frame as it is sent: the length of `body`, not checked here, then `body`."""
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


class FramedStream:
    """Sends and receives frames over any trio stream; one task may send while another receives.

    Until `trust` is called, receiving a frame over `FRAME_BYTES_MAX_UNAUTHENTICATED` raises
    `Malformed`; the length of sent frames is not checked. Both directions raise `Disconnected` when
    the stream is gone. `send_now`, if given, sends octets without waiting and returns True if all
    were sent; the rest is sent by the next `send_frames`.
    """

    def __init__(self, stream: Stream, send_now: Callable[[bytes], bool] | None = None) -> None:
        self.stream, self.send_now = stream, send_now
        self._limit = limits.FRAME_BYTES_MAX_UNAUTHENTICATED
        self._chunk = limits.READ_BYTES_UNPROVED
        self.buffer = bytearray()

    def trust(self) -> None:
        """Accept frames of the size that the game needs: the peer has proved its key."""
        self._limit = limits.FRAME_BYTES_MAX
        self._chunk = limits.READ_BYTES

    async def send_frame(self, body: bytes) -> None:
        """Send one frame; raises `Disconnected` if the stream is gone."""
        await self.send_frames((body,))

    async def send_frames(self, bodies: Iterable[bytes]) -> None:
        """Send what `send_now` has left unsent, then these frames, with one call to the stream.

        Raises `Disconnected` if the stream is gone.
        """
        try:
            await self.stream.send_all(b"".join(map(frame_octets, bodies)))
        except BROKEN:
            raise Disconnected("the link broke while sending") from None

    async def receive_frame(self, pace: Callable[[], Awaitable[None]] | None = None) -> bytes:
        """Return the next frame, waiting for it however long it takes to begin.

        `pace`, if given, is awaited after each piece that is read from the stream. Raises
        `Malformed` for a frame that is too long, `TimedOut` for one that does not end within
        `FRAME_TIMEOUT_S` of its first octet, `SaidGoodbye` if the other side has closed the link,
        `Disconnected` if the link broke.
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
        """Remove the next frame from the buffer and return it, or None if part of it is missing.

        Raises `Malformed` if it is too long.
        """
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
"""Each message has one encoding, so these two are recognized by their octets alone."""


class Proved(FrozenStruct):
    """A connection whose far end has proved that it is `peer`; `dialled` if this end opened it."""

    peer: PeerKey
    frames: FramedStream
    dialled: bool
    source: str = ""
    """The name under which the door counts the far end; empty if unknown."""
    host: str = ""
    """The far end's IP address; empty where no network was crossed."""
    by: PeerKey = PeerKey(b"")
    """The key of the peer that forwards it; empty for a direct connection."""
    at: Address | None = None
    """The address that this end dialled; None if it dialled no address."""


class Rates:
    """The limits on how much one peer may send.

    They outlive its links: a peer that has used them up cannot get new ones by opening a new link.
    """

    def __init__(self, now: float) -> None:
        frames = limits.LINK_FRAMES_PER_S, limits.LINK_FRAMES_BURST
        slowed_s = limits.FLOOD_S * (1 - limits.FLOOD_SHARE)
        self.frames, self.pieces = TokenBucket(*frames, now), TokenBucket(*frames, now)
        self.volume = TokenBucket(limits.LINK_BYTES_PER_S, limits.LINK_BYTES_BURST, now)
        self.patience = TokenBucket(limits.FLOOD_SHARE, slowed_s, now)

    def matter(self, now: float) -> bool:
        """Return True if a part of some limit is used up, so that it matters to keep them."""
        kept = self.frames, self.pieces, self.volume, self.patience
        return not all(bucket.is_full(now) for bucket in kept)


class Link:
    """A proved connection; `run` carries its frames until either side ends it.

    `rates` are the limits of its peer, shared with its other links; by default the link has its
    own.
    """

    def __init__(self, proved: Proved, rates: Rates | None = None) -> None:
        self.peer = proved.peer
        self.dialled = proved.dialled
        self.since = trio.current_time()
        self.heard = self.since
        """The time of the last received frame, in trio's seconds."""
        self.reason = ""
        """The first reason given for its end, one sentence; empty before."""
        self.ending = LinkEnd.ENDED_HERE
        """The way in which it ended."""
        self.flooded = False
        """True if the peer sent far too much."""
        self.failed = False
        """True if neither side meant it to end."""
        self.by = proved.by
        """The key of the peer that forwards it; empty for a direct link."""
        self.host, self.at = proved.host, proved.at
        """The peer's IP address, empty where no network is crossed; the address that this end
        dialled.
        """
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
        """Send one frame at once if the socket takes it; otherwise queue it.

        Does nothing on a link that is ending. If too much is queued, the peer cannot keep up, and
        the link is ended.
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
        """Set whether a dead peer must be noticed soon, as for a peer that sits at the table.

        If `closely`, `beat` expects a frame from it at all times, otherwise only after sending one.
        A frame that is already expected stays expected.
        """
        self._is_close = closely
        self._asked = min(self._asked, trio.current_time() if closely else math.inf)

    def beat(self) -> None:
        """Ping the peer if a ping is due; end the link if the peer has been silent for too long.

        `ending` is then `SILENT`, or `FORWARDER` on a forwarded link. Does nothing on a link that
        is ending: its `ending` is set already.
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
        """Make `run` close the link at once: the queue is lost, and an earlier `reason` is kept."""
        self.reason = self.reason or reason
        self._scope.cancel()

    def finish(self, reason: str) -> None:
        """Begin to close the link: send the queue, then announce the end; returns at once.

        The link closes when the peer has closed its end too, or after `DRAIN_TIMEOUT_S` at the
        latest. Until then no new frame is sent, and received frames are dropped.
        """
        self.reason = self.reason or reason
        if not self._draining:
            self._draining = True
            self._scope.deadline = trio.current_time() + limits.DRAIN_TIMEOUT_S
            self._wake_writer.set()

    async def run(self, deliver: Callable[[bytes], Awaitable[None]]) -> None:
        """Send and receive until the link ends; await `deliver` for each received frame, in order.

        Pings, pongs and frames about forwarded streams are not delivered. However fast a peer
        sends, its frames are read only as fast as `deliver` returns: that is the flow control. A
        `NetgameError`, of the link or of `deliver`, ends the link and is not raised; any other
        error is raised, in a group. The connection is closed in either case.
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
            if self._frames.buffer:  # other links take their turn in between
                await trio.lowlevel.checkpoint()

    async def _pace(self) -> None:
        """Count a piece that was read, and wait if the peer has sent too many.

        Each piece costs a decryption, even if it is one octet long.
        """
        now = trio.current_time()
        await self._slow_down(self._rates.pieces.take(1, now), now)

    async def _slow_down(self, pause: float, now: float) -> None:
        """Wait for `pause` seconds, because the peer has sent too much.

        If the link has had too many such pauses, set `flooded` and end it.
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
        # Closing a socket with unread octets would discard octets that the peer has not read yet.
        # So end our direction only; the reader goes on until the peer closes or time is up.
        try:
            await self._frames.stream.send_eof()
        except BROKEN:
            self.end(self.reason)
