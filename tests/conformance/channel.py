"""A connection as peer.md 3.2 and 3.6 have it; `door` has the server's side of it."""

import hashlib
import hmac
import ssl
from contextlib import asynccontextmanager
from dataclasses import dataclass

import msgpack
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509 import load_der_x509_certificate

from tests.conformance import octets
from tests.conformance.spake import Run, hkdf

VERSION = octets.VERSION
ALPN = "boneyard/1"
FRAME_MAX_UNPROVED = 1_024
BEAT_S = 0.1


class Refused(Exception):
    """The server's verdict is another than `ok`."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Ended(Exception):
    """The other side has ended the connection."""


def key_of(name):
    """Give the identity key of somebody."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


def public(key):
    """Give the 32 octets of an identity key."""
    return key.public_key().public_bytes_raw()


def sign(key, domain, said):
    """Sign octets under a domain (5.2)."""
    return key.sign(domain.encode() + b"\0" + said)


def pack(*fields):
    """Give the octets of a message, or of a part without a tag."""
    return msgpack.packb(fields, use_bin_type=True)


def frame(body):
    """Give the octets of a frame."""
    return len(body).to_bytes(4, "big") + body


@dataclass
class Channel:
    """Frames over TLS; `key` and `digest` are those of the certificate that was shown."""

    stream: trio.SSLStream
    key: bytes
    digest: bytes
    limit: int = FRAME_MAX_UNPROVED
    buffer: bytes = b""

    def __post_init__(self):
        self.sending = trio.Lock()

    async def send(self, *fields):
        """Send a message."""
        await self.send_octets(frame(pack(*fields)))

    async def send_octets(self, raw):
        """Send octets as they are; one that has ended does not mind."""
        async with self.sending:
            try:
                await self.stream.send_all(raw)
            except trio.BrokenResourceError:
                return

    async def receive(self, *tags):
        """Give the next message, one of these; raises Ended, or Malformed."""
        length = int.from_bytes(await self._exactly(4), "big")
        if length > self.limit:
            raise octets.Malformed("a frame that is too long")
        return octets.message(await self._exactly(length), *tags)

    async def _exactly(self, size):
        while len(self.buffer) < size:
            try:
                more = await self.stream.receive_some()
            except trio.BrokenResourceError as broken:
                raise Ended from broken
            if not more:
                raise Ended
            self.buffer += more
        found, self.buffer = self.buffer[:size], self.buffer[size:]
        return found


@asynccontextmanager
async def reached(port, alpn=ALPN):
    """A channel to a port of this computer, within the block."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols([alpn])
    tcp = await trio.open_tcp_stream("127.0.0.1", port)
    stream = trio.SSLStream(tcp, context, https_compatible=True)
    try:
        await stream.do_handshake()
        certificate = stream.getpeercert(binary_form=True)
        key = load_der_x509_certificate(certificate).public_key().public_bytes_raw()
        yield Channel(stream, key, hashlib.sha256(certificate).digest())
    finally:
        await trio.aclose_forcefully(stream)


async def prove(channel, key, code="", lies=None):
    """Prove the key, and a join code if there is one; gives `server-hello`, or raises Refused.

    `lies` has fields of `client-proof` that are not as they should be.
    """
    hello = await channel.receive("server-hello")
    came = trio.current_time()
    run = None
    if code:
        run = Run("A", code.encode(), public(key), channel.key + channel.digest)
    signature = sign(key, "boneyard-client-auth-v1", channel.digest + hello.nonce)
    said = {"version": VERSION, "key": public(key), "signature": signature}
    said |= {"opening": run.message if run else b""} | (lies or {})
    if run:
        await beat(came)
    await channel.send("client-proof", *said.values())
    if run:
        await _show(channel, hello, run)
    await _good(channel, "verdict")
    channel.limit = octets.FRAME_MAX
    return hello


async def beat(came):
    """Wait until a whole number of beats has passed since something came in (3.6)."""
    gone = (trio.current_time() - came) // BEAT_S
    await trio.sleep_until(came + (gone + 1) * BEAT_S)


def code_proofs(run, answer, nonce, table):
    """Give the client's and the server's `code-proof`, from the other side's message."""
    info = b"boneyard/v1/code\0" + b"".join(run.ids) + table
    both = hkdf(run.key(answer), nonce, info, 64)
    words = ((both[:32], b"client"), (both[32:], b"server"))
    return tuple(hmac.digest(key, word, "sha256") for key, word in words)


async def _show(channel, hello, run):
    """Show the join code, and have it shown."""
    answer = await _good(channel, "code-answer")
    came = trio.current_time()
    ours, theirs = code_proofs(run, answer.message, hello.nonce, hello.table)
    await beat(came)
    await channel.send("code-proof", ours)
    shown = await _good(channel, "code-proof")
    assert shown.proof == theirs


async def _good(channel, tag):
    """Give the next message, which is this one; raises Refused."""
    said = await channel.receive(tag, "verdict")
    if said.tag == "verdict" and said.code != "ok":
        raise Refused(said.code)
    assert said.tag == tag
    return said
