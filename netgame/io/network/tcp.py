"""TCP streams: only this module opens sockets for streams, and reads the sockets' addresses."""

import errno
import os
import socket
from contextlib import suppress
from typing import Final

import trio
import trio.lowlevel

from netgame import limits
from netgame.errors import Disconnected, TimedOut
from netgame.io.network.addresses import Address, number_of
from netgame.io.network.streams import HERE, ByteStream

_ACCEPT_RETRY: Final = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}


class TcpStream(ByteStream):
    """A TCP connection.

    Receiving costs one task switch; sending costs none if the system takes the octets at once.
    Trio's own methods would cost more, so this class uses the system's socket directly.
    """

    def __init__(
        self, connection: trio.socket.SocketType, near: tuple[str, int], far: tuple[str, int]
    ) -> None:
        self.source, self.host = source_between(near, far), str(far[0])
        self.near = Address(str(near[0]), near[1])
        """The address and port at which this end was reached."""
        self._stream = trio.SocketStream(connection)
        # trio has no public name for the socket.
        self._socket: socket.socket = connection._sock  # type: ignore[attr-defined]

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Wait for octets and return them; return none once the other end sends no more."""
        while True:
            await self.wait_readable()
            with suppress(BlockingIOError):
                return self._socket.recv(max_bytes or limits.READ_BYTES)

    async def wait_readable(self) -> None:
        """Wait until there are octets to receive, or the other end sends no more.

        Raises `trio.ClosedResourceError` if this end is closed.
        """
        if self._socket.fileno() < 0:  # the system would call it a bad number
            raise trio.ClosedResourceError
        await trio.lowlevel.wait_readable(self._socket)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all the octets, and wait until the system has taken them."""
        await self._stream.send_all(data)

    def send_now(self, octets: bytes) -> int:
        """Send as many octets as the system takes at once; return their number, 0 on error."""
        try:
            return self._socket.send(octets)
        except OSError:
            return 0

    async def send_eof(self) -> None:
        """Tell the other end that nothing more will be sent in this direction."""
        await self._stream.send_eof()

    def close(self) -> None:
        """Close the connection at once."""
        self._stream.socket.close()


class TcpListener:
    """A port on which this program listens; `at_home` if only this computer can reach it."""

    def __init__(self, listener: trio.SocketListener) -> None:
        self._socket = listener.socket
        host, self.port = self._socket.getsockname()[:2]
        self.at_home = source_of((host, self.port)) == HERE

    async def accept(self) -> TcpStream:
        """Wait for the next connection and return it; raises `OSError` if that fails.

        If descriptors or memory have run out, it pauses and tries again instead.
        """
        while True:
            try:
                connection, far = await self._socket.accept()
            except OSError as error:
                if error.errno not in _ACCEPT_RETRY:
                    raise
                await trio.sleep(limits.ACCEPT_PAUSE_S)
                continue
            try:
                return TcpStream(connection, connection.getsockname(), far)
            except OSError:
                connection.close()  # it was gone already

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()


async def dial(address: Address) -> TcpStream:
    """Open a connection.

    Raises `TimedOut` after `DIAL_TIMEOUT_S`, and `Disconnected` for any other failure.
    """
    try:
        with trio.fail_after(limits.DIAL_TIMEOUT_S):
            connection = (await trio.open_tcp_stream(address.host, address.port)).socket
        try:
            return TcpStream(connection, connection.getsockname(), connection.getpeername())
        except OSError:  # it is gone already
            connection.close()
            raise
    except trio.TooSlowError:
        raise TimedOut("{address} did not answer", address=address) from None
    except (OSError, UnicodeError) as error:
        text = "cannot reach {address}: {reason}"
        raise Disconnected(text, address=address, reason=_reason(error)) from None


async def numbers_of(address: Address) -> tuple[str, ...]:
    """Look up a host name; return its IP addresses, each once, as `IP:port`.

    An address that is an IP address already is returned alone. If the look-up fails, the result is
    empty.
    """
    if number_of(address.host) is not None:
        return (str(address),)
    try:
        found = await trio.socket.getaddrinfo(
            address.host, address.port, type=trio.socket.SOCK_STREAM
        )
    except (OSError, UnicodeError):
        return ()
    return tuple(dict.fromkeys(str(Address(str(at[0]), address.port)) for *_, at in found))


def source_between(near: tuple[str, int], far: tuple[str, int]) -> str:
    """Return the name under which a connection between two addresses is counted.

    It is `HERE` if both ends have the same IP address, and that of `source_of` otherwise.
    """
    return HERE if far[0] == near[0] else source_of(far)


def source_of(far: tuple[str, int]) -> str:
    """Return the name under which connections from an address are counted.

    It is the IP address, `HERE` for any loopback address, or "unknown" if there is no IP address.
    """
    number = number_of(far[0]) if far else None
    if number is None:
        return "unknown"
    return HERE if number.is_loopback else str(number)


def _reason(error: Exception) -> str:
    """Return the system's reason for an error; for several failed attempts, that of the first."""
    cause = error.__cause__ or error
    if isinstance(cause, BaseExceptionGroup):
        cause = cause.exceptions[0]
    number = getattr(cause, "errno", None)
    return os.strerror(number) if number and number > 0 else str(cause)
