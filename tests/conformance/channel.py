"""The client's side of a connection, as peer.md 1 and 5 define it; `door` has the server's.

The handshake comes from the library `noiseprotocol`, which shares no code with the program.
"""

import hashlib
import hmac
import secrets
from contextlib import asynccontextmanager
from dataclasses import dataclass

import msgpack
import trio
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from noise.connection import Keypair, NoiseConnection
from noise.exceptions import NoiseInvalidMessage

from tests.conformance import octets, proofs
from tests.conformance.spake import Run, hkdf

VERSION = octets.VERSION
PREFACE = b"boneyard" + VERSION.to_bytes(2, "big")
FRAME_MAX_UNPROVED = 1_024
MESSAGE_MAX_UNPROVED = 1_040
BEAT_S = 0.1


class Refused(Exception):
    """The server's verdict was not `ok`; `code` gives the reason."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Ended(Exception):
    """The other side ended the connection."""


def key_of(name):
    """Return an identity key that depends only on this name."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


def public(key):
    """Return the 32 octets of an identity key's public half."""
    return key.public_key().public_bytes_raw()


def sign(key, domain, said):
    """Return a signature over the octets `said`, under a domain (5.2)."""
    return key.sign(domain.encode() + b"\0" + said)


def pack(*fields):
    """Return the octets of a message, given as its tag and fields, or of a part without a tag."""
    return msgpack.packb(fields, use_bin_type=True)


def frame(body):
    """Return the octets of a frame around this body."""
    return len(body).to_bytes(4, "big") + body


class Noise:
    """One side of the handshake and of the encrypted channel after it, with a fresh static key.

    `signed` is what the sender of the last static key must sign with its identity key: the
    handshake hash with that key in it, followed by the key.
    """

    def __init__(self, *, is_server=False):
        self._side = NoiseConnection.from_name(b"Noise_XX_25519_ChaChaPoly_SHA256")
        self._side.set_prologue(f"boneyard/{VERSION}".encode() + b"\0" + PREFACE)
        self._side.set_keypair_from_private_bytes(Keypair.STATIC, secrets.token_bytes(32))
        if is_server:
            self._side.set_as_responder()
        else:
            self._side.set_as_initiator()
        self._side.start_handshake()
        self.signed = b""
        self._watch(self._side.noise_protocol.handshake_state.symmetric_state)

    def _watch(self, state):
        """Wrap two methods of the library to set `signed`.

        The library does not show the hash between the parts of a message.
        """
        seal, read = state.encrypt_and_hash, state.decrypt_and_hash

        def encrypt_and_hash(said):
            if callable(said):
                return seal(said(self.signed))
            sealed = seal(said)
            self.signed = state.h + bytes(said)
            return sealed

        def decrypt_and_hash(sealed):
            said = read(sealed)
            if len(said) == 32:
                self.signed = state.h + bytes(said)
            return said

        state.encrypt_and_hash, state.decrypt_and_hash = encrypt_and_hash, decrypt_and_hash
        self._state = state

    @property
    def hash(self):
        """The handshake hash so far."""
        return self._state.h

    def write(self, payload_of=b""):
        """Return the next message of the handshake.

        `payload_of` is its payload, or a function that makes the payload from `signed`.
        """
        return bytes(self._side.write_message(payload_of))

    def read(self, message):
        """Return the payload of the other side's next message of the handshake."""
        return bytes(self._side.read_message(message))

    def seal(self, piece, *, last=False):
        """Return the encrypted message with this piece of the stream; `last` marks the end."""
        return self._side.encrypt(bytes([last]) + piece)

    def open(self, message):
        """Decrypt a message; return whether it is the last, and its piece of the stream.

        Raise Malformed for a wrong mark, and for an empty piece that is not the last.
        """
        said = self._side.decrypt(message)
        if not said or said[0] > 1 or (said[0] == 0 and len(said) == 1):
            raise octets.Malformed("no piece of a stream")
        return said[0] == 1, said[1:]


@dataclass
class Channel:
    """Frames over Noise.

    `key` is the other side's identity key, and `hello` the server's `server-hello`. `limit` is the
    greatest length of an incoming frame.
    """

    stream: trio.abc.Stream
    noise: Noise
    key: bytes = b""
    hello: object = None
    limit: int = FRAME_MAX_UNPROVED
    came: bytes = b""
    buffer: bytes = b""
    is_over: bool = False

    def __post_init__(self):
        self.sending = trio.Lock()

    async def send(self, *fields):
        """Send a message, given as its tag and fields; do nothing if the stream has ended."""
        await self.send_octets(frame(pack(*fields)))

    async def send_octets(self, raw):
        """Send these octets without a frame around them; do nothing if the stream has ended."""
        for at in range(0, len(raw), 60_000):
            await self.send_message(self.noise.seal(raw[at : at + 60_000]))

    async def send_message(self, message):
        """Send one Noise message; do nothing if the stream has ended."""
        async with self.sending:
            try:
                await self.stream.send_all(len(message).to_bytes(2, "big") + message)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return

    async def end(self):
        """Send the last message, after which nothing more is sent in this direction."""
        await self.send_message(self.noise.seal(b"", last=True))
        await self.stream.send_eof()

    async def receive(self, *tags):
        """Return the next message.

        Raise Malformed unless it is a message with one of these tags, and Ended if the stream ends
        first.
        """
        length = int.from_bytes(await self._exactly(4), "big")
        if length > self.limit:
            raise octets.Malformed("a frame that is too long")
        return octets.message(await self._exactly(length), *tags)

    async def _exactly(self, size):
        while len(self.buffer) < size:
            if self.is_over:
                raise Ended
            try:
                self.is_over, piece = self.noise.open(await self.receive_message())
            except (InvalidTag, NoiseInvalidMessage) as altered:
                raise octets.Malformed("a message that was altered") from altered
            self.buffer += piece
        found, self.buffer = self.buffer[:size], self.buffer[size:]
        return found

    async def receive_message(self):
        """Return the next Noise message, still encrypted.

        Raise Ended if the stream ends first. Raise Malformed if the message is longer than allowed
        before the other side has proved its key.
        """
        length = int.from_bytes(await self.receive_octets(2), "big")
        if self.limit == FRAME_MAX_UNPROVED and length > MESSAGE_MAX_UNPROVED:
            raise octets.Malformed("a message that is too long")
        return await self.receive_octets(length)

    async def receive_octets(self, size):
        """Return this many octets of the TCP stream; raise Ended if the stream ends first."""
        while len(self.came) < size:
            try:
                more = await self.stream.receive_some()
            except trio.BrokenResourceError as broken:
                raise Ended from broken
            if not more:
                raise Ended
            self.came += more
        found, self.came = self.came[:size], self.came[size:]
        return found


@asynccontextmanager
async def reached(port, preface=PREFACE):
    """Connect to a port of this computer, check the server's signature, and yield the channel.

    The connection is closed after the block.
    """
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    channel = Channel(stream, Noise())
    try:
        await stream.send_all(preface)
        await channel.send_message(channel.noise.write())
        payload = channel.noise.read(await channel.receive_message())
        channel.hello = octets.message(payload, "server-hello")
        channel.key = channel.hello.key
        said = channel.noise.signed, channel.hello.signature
        assert proofs.signed(channel.key, "boneyard/v4/channel/server", *said)
        yield channel
    finally:
        await trio.aclose_forcefully(stream)


async def prove(channel, key, code="", lies=None):
    """Prove a key to the server, and a join code if there is one; return the `server-hello`.

    Raise Refused if the verdict is not `ok`. `lies` replaces fields of `client-proof` with wrong
    ones.
    """
    came = trio.current_time()
    run = None
    if code:
        run = Run("A", code.encode(), public(key), channel.key)

    def proof(signed):
        signature = sign(key, "boneyard/v4/channel/client", signed)
        said = {"key": public(key), "signature": signature}
        said |= {"opening": run.message if run else b""} | (lies or {})
        return pack("client-proof", *said.values())

    if run:
        await beat(came)
    await channel.send_message(channel.noise.write(proof))
    if run:
        await _show(channel, run)
    await _good(channel, "verdict")
    channel.limit = octets.FRAME_MAX
    return channel.hello


async def beat(came):
    """Wait until the next whole number of beats since the time `came` has passed (peer.md 5)."""
    gone = (trio.current_time() - came) // BEAT_S
    await trio.sleep_until(came + (gone + 1) * BEAT_S)


def code_proofs(run, answer, handshake, table):
    """Return the client's and the server's proof of a join code.

    `answer` is the other side's message of the SPAKE2 run, and `table` the table's id.
    """
    info = b"boneyard/v4/code\0" + b"".join(run.ids) + table
    both = hkdf(run.key(answer), handshake, info, 64)
    words = ((both[:32], b"client"), (both[32:], b"server"))
    return tuple(hmac.digest(key, word, "sha256") for key, word in words)


async def _show(channel, run):
    """Prove knowledge of the join code, and check that the server knows it."""
    answer = await _good(channel, "code-answer")
    came = trio.current_time()
    ours, theirs = code_proofs(run, answer.message, channel.noise.hash, channel.hello.table)
    await beat(came)
    await channel.send("code-proof", ours)
    shown = await _good(channel, "code-proof")
    assert shown.proof == theirs


async def _good(channel, tag):
    """Return the next message, which must have this tag.

    Raise Refused if it is a verdict that is not `ok`.
    """
    said = await channel.receive(tag, "verdict")
    if said.tag == "verdict" and said.code != "ok":
        raise Refused(said.code)
    assert said.tag == tag
    return said
