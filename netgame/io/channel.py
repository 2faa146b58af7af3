"""The channel: TLS 1.3 between two identity keys [protocol.md §3.2].

The server's certificate is signed by its own identity key, so the certificate *is* the key. The
standard library can neither accept an unknown client certificate nor export keying material;
therefore the client proves its key inside the channel, by signing the certificate it saw and a
nonce of the server. A relay that shows another certificate cannot use that signature.

    server -> ServerHello(version, nonce)
    client -> ClientProof(version, key, signature)
    server -> Verdict(code, text)
"""

from __future__ import annotations

import hashlib
import secrets
import ssl
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import trio

from netgame.crypto.signing import is_public_key, verify_signature
from netgame.errors import Disconnected, Malformed, NetgameError, Refused, TimedOut
from netgame.io.certificate import certificate_key, load_certificate
from netgame.io.streams import FramedStream
from netgame.limits import (
    DIAL_TIMEOUT_S,
    FRAME_BYTES_MAX_UNAUTHENTICATED,
    HANDSHAKE_TIMEOUT_S,
    PROTOCOL_VERSION,
)
from netgame.protocol.effects import PeerKey
from netgame.protocol.text import clean_text
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, ServerHello, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from trio.abc import Stream

    from netgame.io.addresses import Address
    from netgame.io.identity import Identity

__all__ = ["Channel", "Proved"]

ALPN: Final = "boneyard/1"
CLIENT_DOMAIN: Final = "boneyard-client-auth-v1"
NONCE_BYTES: Final = 32
VERDICT_CELLS_MAX: Final = 160
OK: Final = Verdict("ok", "")


@dataclass(frozen=True, slots=True)
class Proved:
    """A connection whose far end has proved `peer`; `dialled` says that this end opened it."""

    peer: PeerKey
    frames: FramedStream
    dialled: bool


class Channel:
    """Opens and accepts channels for one identity; certificates and contexts are made once."""

    def __init__(self, identity: Identity, version: int = PROTOCOL_VERSION) -> None:
        self.identity = identity
        self._version = version
        self._server: tuple[ssl.SSLContext, bytes] | None = None
        self._client: ssl.SSLContext | None = None

    async def serve(
        self, stream: Stream, admit: Callable[[PeerKey], Verdict] = lambda _peer: OK
    ) -> Proved:
        """Prove this end to a client and have it prove its key; `admit` may still refuse it.

        Closes the stream on any error. Raises `Disconnected`, `TimedOut`, `Malformed`, `Refused`.
        """
        with trio.move_on_after(HANDSHAKE_TIMEOUT_S):
            async with _closing_on_error(stream):
                context, certificate = await self._server_side()
                tls = trio.SSLStream(stream, context, server_side=True, https_compatible=True)
                await _shake_hands(tls)
                return await self._question(FramedStream(tls), certificate, admit)
        raise TimedOut("the other side did not prove its key in time")

    async def _question(
        self, frames: FramedStream, certificate: bytes, admit: Callable[[PeerKey], Verdict]
    ) -> Proved:
        nonce = secrets.token_bytes(NONCE_BYTES)
        await frames.send_frame(encode(ServerHello(self._version, nonce)))
        proof = decode(await frames.receive_frame(), ClientProof, FRAME_BYTES_MAX_UNAUTHENTICATED)
        verdict = self._judge(proof, certificate, nonce)
        if verdict.code == OK.code:
            verdict = admit(PeerKey(proof.key))
        await frames.send_frame(encode(verdict))
        if verdict.code != OK.code:
            raise Refused(verdict.code, verdict.text)
        frames.trust()
        return Proved(PeerKey(proof.key), frames, dialled=False)

    def _judge(self, proof: ClientProof, certificate: bytes, nonce: bytes) -> Verdict:
        if proof.version != self._version:
            return Verdict("version", _version_sentence(proof.version, self._version))
        if proof.key == self.identity.public:
            return Verdict("self", "that is this same player (use another data folder)")
        signed = hashlib.sha256(certificate).digest() + nonce
        if not verify_signature(proof.key, CLIENT_DOMAIN, signed, proof.signature):
            return Verdict("signature", "the key was not proved")
        return OK

    async def connect(self, address: Address, expected: PeerKey | None = None) -> Proved:
        """Open a channel to `address`; with `expected`, only to the peer of that key.

        Raises `Disconnected`, `TimedOut`, `Malformed`, `Refused` (codes `key`, `version`, `self`
        or whatever the server says).
        """
        stream: Stream | None = None
        with trio.move_on_after(DIAL_TIMEOUT_S):
            try:
                stream = await trio.open_tcp_stream(address.host, address.port)
            except (OSError, UnicodeError) as error:
                raise Disconnected(f"cannot reach {address}: {_reason(error)}") from None
        if stream is None:
            raise TimedOut(f"{address} did not answer")
        return await self.prove(stream, expected)

    async def prove(self, stream: Stream, expected: PeerKey | None = None) -> Proved:
        """Do the client's part on an open stream; the same errors as `connect`."""
        with trio.move_on_after(HANDSHAKE_TIMEOUT_S):
            if self._client is None:
                self._client = _client_context()
            async with _closing_on_error(stream):
                tls = trio.SSLStream(stream, self._client, https_compatible=True)
                await _shake_hands(tls)
                return await self._answer(FramedStream(tls), expected)
        raise TimedOut("the other side did not finish the handshake in time")

    async def _answer(self, frames: FramedStream, expected: PeerKey | None) -> Proved:
        certificate = frames.stream.getpeercert(binary_form=True)  # type: ignore[attr-defined]
        key = PeerKey(await trio.to_thread.run_sync(certificate_key, certificate or b""))
        if not is_public_key(key):
            raise Malformed("the certificate holds no usable key")
        if expected is not None and key != expected:
            raise Refused("key", "another player answers at that address")
        if key == self.identity.public:
            raise Refused("self", "that address is this same player")
        hello = decode(await frames.receive_frame(), ServerHello, FRAME_BYTES_MAX_UNAUTHENTICATED)
        signed = hashlib.sha256(certificate).digest() + hello.nonce
        signature = self.identity.sign(CLIENT_DOMAIN, signed)
        await frames.send_frame(encode(ClientProof(self._version, self.identity.public, signature)))
        if hello.version != self._version:
            # Let the server say its part first, so that its person learns of it too.
            with suppress(NetgameError):
                await frames.receive_frame()
            raise Refused("version", _version_sentence(hello.version, self._version))
        verdict = decode(await frames.receive_frame(), Verdict, FRAME_BYTES_MAX_UNAUTHENTICATED)
        if verdict.code != OK.code:
            raise Refused(verdict.code, clean_text(verdict.text, VERDICT_CELLS_MAX, verdict.code))
        frames.trust()
        return Proved(key, frames, dialled=True)

    async def _server_side(self) -> tuple[ssl.SSLContext, bytes]:
        if self._server is None:
            self._server = await trio.to_thread.run_sync(_server_context, self.identity)
        return self._server


class _closing_on_error:  # noqa: N801
    """Close the stream at once unless the block ends well."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            await trio.aclose_forcefully(self._stream)


async def _shake_hands(tls: trio.SSLStream[Stream]) -> None:
    try:
        await tls.do_handshake()
    except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
        raise Disconnected("the other side does not speak this protocol") from None
    if tls.selected_alpn_protocol() != ALPN:
        raise Malformed("the other side speaks another protocol")


def _client_context() -> ssl.SSLContext:
    # No authority vouches for anybody here: who the server is, its key says (`_answer`).
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return _narrowed(context)


def _server_context(identity: Identity) -> tuple[ssl.SSLContext, bytes]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0
    certificate = load_certificate(context, identity)
    return _narrowed(context), certificate


def _narrowed(context: ssl.SSLContext) -> ssl.SSLContext:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols([ALPN])
    return context


def _version_sentence(theirs: int, ours: int) -> str:
    return f"one side speaks version {theirs} of the protocol, the other {ours}: update the older"


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.__cause__ is not None:
        error = _first(error.__cause__) or error
    return getattr(error, "strerror", None) or str(error)


def _first(error: BaseException) -> OSError | None:
    """Find the system's own error below trio's "all attempts failed"."""
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(_first, error.exceptions)), None)
    return error if isinstance(error, OSError) else None
