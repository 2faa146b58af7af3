"""TLS 1.3 between two identity keys: certificates that stand for a key, and both ends' settings.

A key always has the same certificate: serial number, name and dates are fixed, the dates far apart
because the clocks of laptops at a party are wrong, and Ed25519 signatures are deterministic.
"""

import datetime
import ssl
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Final

import trio
import trio.lowlevel
from trio.abc import HalfCloseableStream as Stream

from netgame import limits
from netgame.errors import DiskTrouble, HungUp, Malformed
from netgame.io.disk.identity import Identity
from netgame.io.links import BROKEN
from netgame.protocol.peer.effects import PeerKey

ALPN: Final = "boneyard/1"

BUSY: Final = "the table is busy, or no table answers there. Try again in a minute"
_NO_TABLE: Final = "whatever answers there is no table: it speaks another protocol"

_FROM: Final = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_UNTIL: Final = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)
"""RFC 5280 4.1.2.5: the date that means "no expiry"."""


def client_context() -> ssl.SSLContext:
    """A new client's context for TLS 1.3; it takes any certificate, as a key is the identity."""
    from cryptography import x509  # noqa: F401 - slow, which nobody shall wait for at a door

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return _narrowed(context)


def server_context(identity: Identity) -> tuple[ssl.SSLContext, bytes]:
    """The server's context and the certificate it shows, DER; raises `DiskTrouble`.

    The standard library reads certificate and key from a file only, so they pass through a folder
    that only this user may enter and that is gone before this returns.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization as form

    key = identity.private_key
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "boneyard")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, _FROM, _UNTIL)
    certificate = builder.sign(key, algorithm=None)
    pem = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0
    try:
        with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
            path = Path(folder, "certificate.pem")
            path.write_bytes(certificate.public_bytes(form.Encoding.PEM) + pem)
            context.load_cert_chain(path)
    except OSError as error:
        raise DiskTrouble(f"cannot write a temporary file: {error.strerror or error}") from error
    return _narrowed(context), certificate.public_bytes(form.Encoding.DER)


def _narrowed(context: ssl.SSLContext) -> ssl.SSLContext:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols([ALPN])
    return context


def certificate_key(certificate: bytes) -> PeerKey:
    """The Ed25519 key, 32 octets, of a certificate that may be hostile; raises `Malformed`.

    TLS 1.3 has already shown that its holder has the secret half.
    """
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = x509.load_der_x509_certificate(certificate).public_key()
    except (ValueError, UnsupportedAlgorithm) as error:
        raise Malformed("not a certificate: {problem}", problem=error) from None
    if not isinstance(key, Ed25519PublicKey):
        raise Malformed("the certificate is not for an Ed25519 key")
    return PeerKey(key.public_bytes_raw())


class TlsStream(Stream):
    """TLS over another stream, for one task that sends and one that receives.

    Unlike trio's own it decrypts received octets without a task switch or a lock, and over TCP it
    uses the socket directly, so a frame costs one switch to receive and none to send. Messages of
    TLS itself leave with the next send.
    """

    def __init__(self, stream: Stream, context: ssl.SSLContext, *, server_side: bool) -> None:
        self.transport_stream = stream
        # trio has no public name for the socket: without one all goes by the stream, a bit slower
        self._socket: socket | None = getattr(getattr(stream, "socket", None), "_sock", None)
        self._unsent = b""
        self._came, self._goes = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.session = context.wrap_bio(self._came, self._goes, server_side=server_side)

    async def shake_hands(self) -> None:
        """Do the handshake. Raises `ssl.SSLError`, and what the stream raises; leaves it open."""
        while True:
            with suppress(ssl.SSLWantReadError):
                self.session.do_handshake()
                break
            await self.send_all(b"")
            await self._receive(limits.READ_BYTES_UNPROVED)
        await self.send_all(b"")

    async def _receive(self, most: int | None) -> None:
        octets = await self._received(most or limits.READ_BYTES)
        if octets:
            self._came.write(octets)
        else:
            self._came.write_eof()

    async def _received(self, most: int) -> bytes | bytearray:
        if self._socket is None:
            return await self.transport_stream.receive_some(most)
        while True:
            await trio.lowlevel.wait_readable(self._socket)
            with suppress(BlockingIOError):
                return self._socket.recv(most)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Receive octets, none at an announced end; raises `BrokenResourceError` at any other.

        What the stream or its socket raises is raised as well.
        """
        if self._came.pending:  # others' octets come in between
            await trio.lowlevel.checkpoint()
        while True:
            try:
                return self.session.read(max_bytes or limits.READ_BYTES)
            except ssl.SSLWantReadError:
                await self._receive(max_bytes)
            except ssl.SSLError as error:
                raise trio.BrokenResourceError from error

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send what `send_now` has left, then `data`, with one call to the stream.

        What the stream raises is raised.
        """
        octets, self._unsent = self._encrypted(data), b""
        await self.transport_stream.send_all(octets)

    def _encrypted(self, data: bytes | bytearray | memoryview) -> bytes:
        left = memoryview(data)
        while left:
            left = left[self.session.write(left) :]
        return self._unsent + self._goes.read()

    def send_now(self, data: bytes) -> bool:
        """Send without waiting, while nobody else sends; the rest goes with `send_all`.

        Returns whether nothing is left. An error is raised only when the rest is sent. It needs a
        socket: use `prompt`.
        """
        try:
            self._unsent = self._encrypted(data)
            assert self._socket is not None
            self._unsent = self._unsent[self._socket.send(self._unsent) :]
        except OSError:
            return False
        return not self._unsent

    @property
    def prompt(self) -> Callable[[bytes], bool] | None:
        """A function that sends without waiting; None where that is not possible."""
        return None if self._socket is None else self.send_now

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until the stream may take more."""
        await self.transport_stream.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        """Announce that nothing more will be sent: within the encryption, and below it.

        The caller has sent all that `send_now` left. While received octets are unread, it is
        announced only below.
        """
        if not self._came.pending:  # else what came would be taken for an answer
            with suppress(ssl.SSLError):
                self.session.unwrap()
        await self.transport_stream.send_all(self._goes.read())
        await self.transport_stream.send_eof()

    async def aclose(self) -> None:
        """Close the stream without notice."""
        await self.transport_stream.aclose()


async def shake_hands(
    stream: Stream, context: ssl.SSLContext, *, server_side: bool = False
) -> TlsStream:
    """Do TLS over `stream`; raises `HungUp`, or `Malformed` for another protocol.

    The stream stays open then.
    """
    tls = TlsStream(stream, context, server_side=server_side)
    try:
        await tls.shake_hands()
    except BROKEN as error:
        if isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError):
            raise Malformed(_NO_TABLE) from None
        raise HungUp(BUSY) from None
    if tls.session.selected_alpn_protocol() != ALPN:
        raise Malformed(_NO_TABLE)
    return tls
