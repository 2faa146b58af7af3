"""The channel: Noise XX between two identity keys, over any byte stream [peer.md §1].

    client -> preface, message 1
    server -> message 2   with ServerHello(key, signature, table, number)
              or, where it speaks another version, its preface and the end
    client -> message 3   with ClientProof(key, signature, opening)
      with a join code, `opening` begins SPAKE2 [peer.md §5]:
      server -> CodeAnswer(message)
      client -> CodeProof(proof)
      server -> CodeProof(proof)
    server -> Verdict(code, text)

Each side draws a static key for every link, and its identity key signs it together with the hash of
the handshake so far (`netgame.crypto.noise`). So a signature is good in this handshake only, and a
forwarder of the octets can neither read nor alter what follows. A client checks the server's key
before it says who it is.

Versions are compared unencrypted, before anything else is sent: an attacker in between can make two
programs believe that their versions differ. That only ends the attempt: neither program falls back
to another version.

The server's `Door` decides whether strangers need a code; a client that has one insists on it,
whatever the server says.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import trio
from msgspec.structs import replace

from netgame import limits
from netgame.crypto.group import Entropy
from netgame.crypto.noise import KEY_BYTES, Handshake
from netgame.crypto.signing import verify_signature
from netgame.errors import Disconnected, HungUp, Malformed, Refused, SaidGoodbye
from netgame.frozen import FrozenStruct
from netgame.io.disk.identity import Identity
from netgame.io.door import pake
from netgame.io.door.admission import FORWARDED, OK, Door
from netgame.io.door.codes import JoinCode
from netgame.io.door.first_contact import (
    CodeOpening,
    code_answered,
    conclude,
    hear_code,
    in_turn,
    on_beat,
)
from netgame.io.door.sealed import LENGTH_BYTES, NO_TABLE, Messages, SealedStream, message_octets
from netgame.io.entropy import fresh_octets
from netgame.io.links import BROKEN, FramedStream, Proved
from netgame.io.network.addresses import Address
from netgame.io.network.dialling import dial
from netgame.io.network.streams import ByteStream
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, ServerHello, Verdict

MAGIC: Final = b"boneyard"
VERSION_BYTES: Final = 2
PREFACE_BYTES: Final = len(MAGIC) + VERSION_BYTES
CLIENT_DOMAIN: Final = "boneyard/v4/channel/client"
SERVER_DOMAIN: Final = "boneyard/v4/channel/server"

BUSY: Final = "the table is busy, or no table answers there. Try again in a minute"
_NO_CODE_THERE: Final = (
    "the program that answers there asks for no join code, so nothing shows that it is the "
    "table you mean"
)
_VERSIONS: Final = (
    "one side speaks version {theirs} of the protocol, the other {ours}: update the older"
)
_NOT_PROVED: Final = "the key was not proved, or somebody stands between you and that table"
_LATE: Final = "the other side hung up, or did not prove its key in time"


class GuessSpent(HungUp):
    """The other side hung up, or took too long, after it had been sent the proof of a join code.

    So an attacker in between, if there is one, has used a guess.
    """


class Seen(FrozenStruct):
    """A server's first message, heard before the client has said who it is.

    The server's key is proved; nothing vouches for the rest.
    """

    address: Address
    key: PeerKey
    table: bytes
    """The id of its table; empty if it sits at none."""
    number: int
    """The number of the join code that strangers need; 0 for none."""


def preface_of(version: int) -> bytes:
    """Return the first octets that a client of this version sends.

    A server of another version answers with its own preface.
    """
    return MAGIC + version.to_bytes(VERSION_BYTES, "big")


def prologue_of(version: int) -> bytes:
    """Return the octets that both ends hash first in a handshake of this version."""
    return f"boneyard/{version}".encode("ascii") + b"\0" + preface_of(version)


class Channel:
    """Opens and accepts channels for one identity."""

    def __init__(
        self,
        identity: Identity,
        version: int = limits.PROTOCOL_VERSION,
        entropy: Entropy = fresh_octets,
    ) -> None:
        self.identity = identity
        self._version = version
        self._preface = preface_of(version)
        self._entropy = entropy

    def _handshake(self, *, is_server: bool) -> Handshake:
        return Handshake(prologue_of(self._version), self._entropy, is_server=is_server)

    # ---- the server's part ------------------------------------------------------------------

    async def serve(self, stream: ByteStream, door: Door) -> Proved:
        """Prove this end to a client and make it prove its key; `door` may still refuse it.

        The client's tries at a join code are counted for the stream's `source`. Any error closes
        the stream: `Refused`, after the client has been sent the reason; `Disconnected`, also if
        the client takes longer than `HANDSHAKE_TIMEOUT_S`; `Malformed`; `TimedOut`.
        """
        async with _in_time(stream, _LATE):
            messages = Messages(stream, KEY_BYTES)
            theirs = _version_in(await messages.take(PREFACE_BYTES))
            if theirs != self._version:
                await stream.send_all(self._preface)
                raise Refused("version", _VERSIONS, theirs=theirs, ours=self._version)
            handshake = self._handshake(is_server=True)
            handshake.hear_greeting(await messages.receive())
            messages.most = limits.HANDSHAKE_BYTES_MAX
            table, number, sign = door.table_id(), door.number, self.identity.sign

            def hello(signed: bytes) -> ServerHello:
                signature = sign(SERVER_DOMAIN, signed)
                return ServerHello(self.identity.public, signature, table, number)

            await stream.send_all(message_octets(_identified(handshake, hello)))
            static, bound, payload = handshake.hear_static(await messages.receive())
            proof = decode(payload, ClientProof)
            ciphers = handshake.split()
            sealed = SealedStream(messages, ciphers)
            frames = FramedStream(sealed, sealed.send_now)
            peer = PeerKey(proof.key)
            verdict = self._judge(proof, bound + static)
            if verdict == OK and proof.opening and stream.by:
                verdict = FORWARDED  # else its guesses would count against the forwarder
            if verdict == OK and proof.opening:
                parties = pake.Parties(peer, self.identity.public, table)
                opening = CodeOpening(proof.opening, parties, ciphers.hash)
                verdict = await hear_code(frames, door, stream.source, opening)
            if frames.buffer or messages.has_more:
                raise Malformed("octets came that were not due before the verdict")
            if verdict == OK:
                verdict = door.admit(peer, stream.source, stream.by)
            await frames.send_frame(encode(verdict))
            if verdict != OK:
                raise Refused(verdict.code, verdict.text)
            return _proved(peer, frames, sealed, stream, dialled=False)

    def _judge(self, proof: ClientProof, signed: bytes) -> Verdict:
        if proof.key == self.identity.public:
            return Verdict("self", "that is this same player (use another data folder)")
        if not verify_signature(proof.key, CLIENT_DOMAIN, signed, proof.signature):
            return Verdict("signature", _NOT_PROVED)
        return OK

    # ---- the client's part ------------------------------------------------------------------

    async def connect(
        self, address: Address, expected: PeerKey | None = None, code: JoinCode | None = None
    ) -> Proved:
        """Open a channel to `address`; with `expected`, only to the peer of that key.

        With `code` both ends prove to each other that they know it. Raises `Disconnected`, `HungUp`
        if the other side hung up or took too long, `GuessSpent` if it had then been sent the proof
        of the code, `TimedOut`, `Malformed`, `Refused` (codes `key`, `version`, `self`,
        `signature`, `no-code-there`, `not-the-host`, or any that the server sends).
        """
        proved = await self.prove(await dial(address), expected, code)
        return replace(proved, at=address)

    async def look(self, address: Address) -> Seen:
        """Return the first message of the server at `address`, without telling it who asks.

        Errors are as for `connect`, but `Refused` only has the codes `self`, `signature` and
        `version`.
        """
        stream = await dial(address)
        async with _in_time(stream, BUSY, HungUp):
            _, _, hello = await self._greeted(stream)
        await stream.aclose()
        return Seen(address, PeerKey(hello.key), hello.table, hello.number)

    async def prove(
        self, stream: ByteStream, expected: PeerKey | None = None, code: JoinCode | None = None
    ) -> Proved:
        """Do the client's part on an open stream; any error, as for `connect`, closes it."""
        until = trio.current_time() + limits.HANDSHAKE_TIMEOUT_S
        async with _in_time(stream, BUSY, HungUp, until):
            messages, handshake, hello = await self._greeted(stream)
            came, key = trio.current_time(), PeerKey(hello.key)
            if expected is not None and key != expected:
                raise Refused("key", "another player answers at that address")
            if code is not None and not hello.number:
                raise Refused("no-code-there", _NO_CODE_THERE)
            opening, finish = b"", None
            if code is not None:
                parties = pake.Parties(self.identity.public, key, hello.table)
                opening, finish = await in_turn(partial(pake.begin, "client", code, parties))
                await on_beat(came)

            def proof(signed: bytes) -> ClientProof:
                signature = self.identity.sign(CLIENT_DOMAIN, signed)
                return ClientProof(self.identity.public, signature, opening)

            await stream.send_all(message_octets(_identified(handshake, proof)))
            ciphers = handshake.split()
            sealed = SealedStream(messages, ciphers)
            frames = FramedStream(sealed, sealed.send_now)
            proofs = None
            if finish is not None:
                proofs = await code_answered(frames, finish, ciphers.hash)
        async with _in_time(stream, BUSY, GuessSpent if code else HungUp, until):
            await conclude(frames, proofs)
            return _proved(key, frames, sealed, stream, dialled=True)

    async def _greeted(self, stream: ByteStream) -> tuple[Messages, Handshake, ServerHello]:
        """Send the greeting and receive the server's message, without telling it this player's key.

        Return the messages, the handshake, and the verified `ServerHello`. Raises `Refused`
        (`version`, `signature`, `self`), `Malformed`, and the errors of the stream.
        """
        handshake = self._handshake(is_server=False)
        await stream.send_all(self._preface + message_octets(handshake.greet()))
        messages = Messages(stream, limits.HANDSHAKE_BYTES_MAX)
        if await messages.peek(LENGTH_BYTES) == MAGIC[:LENGTH_BYTES]:
            theirs = _version_in(await messages.take(PREFACE_BYTES))
            if theirs == self._version:
                raise Malformed(NO_TABLE)  # perhaps another client, which answers nobody
            raise Refused("version", _VERSIONS, theirs=theirs, ours=self._version)
        static, bound, payload = handshake.hear_static(await messages.receive())
        hello = decode(payload, ServerHello)
        if not verify_signature(hello.key, SERVER_DOMAIN, bound + static, hello.signature):
            raise Refused("signature", _NOT_PROVED)
        if hello.key == self.identity.public:
            raise Refused("self", "that address is this same player")
        return messages, handshake, hello


def _identified(
    handshake: Handshake, payload_of: Callable[[bytes], ServerHello | ClientProof]
) -> bytes:
    """Return this side's message with its static key and, as its payload, its identity.

    `payload_of` makes the payload from the octets that the identity key must sign.
    """
    began, bound = handshake.show_static()
    return began + handshake.finish(encode(payload_of(bound + handshake.static)))


def _version_in(preface: bytes) -> int:
    """Return the version in a preface; raises `Malformed` for other octets."""
    if not preface.startswith(MAGIC):
        raise Malformed(NO_TABLE)
    return int.from_bytes(preface[len(MAGIC) :], "big")


def _proved(
    peer: PeerKey, frames: FramedStream, sealed: SealedStream, stream: ByteStream, *, dialled: bool
) -> Proved:
    """Return the proved connection; from now on it accepts frames as large as the game needs."""
    sealed.trust()
    frames.trust()
    return Proved(peer, frames, dialled, stream.source, stream.host, stream.by)


@asynccontextmanager
async def _in_time(
    stream: ByteStream,
    late: str,
    kind: type[Disconnected] = Disconnected,
    until: float | None = None,
) -> AsyncIterator[None]:
    """Let the block run until `until`, or for `HANDSHAKE_TIMEOUT_S`; on any error close the stream.

    If time runs out or the other side hangs up, raise `kind` with the sentence `late`; any other
    error is raised unchanged.
    """
    try:
        with trio.fail_at(until or trio.current_time() + limits.HANDSHAKE_TIMEOUT_S):
            yield
    except BaseException as error:
        stream.close()
        if isinstance(error, (trio.TooSlowError, *BROKEN)) or type(error) in _GONE:
            raise kind(late) from None
        raise


_GONE: Final = (Disconnected, SaidGoodbye)
"""The errors raised if the other side hangs up, with or without notice."""
