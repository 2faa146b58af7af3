"""One proved link to one peer: a reader, a writer with a bounded queue, and a heartbeat.

    queue --writer--> peer          pings every PING_S, answered by the other reader
    peer  --reader--> deliver       silent for DROP_S: dropped

A link ends for good; whoever wants the peer back dials again. Nothing that goes wrong here
reaches another link [protocol.md §3.3].
"""

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import trio

from netgame import limits
from netgame.errors import NetgameError
from netgame.io.links.streams import FramedStream
from netgame.protocol.peer.effects import PeerKey
from netgame.rates import TokenBucket
from netgame.wire.codec import encode
from netgame.wire.messages import Ping, Pong

log = logging.getLogger("netgame.io")

PING: Final = encode(Ping())
PONG: Final = encode(Pong())
"""Messages have one encoding, so these two are told apart by their octets alone."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A connection whose far end has proved `peer`; `dialled` says that this end opened it."""

    peer: PeerKey
    frames: FramedStream
    dialled: bool


class Link:
    """A proved connection; `run` carries it until either side ends it."""

    def __init__(self, proved: Proved) -> None:
        self.peer = proved.peer
        self.dialled = proved.dialled
        self.since = self.heard = trio.current_time()
        self.reason = ""
        self.flooded = False
        self._frames = proved.frames
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._wake_writer = trio.Event()
        self._draining = False
        self._scope = trio.CancelScope()
        self._rate = TokenBucket(limits.LINK_FRAMES_PER_S, limits.LINK_FRAMES_BURST, self.since)
        self._slowed_since: float | None = None
        self._volume = TokenBucket(limits.LINK_BYTES_PER_S, limits.LINK_BYTES_BURST, self.since)

    def send(self, body: bytes) -> None:
        """Queue one frame; a peer that cannot keep up loses the link and catches up later."""
        if self._draining or self._scope.cancel_called:
            return
        self._queue.append(body)
        self._queued_bytes += len(body)
        too_many = len(self._queue) > limits.SEND_QUEUE_FRAMES_MAX
        if too_many or self._queued_bytes > limits.SEND_QUEUE_BYTES_MAX:
            self.end("the peer cannot keep up")
        self._wake_writer.set()

    def end(self, reason: str) -> None:
        """Close the link now."""
        self.reason = self.reason or reason
        self._scope.cancel()

    def finish(self, reason: str) -> None:
        """Close the link once what is queued has left, or after `DRAIN_TIMEOUT_S`."""
        self.reason = self.reason or reason
        if not self._draining:
            self._draining = True
            self._scope.deadline = trio.current_time() + limits.DRAIN_TIMEOUT_S
            self._wake_writer.set()

    async def run(self, deliver: Callable[[bytes], Awaitable[None]]) -> None:
        """Carry frames until the link ends; each received one is awaited in `deliver`.

        A peer that sends faster than `deliver` takes is read no faster: that is the flow control.
        """
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._guarded, self._read, deliver)
                    nursery.start_soon(self._guarded, self._write)
                    nursery.start_soon(self._beat)
        finally:
            self._scope.cancel()
            await self._frames.close()

    async def _guarded(self, part: Callable[..., Awaitable[None]], *arguments: object) -> None:
        try:
            await part(*arguments)
        except NetgameError as error:
            self.end(str(error))

    async def _read(self, deliver: Callable[[bytes], Awaitable[None]]) -> None:
        while True:
            asked = trio.current_time()
            body = await self._frames.receive_frame()
            now = self.heard = trio.current_time()
            if now - asked > limits.FLOOD_GAP_S:
                self._slowed_since = None
            await self._throttle(len(body), now)
            if body == PING:
                self.send(PONG)
            elif body != PONG and not self._draining:
                await deliver(body)

    async def _throttle(self, octets: int, now: float) -> None:
        """Read a peer that sends too much more slowly, and one that never stops no more."""
        pause = max(self._rate.take(1, now), self._volume.take(octets, now))
        if not pause:
            return
        self._slowed_since = now if self._slowed_since is None else self._slowed_since
        if now - self._slowed_since > limits.FLOOD_S:
            self.flooded = True
            self.end("the peer floods the link")
        await trio.sleep(pause)

    async def _write(self) -> None:
        while True:
            if self._queue:
                batch = tuple(self._queue)
                self._queue.clear()
                self._queued_bytes = 0
                await self._frames.send_frames(batch)
            elif self._draining:
                await self._say_goodbye()
                return
            else:
                self._wake_writer = trio.Event()
                await self._wake_writer.wait()

    async def _say_goodbye(self) -> None:
        # Closing a socket with octets unread would throw away what the peer has not read yet,
        # so end our direction only; the reader goes on until the peer closes or time is up.
        try:
            await self._frames.send_eof()
        except NetgameError:
            self.end(self.reason)

    async def _beat(self) -> None:
        while True:
            await trio.sleep(limits.PING_S)
            if trio.current_time() - self.heard > limits.DROP_S:
                self.end("the peer has been silent for too long")
            self.send(PING)
