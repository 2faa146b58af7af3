"""Somebody who stands between a joiner and a table, as a process of its own.

`python -m tests.lan.middle LISTEN HOST OVERHEARD [--own-proof]` answers at LISTEN, with a key of
its own, has a channel of its own to the table at HOST, passes everything on and writes down what
it reads, the two proofs of keys first. With `--own-proof` it is cleverer: it makes that its
own, too, so that only the join code is left to tell the two ends of it apart.
"""

import argparse
import secrets
from functools import partial
from pathlib import Path

import trio
from msgspec.structs import replace

from netgame.crypto.noise import MESSAGE_BYTES_MAX, Handshake
from netgame.errors import NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import (
    CLIENT_DOMAIN,
    PREFACE_BYTES,
    SERVER_DOMAIN,
    preface_of,
    prologue_of,
)
from netgame.io.door.sealed import Messages, SealedStream, message_octets
from netgame.io.links import FramedStream
from netgame.io.network.addresses import Address, parse_address
from netgame.io.network.streams import ByteStream
from netgame.io.network.tcp import TcpStream, dial
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.text import fingerprint
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, ServerHello


class Middle:
    """A proxy with its own key, the table behind it, and the file of what it overhears."""

    def __init__(self, host: Address, overheard: Path, *, own_proof: bool) -> None:
        self.host = host
        self.overheard = overheard
        self.own_proof = own_proof
        self.identity = Identity.ephemeral()

    async def meet(self, stream: trio.SocketStream) -> None:
        """Proxy one joiner's connection to the table until either side goes away."""
        socket = stream.socket
        inward = TcpStream(socket, socket.getsockname(), socket.getpeername())
        await self.between(inward, await dial(self.host))

    async def between(self, inward: ByteStream, outward: ByteStream) -> None:
        """Proxy between these two streams until either ends."""
        try:
            await self._forward(inward, outward)
        except (NetgameError, trio.BrokenResourceError, OSError):
            return
        finally:
            inward.close()
            outward.close()

    async def _forward(self, inward: ByteStream, outward: ByteStream) -> None:
        """Do two handshakes, each with the claims of the far end, and pass everything on."""
        preface = preface_of(PROTOCOL_VERSION)
        prologue = prologue_of(PROTOCOL_VERSION)
        near = Handshake(prologue, secrets.token_bytes, is_server=True)
        far = Handshake(prologue, secrets.token_bytes, is_server=False)
        joiner, host = Messages(inward, MESSAGE_BYTES_MAX), Messages(outward, MESSAGE_BYTES_MAX)
        await joiner.take(PREFACE_BYTES)
        near.hear_greeting(await joiner.receive())
        await outward.send_all(preface + message_octets(far.greet()))
        hello = decode(far.hear_static(await host.receive())[2], ServerHello)
        self._write_down("table", encode(hello))
        await self._show(inward, near, SERVER_DOMAIN, hello, is_ours=True)
        proof = decode(near.hear_static(await joiner.receive())[2], ClientProof)
        self._write_down("joiner", encode(proof))
        await self._show(outward, far, CLIENT_DOMAIN, proof, is_ours=self.own_proof)
        to_joiner = FramedStream(SealedStream(joiner, near.split()))
        to_host = FramedStream(SealedStream(host, far.split()))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._pass_on, "table", to_host, to_joiner, nursery.cancel_scope)
            nursery.start_soon(self._pass_on, "joiner", to_joiner, to_host, nursery.cancel_scope)

    async def _show(
        self,
        stream: ByteStream,
        handshake: Handshake,
        domain: str,
        said: ServerHello | ClientProof,
        *,
        is_ours: bool,
    ) -> None:
        """Pass on the other end's claim; if `is_ours`, with this proxy's own key and signature."""
        began, bound = handshake.show_static()
        if is_ours:
            signature = self.identity.sign(domain, bound + handshake.static)
            said = replace(said, key=self.identity.public, signature=signature)
        await stream.send_all(message_octets(began + handshake.finish(encode(said))))

    async def _pass_on(
        self, who: str, source: FramedStream, target: FramedStream, end: trio.CancelScope
    ) -> None:
        try:
            while True:
                await target.send_frame(await self._hear(who, source))
        except NetgameError:
            end.cancel()

    async def _hear(self, who: str, frames: FramedStream) -> bytes:
        """Receive a frame and write down its sender and body."""
        body = await frames.receive_frame()
        self._write_down(who, body)
        return body

    def _write_down(self, who: str, body: bytes) -> None:
        with self.overheard.open("ab") as out:
            out.write(who.encode() + b" " + body + b"\n")


def main() -> None:
    """Proxy every joiner's connection until this process is killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("listen", type=parse_address)
    parser.add_argument("host", type=parse_address)
    parser.add_argument("overheard", type=Path)
    parser.add_argument("--own-proof", action="store_true")
    wanted = parser.parse_args()
    middle = Middle(wanted.host, wanted.overheard, own_proof=wanted.own_proof)
    print(
        f"stands at {wanted.listen} with the key {fingerprint(middle.identity.public)}", flush=True
    )
    listen = wanted.listen
    trio.run(partial(trio.serve_tcp, middle.meet, listen.port, host=listen.host))


if __name__ == "__main__":
    main()
