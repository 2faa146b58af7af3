"""Byte streams between two programs, and the facts that a peer may know about their other end.

Everything that carries octets is a `ByteStream`, such as a TCP connection (`tcp`) or a pair in
memory (`pair`). Nothing above this package asks a stream for its socket or its addresses: the
transport sets `source`, `host` and `by` when it makes the stream. None of these is secret or
proved: the channel adds secrecy and proof.
"""

from abc import abstractmethod
from typing import Final, Protocol

import trio
import trio.abc
import trio.lowlevel

from netgame.protocol.peer.effects import PeerKey

HERE: Final = "loopback"
"""The source of connections from this computer."""
PAIR_BYTES: Final = 262_144
"""The most octets that may wait at each end of a pair; the sender of any more has to wait."""


class ByteStream(trio.abc.HalfCloseableStream):
    """A stream of octets in both directions; one task may send while another receives.

    It raises the errors of trio's streams, and `OSError`.
    """

    source: str = ""
    """The name under which the door counts the other end, such as its IP address or `HERE`; empty
    if unknown.
    """
    host: str = ""
    """The other end's IP address; empty where the stream crosses no network."""
    by: PeerKey = PeerKey(b"")
    """The key of the peer that forwards the stream; empty if none does."""

    @abstractmethod
    def send_now(self, octets: bytes) -> int:
        """Send as many octets as can be sent without waiting; return their number.

        No other task may be sending. An error counts as 0; the next `send_all` raises it.
        """

    @abstractmethod
    async def wait_readable(self) -> None:
        """Wait until there are octets to receive, or the other end sends no more."""

    @abstractmethod
    def close(self) -> None:
        """Close the stream at once; unsent octets are lost."""

    async def aclose(self) -> None:
        """Close the stream at once, and let other tasks run."""
        self.close()
        await trio.lowlevel.checkpoint()

    async def wait_send_all_might_not_block(self) -> None:
        """Return at once: no caller depends on this wait."""
        await trio.lowlevel.checkpoint()


def take(came: bytearray, octets_max: int) -> bytes:
    """Remove at most `octets_max` octets from the beginning of `came`, and return them."""
    taken = bytes(came[:octets_max])
    del came[: len(taken)]
    return taken


class Listener(Protocol):
    """A place where others can reach this program."""

    @property
    def at_home(self) -> bool:
        """True if only this computer can reach this place."""

    async def accept(self) -> ByteStream:
        """Wait for the next connection and return it; raises `OSError` if no more can come."""

    def close(self) -> None:
        """Stop listening."""


class _PairStream(ByteStream):
    """One end of a pair."""

    other: "_PairStream"

    def __init__(self) -> None:
        self._came = bytearray()
        self._has_ended = self._is_closed = False
        """True if the other end sends no more; true if this end is closed."""
        self._stirred = trio.lowlevel.ParkingLot()
        """Wakes the tasks of this end when octets have come, or the other end has room."""

    def send_now(self, octets: bytes) -> int:
        if self._is_closed or self._sends_no_more():
            return 0
        taken = min(len(octets), PAIR_BYTES - len(self.other._came))
        if taken > 0:
            self.other._came += octets[:taken]
            self.other._stirred.unpark_all()
        return max(taken, 0)

    def _sends_no_more(self) -> bool:
        return self.other._is_closed or self.other._has_ended

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.lowlevel.checkpoint()
        octets = bytes(data)
        while True:
            if self._is_closed:
                raise trio.ClosedResourceError
            if octets and self._sends_no_more():
                raise trio.BrokenResourceError
            octets = octets[self.send_now(octets) :]
            if not octets:
                return
            await self._stirred.park()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        await self.wait_readable()
        taken = take(self._came, max_bytes or PAIR_BYTES)
        self.other._stirred.unpark_all()
        return taken

    async def wait_readable(self) -> None:
        await trio.lowlevel.checkpoint()
        while not (self._came or self._has_ended or self.other._is_closed):
            if self._is_closed:
                raise trio.ClosedResourceError
            await self._stirred.park()
        if self._is_closed:
            raise trio.ClosedResourceError

    async def send_eof(self) -> None:
        await trio.lowlevel.checkpoint()
        self.other._has_ended = True
        self.other._stirred.unpark_all()

    def close(self) -> None:
        self._is_closed = True
        self._stirred.unpark_all()
        self.other._stirred.unpark_all()


def pair(source: str = HERE) -> tuple[ByteStream, ByteStream]:
    """Return the two ends of a new stream in memory, both with this `source`."""
    near, far = _PairStream(), _PairStream()
    near.other, far.other = far, near
    near.source = far.source = source
    return near, far
