"""The two ends of a channel: honest ones, and ends that a test drives step by step."""

import secrets
from dataclasses import dataclass

import trio

from netgame.crypto.noise import Ciphers, Handshake
from netgame.errors import NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.door.admission import Door
from netgame.io.door.channel import (
    CLIENT_DOMAIN,
    PREFACE_BYTES,
    SERVER_DOMAIN,
    Channel,
    preface_of,
    prologue_of,
)
from netgame.io.door.codes import parse_code
from netgame.io.door.sealed import Messages, SealedStream, message_octets
from netgame.io.links import FramedStream
from netgame.io.network.streams import ByteStream, pair
from netgame.limits import HANDSHAKE_BYTES_MAX, PROTOCOL_VERSION
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, ServerHello

ANN, BEN, EVE = (Identity(bytes([number]) * 32) for number in (1, 2, 3))
CODE, OTHER = parse_code("7-otter-violin"), parse_code("7-otter-visor")
TABLE = b"t" * 64
FROM = "10.0.0.9"
PROLOGUE = prologue_of(PROTOCOL_VERSION)


async def outcomes_of(*parts):
    """Run these parts concurrently; return each one's result, or the error that ended it.

    Only a `NetgameError` or a `BrokenResourceError` is returned; any other error is raised.
    """
    outcomes = [None] * len(parts)

    async def run(at, part):
        try:
            outcomes[at] = await part
        except (NetgameError, trio.BrokenResourceError) as error:
            outcomes[at] = error

    async with trio.open_nursery() as nursery:
        for at, part in enumerate(parts):
            nursery.start_soon(run, at, part)
    return outcomes


async def shake(door=None, *, client=ANN, expected=None, code=None):
    """Let an honest client meet an honest server, Ben; return the outcomes of both."""
    near, far = pair(FROM)
    serves = Channel(BEN).serve(far, door or Door(anybody=True))
    return await outcomes_of(Channel(client).prove(near, expected, code), serves)


async def meet(client_part, server_part):
    """Run a client's and a server's part over a pair in memory; return the outcomes of both."""
    near, far = pair(FROM)
    return await outcomes_of(client_part(near), server_part(far))


def hosting(door):
    """Return the part of an honest server with this door, for `meet`."""
    return lambda stream: Channel(BEN).serve(stream, door)


def code_door():
    """Return the door of a host whose table is `TABLE`; it asks for `CODE`."""
    door = Door(CODE)
    door.table_id = lambda: TABLE
    return door


@dataclass
class End:
    """One end in the middle of a handshake; `said` is how the other end has identified itself."""

    stream: ByteStream
    messages: Messages
    handshake: Handshake
    said: ServerHello | ClientProof | None = None
    signed: bytes = b""
    """The octets that the other end has to sign."""
    ciphers: Ciphers | None = None

    async def show(self, payload_of) -> None:
        """Send this end's static key, and what `payload_of` returns for the octets to sign."""
        began, bound = self.handshake.show_static()
        payload = payload_of(bound + self.handshake.static)
        await self.stream.send_all(message_octets(began + self.handshake.finish(payload)))

    async def hear(self, kind) -> None:
        """Receive the other end's static key and its identification, without checking them."""
        static, bound, payload = self.handshake.hear_static(await self.messages.receive())
        self.said, self.signed = decode(payload, kind), bound + static

    def frames(self) -> FramedStream:
        """Return the framed stream that follows the handshake, and set `ciphers`."""
        self.ciphers = self.handshake.split()
        sealed = SealedStream(self.messages, self.ciphers)
        return FramedStream(sealed, sealed.send_now)


async def greeted(stream, entropy=secrets.token_bytes) -> End:
    """Return the end of a client that has heard the server's hello and not identified itself."""
    handshake = Handshake(PROLOGUE, entropy, is_server=False)
    octets = preface_of(PROTOCOL_VERSION) + message_octets(handshake.greet())
    await stream.send_all(octets)
    end = End(stream, Messages(stream, HANDSHAKE_BYTES_MAX), handshake)
    await end.hear(ServerHello)
    return end


async def answering(stream, entropy=secrets.token_bytes) -> End:
    """Return the end of a server that has been greeted and has not sent anything yet."""
    messages = Messages(stream, HANDSHAKE_BYTES_MAX)
    await messages.take(PREFACE_BYTES)
    handshake = Handshake(PROLOGUE, entropy, is_server=True)
    handshake.hear_greeting(await messages.receive())
    return End(stream, messages, handshake)


def proof_of(identity, signed, key=None, opening=b""):
    """Return the encoded proof that an honest client would send; `key` replaces the key in it."""
    signature = identity.sign(CLIENT_DOMAIN, signed)
    return encode(ClientProof(key or identity.public, signature, opening))


def hello_of(identity, signed, table=TABLE, number=7):
    """Return the encoded hello that an honest server would send."""
    return encode(ServerHello(identity.public, identity.sign(SERVER_DOMAIN, signed), table, number))
