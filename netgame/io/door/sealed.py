"""The octets of a channel: Noise messages with their lengths, and the stream inside them.

    a message   = its length, 2 octets, and its octets                            [peer.md §1]
    its content = 0, and a piece of the stream; or 1, the last piece, which may be empty

So the receiver can tell a stream that has ended from one that was cut off, even if it is forwarded.
"""

from typing import Final

import trio
import trio.abc
import trio.lowlevel

from netgame import limits
from netgame.crypto.noise import MESSAGE_BYTES_MAX, TAG_BYTES, Ciphers
from netgame.errors import Malformed
from netgame.io.network.streams import ByteStream

LENGTH_BYTES: Final = 2
PIECE_BYTES_MAX: Final = MESSAGE_BYTES_MAX - TAG_BYTES - 1
_MORE, _LAST = b"\0", b"\1"
NO_TABLE: Final = "the program there is not a table: it speaks another protocol"


def message_octets(message: bytes) -> bytes:
    """Return a Noise message as it is sent: its length in two octets, then the message."""
    return len(message).to_bytes(LENGTH_BYTES, "big") + message


class Messages:
    """Reads Noise messages, and other octets, from a stream.

    `most` is the length of the longest message that is accepted. At most one chunk of the stream is
    buffered in addition to the next message.
    """

    def __init__(self, stream: ByteStream, most: int) -> None:
        self.stream, self.most = stream, most
        self.chunk = limits.READ_BYTES_UNPROVED
        self._came, self._taken = b"", 0
        """The octets that came last, and the number of these that were taken."""

    @property
    def has_more(self) -> bool:
        """True if octets have been received and not yet taken."""
        return self._taken < len(self._came)

    async def peek(self, count: int) -> bytes:
        """Return the next `count` octets without taking them; errors as for `take`."""
        while len(self._came) - self._taken < count:
            await self._receive_more()
        return self._came[self._taken : self._taken + count]

    async def take(self, count: int) -> bytes:
        """Take the next `count` octets; raises `trio.BrokenResourceError` if the stream ends first.

        Raises the errors of the stream as well.
        """
        taken = await self.peek(count)
        self._taken += count
        return taken

    async def receive(self) -> bytes:
        """Return the next message, waiting for it; `Malformed` if it is too long.

        Raises the errors of `take`, too.
        """
        while (message := self._cut()) is None:
            await self._receive_more()
        return message

    def _cut(self) -> bytes | None:
        """Return the next message, or None if it is incomplete; `Malformed` if it is too long."""
        begin = self._taken + LENGTH_BYTES
        length = int.from_bytes(self._came[self._taken : begin], "big")
        if length > self.most:
            raise Malformed(NO_TABLE)
        end = begin + length
        if len(self._came) < end:
            return None
        self._taken = end
        return self._came[begin:end]

    async def _receive_more(self) -> None:
        octets = await self.stream.receive_some(self.chunk)
        if not octets:
            raise trio.BrokenResourceError("the stream ended in the middle")
        self._came, self._taken = self._came[self._taken :] + octets, 0


class SealedStream(trio.abc.HalfCloseableStream):
    """The encrypted stream of an established channel.

    Its methods raise `trio.BrokenResourceError` if the stream below ends without notice,
    `Malformed` if a message was altered, left out, repeated or reordered, and the errors of the
    stream below.
    """

    def __init__(self, messages: Messages, ciphers: Ciphers) -> None:
        self._messages = messages
        self._seal, self._open = ciphers.outward.seal, ciphers.inward.open
        self._below = messages.stream
        self._unsent = b""
        self._has_ended = False

    def trust(self) -> None:
        """Accept messages of any length: the other side has proved its key."""
        self._messages.most, self._messages.chunk = MESSAGE_BYTES_MAX, limits.READ_BYTES

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return the next piece, whatever `max_bytes` is; empty once the other side has ended."""
        if self._has_ended:
            return b""
        if self._messages.has_more:  # other tasks take their turn in between
            await trio.lowlevel.checkpoint()
        content = self._open(await self._messages.receive())
        if content[:1] == _MORE and len(content) > 1:
            return content[1:]
        if content[:1] != _LAST:
            raise Malformed("not a piece of a link")
        self._has_ended = True
        if self._messages.has_more:
            raise Malformed("octets came behind the end of the link")
        return content[1:]

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send what `send_now` has left unsent, then `data`, with one call to the stream below."""
        octets, self._unsent = self._unsent + self._sealed(bytes(data)), b""
        await self._below.send_all(octets)

    def send_now(self, data: bytes) -> bool:
        """Send as much as possible without waiting; return True if nothing is left unsent.

        What is left is sent by the next `send_all`, which also raises the error if there was one.
        Call it only while no other task sends.
        """
        self._unsent += self._sealed(data)
        self._unsent = self._unsent[self._below.send_now(self._unsent) :]
        return not self._unsent

    def _sealed(self, data: bytes) -> bytes:
        seal = self._seal
        if 0 < len(data) <= PIECE_BYTES_MAX:  # nearly always
            return message_octets(seal(_MORE + data))
        pieces = (data[at : at + PIECE_BYTES_MAX] for at in range(0, len(data), PIECE_BYTES_MAX))
        return b"".join(message_octets(seal(_MORE + piece)) for piece in pieces)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until the stream may take more."""
        await self._below.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        """Tell the other side, encrypted, that nothing more follows; then end the stream below."""
        last = message_octets(self._seal(_LAST))
        await self._below.send_all(self._unsent + last)
        await self._below.send_eof()

    async def aclose(self) -> None:
        """Close the stream without notice."""
        await self._below.aclose()
