"""The channel: TLS 1.3 between two identity keys [peer.md §3.2].

The server's certificate is signed by its own identity key, so the certificate *is* the key. The
standard library can neither accept an unknown client certificate nor export keying material;
therefore the client proves its key inside the channel, by signing the certificate it saw and a
nonce of the server. A relay that shows another certificate cannot use that signature.

    server -> ServerHello(version, nonce, table, number)
    client -> ClientProof(version, key, signature, opening)
      with a join code, `opening` begins SPAKE2 [peer.md §3.6]:
      server -> CodeAnswer(message)
      client -> CodeProof(proof)
      server -> CodeProof(proof)
    server -> Verdict(code, text)

The server's `Door` decides whether strangers need a code; a client that has one insists on it,
whatever the server says.
"""

import hashlib
import os
import secrets
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeVar

import trio
from msgspec.structs import replace
from trio.abc import HalfCloseableStream as Stream

from netgame import limits
from netgame.crypto.signing import is_public_key, verify_signature
from netgame.errors import (
    Disconnected,
    HungUp,
    Malformed,
    NetgameError,
    Refused,
    SaidGoodbye,
    TimedOut,
)
from netgame.frozen import FrozenStruct
from netgame.io.disk.identity import Identity
from netgame.io.door import pake
from netgame.io.door.admission import OK, Door
from netgame.io.door.codes import JoinCode
from netgame.io.door.first_contact import code_answered, conclude, hear_code, in_turn, on_beat
from netgame.io.door.tls import BUSY, certificate_key, client_context, server_context, shake_hands
from netgame.io.links import FramedStream, Proved
from netgame.io.network.addresses import Address
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.codec import decode, encode, version_said
from netgame.wire.messages import ClientProof, ServerHello, Verdict

CLIENT_DOMAIN: Final = "boneyard-client-auth-v1"
NONCE_BYTES: Final = 32
_NO_CODE_THERE: Final = (
    "the program that answers there asks for no join code, so nothing shows that it is the "
    "table you mean"
)
_VERSIONS: Final = (
    "one side speaks version {theirs} of the protocol, the other {ours}: update the older"
)
_HELLO: Final = ServerHello(0, bytes(NONCE_BYTES), b"", 0)
_PROOF: Final = ClientProof(0, bytes(32), bytes(64), b"")
"""Each stands for a first message of which only the version can be read."""

_NOT_PROVED: Final = "the key was not proved, or somebody stands between you and that table"


FirstMessage = TypeVar("FirstMessage", ServerHello, ClientProof)


class GuessSpent(HungUp):
    """The other side hung up after our proof of a code: a guess for anybody in between."""


class Seen(FrozenStruct):
    """The first message of a server, before its client has said anything.

    TLS has proved its key; nobody vouches for the rest.
    """

    address: Address
    key: PeerKey
    table: bytes
    """Empty if it sits at none."""
    number: int
    """That of the join code that strangers need; 0 for none."""


class Channel:
    """Opens and accepts channels for one identity; certificates and contexts are made once."""

    def __init__(self, identity: Identity, version: int = limits.PROTOCOL_VERSION) -> None:
        self.identity = identity
        self._version = version
        self._server: tuple[ssl.SSLContext, bytes] | None = None
        self._client: ssl.SSLContext | None = None

    # ---- the server's part ------------------------------------------------------------------

    async def serve(self, stream: Stream, door: Door, source: str = "") -> Proved:
        """Prove this end to a client and make it prove its key; `door` may still refuse it.

        The client's tries at a join code are counted for `source`. Closes the stream on any error.
        Raises `Refused` if we refuse the client, `Disconnected`, also after `HANDSHAKE_TIMEOUT_S`,
        `Malformed`, `TimedOut`, `DiskTrouble`.
        """
        async with _in_time(stream, "the other side hung up, or did not prove its key in time"):
            context, certificate = await self.server_side()
            tls = await shake_hands(stream, context, server_side=True)
            return await self.question(FramedStream(tls, tls.prompt), certificate, door, source)

    async def server_side(self) -> tuple[ssl.SSLContext, bytes]:
        """This end's TLS server context and its certificate, DER; raises `DiskTrouble`.

        They are made once, in a thread.
        """
        if self._server is None:
            self._server = await trio.to_thread.run_sync(server_context, self.identity)
        return self._server

    async def client_side(self) -> ssl.SSLContext:
        """This end's TLS client context; the first one is made in a thread, as it takes a while."""
        if self._client is None:
            self._client = await trio.to_thread.run_sync(client_context)
        return self._client

    async def question(
        self, frames: FramedStream, certificate: bytes, door: Door, source: str
    ) -> Proved:
        """Do the server's part above TLS, having shown `certificate`; errors as for `serve`.

        The client is told the verdict before `Refused` is raised; nothing is closed here.
        """
        hello = ServerHello(
            self._version, secrets.token_bytes(NONCE_BYTES), door.table_id(), door.number
        )
        await frames.send_frame(encode(hello))
        proof = self._first_said(await frames.receive_frame(), _PROOF)
        peer = PeerKey(proof.key)
        verdict = self._judge(proof, certificate, hello.nonce)
        if verdict == OK and proof.opening:
            parties = pake.Parties(
                peer, self.identity.public, certificate, hello.nonce, hello.table
            )
            verdict = await hear_code(frames, door, source, parties, proof.opening)
        if verdict == OK:
            verdict = door.admit(peer, source)
        await frames.send_frame(encode(verdict))
        if verdict != OK:
            raise Refused(verdict.code, verdict.text)
        frames.trust()
        return Proved(peer, frames, dialled=False)

    def _judge(self, proof: ClientProof, certificate: bytes, nonce: bytes) -> Verdict:
        if proof.version != self._version:
            return Verdict("version", _VERSIONS.format(theirs=proof.version, ours=self._version))
        if proof.key == self.identity.public:
            return Verdict("self", "that is this same player (use another data folder)")
        signed = _signed(certificate, nonce)
        if not verify_signature(proof.key, CLIENT_DOMAIN, signed, proof.signature):
            return Verdict("signature", _NOT_PROVED)
        return OK

    # ---- the client's part ------------------------------------------------------------------

    async def connect(
        self, address: Address, expected: PeerKey | None = None, code: JoinCode | None = None
    ) -> Proved:
        """Open a channel to `address`; with `expected`, only to the peer of that key.

        With `code` both ends show each other that they know it. Raises `Disconnected`, `HungUp`
        where the other side hung up or took too long, `GuessSpent` where it then knows our proof of
        the code, `TimedOut`, `Malformed`, `Refused` (codes `key`, `version`, `self`,
        `no-code-there`, `not-the-host`, or any that the server sends).
        """
        return await self.prove(await open_stream(address), expected, code)

    async def look(self, address: Address) -> Seen:
        """See who listens at `address`, without saying anything; errors as for `connect`.

        `Refused` has the code `self` or `version` here.
        """
        stream = await open_stream(address)
        async with _in_time(stream, BUSY, HungUp):
            frames, key, _ = await self._first_part(stream)
            hello = self._first_said(await frames.receive_frame(), _HELLO)
        await frames.close()
        self._check_version(hello)
        return Seen(address, key, hello.table, hello.number)

    async def prove(
        self, stream: Stream, expected: PeerKey | None = None, code: JoinCode | None = None
    ) -> Proved:
        """Do the client's part on an open stream; errors as for `connect`, and each closes it."""
        until = trio.current_time() + limits.HANDSHAKE_TIMEOUT_S
        async with _in_time(stream, BUSY, HungUp, until):
            frames, key, certificate = await self._first_part(stream)
            if expected is not None and key != expected:
                raise Refused("key", "another player answers at that address")
            proofs = await self.introduce(frames, key, certificate, code)
        async with _in_time(stream, BUSY, GuessSpent if code else HungUp, until):
            await conclude(frames, proofs)
            return Proved(key, frames, dialled=True)

    async def _first_part(self, stream: Stream) -> tuple[FramedStream, PeerKey, bytes]:
        """Do TLS; returns the frames above it, and the server's key with its certificate.

        Raises `HungUp`, `Malformed`, `Refused` (code `self`).
        """
        tls = await shake_hands(stream, await self.client_side())
        certificate = tls.session.getpeercert(binary_form=True) or b""
        key = await trio.to_thread.run_sync(certificate_key, certificate)
        if not is_public_key(key):
            raise Malformed("the certificate holds no usable key")
        if key == self.identity.public:
            raise Refused("self", "that address is this same player")
        return FramedStream(tls, tls.prompt), key, certificate

    async def introduce(
        self, frames: FramedStream, key: PeerKey, certificate: bytes, code: JoinCode | None
    ) -> pake.Proofs | None:
        """Tell the server above TLS who we are; returns our proofs of the code, None without one.

        `key` and `certificate` are the server's. The proof itself is not shown yet. Raises
        `Refused` (`no-code-there`, `version`, or by the server), and what the frames raise.
        """
        hello = self._first_said(await frames.receive_frame(), _HELLO)
        if code is not None and not hello.number and hello.version == self._version:
            raise Refused("no-code-there", _NO_CODE_THERE)
        parties = pake.Parties(self.identity.public, key, certificate, hello.nonce, hello.table)
        opening = b""
        finish = None
        if code is not None:
            came = trio.current_time()
            opening, finish = await in_turn(lambda: pake.begin("client", code, parties))
            await on_beat(came)
        signature = self.identity.sign(CLIENT_DOMAIN, _signed(certificate, hello.nonce))
        proof = ClientProof(self._version, self.identity.public, signature, opening)
        await frames.send_frame(encode(proof))
        if hello.version != self._version:
            # Let the server say its part first, so that its person learns of it too.
            with suppress(NetgameError):
                await frames.receive_frame()
            self._check_version(hello)
        return None if finish is None else await code_answered(frames, finish)

    def _first_said(self, octets: bytes, blank: FirstMessage) -> FirstMessage:
        """Read the other side's first message; raises `Malformed`.

        Where another version is all that can be read, the rest is that of `blank`.
        """
        try:
            return decode(octets, type(blank))
        except Malformed:
            version = version_said(octets, str(blank.__struct_config__.tag))
            if version is None or version == self._version:
                raise
            return replace(blank, version=version)

    def _check_version(self, hello: ServerHello) -> None:
        if hello.version != self._version:
            raise Refused("version", _VERSIONS, theirs=hello.version, ours=self._version)


_GONE: Final = (Disconnected, SaidGoodbye)
"""The errors of the other side hanging up, with or without notice."""


@asynccontextmanager
async def _in_time(
    stream: Stream, late: str, kind: type[Disconnected] = Disconnected, until: float | None = None
) -> AsyncIterator[None]:
    """Allow the block until `until` or `HANDSHAKE_TIMEOUT_S`; on any error close the stream.

    If time runs out or the other side hangs up, raises `kind` with the sentence `late`; any other
    error is raised as it is.
    """
    try:
        with trio.fail_at(until or trio.current_time() + limits.HANDSHAKE_TIMEOUT_S):
            yield
    except BaseException as error:
        await trio.aclose_forcefully(stream)
        if isinstance(error, trio.TooSlowError) or type(error) in _GONE:
            raise kind(late) from None
        raise


async def open_stream(address: Address) -> Stream:
    """Open a TCP connection; raises `TimedOut` after `DIAL_TIMEOUT_S`, else `Disconnected`."""
    try:
        with trio.fail_after(limits.DIAL_TIMEOUT_S):
            return await trio.open_tcp_stream(address.host, address.port)
    except trio.TooSlowError:
        raise TimedOut("{address} did not answer", address=address) from None
    except (OSError, UnicodeError) as error:
        text = "cannot reach {address}: {reason}"
        raise Disconnected(text, address=address, reason=_reason(error)) from None


def _signed(certificate: bytes, nonce: bytes) -> bytes:
    """The octets that a client signs: a digest of the certificate, and the server's nonce."""
    return hashlib.sha256(certificate).digest() + nonce


def _reason(error: Exception) -> str:
    """The system's own reason, of the first try if trio says that all attempts failed."""
    cause = error.__cause__ or error
    if isinstance(cause, BaseExceptionGroup):
        cause = cause.exceptions[0]
    number = getattr(cause, "errno", None)
    return os.strerror(number) if number and number > 0 else str(cause)
