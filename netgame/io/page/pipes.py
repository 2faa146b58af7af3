"""The streams of browsers that a guest, who serves them the page, carries on to the host.

    a tab --WebSocket--> guest --a stream of its own--> the host's door
      '------------------- Noise, the join code, a link ------------'

The guest neither reads nor alters the octets: the channel runs from the tab to the host, whose door
decides who comes in. A browser cannot choose where its stream leads: it always leads to the host,
at the address to which this program has its own link.
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import trio

from netgame import limits
from netgame.errors import NetgameError
from netgame.io.network.addresses import Address
from netgame.io.network.dialling import dial
from netgame.io.network.streams import ByteStream, Listener
from netgame.rates import TokenBucket

log = logging.getLogger("netgame.io")

_GONE: Final = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


class Pipes:
    """The pipes to a host: limited in number, and in how often one may begin.

    `way` returns the host's current addresses, or none while it cannot be reached.
    """

    def __init__(self, way: Callable[[], Sequence[Address]]) -> None:
        self._way = way
        self._at_work: Counter[str] = Counter()
        self._begin = TokenBucket(limits.PIPES_PER_S, limits.PIPES_BURST, trio.current_time())

    def takes(self, source: str) -> bool:
        """Return True if one more stream from `source` can be carried on now."""
        return (
            bool(self._way())
            and self._at_work.total() < limits.PIPES_MAX
            and self._at_work[source] < limits.PIPES_PER_ADDRESS_MAX
        )

    async def carry_all(self, listener: Listener) -> None:
        """Carry every stream of `listener`, until cancelled; hang up on any beyond the limits."""
        async with trio.open_nursery() as nursery:
            while True:
                near = await listener.accept()
                if not self.takes(near.source):
                    near.close()
                    continue
                self._at_work[near.source] += 1
                nursery.start_soon(self._carry, near)

    async def _carry(self, near: ByteStream) -> None:
        """Carry one stream to its end, after a pause if many begin; close it if nobody answers."""
        try:
            await trio.sleep(self._begin.take(1, trio.current_time()))
            far = await self._dialled()
            if far is not None:
                await pipe(near, far)
        finally:
            near.close()
            self._at_work[near.source] -= 1

    async def _dialled(self) -> ByteStream | None:
        for address in self._way():
            try:
                return await dial(address)
            except NetgameError as error:
                log.debug("a browser's stream to the host at %s: %r", address, error)
        return None


async def pipe(near: ByteStream, far: ByteStream) -> None:
    """Carry octets both ways until either stream ends, then close both.

    Once one has ended, the other has `DRAIN_TIMEOUT_S` for its last octets. A pipe that carries
    nothing for `PIPE_QUIET_S` ends, too.
    """
    try:
        with trio.move_on_after(limits.PIPE_QUIET_S) as scope:
            async with trio.open_nursery() as nursery:
                both = _Pipe(scope)
                nursery.start_soon(both.carry, near, far)
                nursery.start_soon(both.carry, far, near)
    finally:
        near.close()
        far.close()


class _Pipe:
    """One pipe with its two directions; once one has ended, the other must end soon."""

    def __init__(self, scope: trio.CancelScope) -> None:
        self._scope = scope
        self._is_ending = False

    async def carry(self, source: ByteStream, sink: ByteStream) -> None:
        """Carry one direction to its end.

        Reading goes on even after the sink is gone: closing a connection with unread octets would
        make the system discard the last octets sent the other way.
        """
        with suppress(*_GONE):
            while octets := await source.receive_some(limits.STREAM_PIECE_BYTES_MAX):
                if not self._is_ending:
                    self._scope.deadline = trio.current_time() + limits.PIPE_QUIET_S
                with suppress(*_GONE):
                    await sink.send_all(octets)
        if not self._is_ending:
            self._is_ending = True
            self._scope.deadline = trio.current_time() + limits.DRAIN_TIMEOUT_S
        with suppress(*_GONE):
            await sink.send_eof()
