"""Somebody who stands between a joiner and a table, as a process of its own.

`python -m tests.lan.middle LISTEN HOST OVERHEARD [--own-proof]` answers at LISTEN, ends TLS there
and towards the table at HOST with a key of its own, passes every frame on and writes down what it
reads. With `--own-proof` it is cleverer: it signs the proof of key anew, as itself, so that only
the join code is left to tell the two ends of it apart.
"""

import argparse
import hashlib
from functools import partial
from pathlib import Path

import trio

from netgame.errors import NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import CLIENT_DOMAIN
from netgame.io.door.tls import client_context, server_context
from netgame.io.links import FramedStream
from netgame.io.network.addresses import Address, parse_address
from netgame.protocol.text import fingerprint
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, ServerHello


class Middle:
    """One key, one table to reach, and what was overheard."""

    def __init__(self, host: Address, overheard: Path, *, own_proof: bool) -> None:
        self.host = host
        self.overheard = overheard
        self.own_proof = own_proof
        self.identity = Identity.ephemeral()
        self.towards_joiner, _ = server_context(self.identity)
        self.towards_host = client_context()

    async def meet(self, stream: trio.SocketStream) -> None:
        """Stand between one joiner and the table until either goes away."""
        await self.between(stream, await trio.open_tcp_stream(self.host.host, self.host.port))

    async def between(self, inward: trio.abc.Stream, outward: trio.abc.Stream) -> None:
        """Stand between the ends of two streams likewise."""
        near = trio.SSLStream(inward, self.towards_joiner, server_side=True, https_compatible=True)
        far = trio.SSLStream(outward, self.towards_host, https_compatible=True)
        try:
            await near.do_handshake()
            await far.do_handshake()
            certificate = far.getpeercert(binary_form=True) or b""
            await self._forward(FramedStream(near), FramedStream(far), certificate)
        except (NetgameError, trio.BrokenResourceError, OSError):
            return
        finally:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(near)
                await trio.aclose_forcefully(far)

    async def _forward(self, joiner: FramedStream, host: FramedStream, certificate: bytes) -> None:
        hello = await self._hear("table", host)
        await joiner.send_frame(hello)
        proof = await self._hear("joiner", joiner)
        if self.own_proof:
            nonce = decode(hello, ServerHello).nonce
            proof = self._signed_anew(proof, hashlib.sha256(certificate).digest() + nonce)
        await host.send_frame(proof)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._pass_on, "table", host, joiner, nursery.cancel_scope)
            nursery.start_soon(self._pass_on, "joiner", joiner, host, nursery.cancel_scope)

    def _signed_anew(self, proof: bytes, signed: bytes) -> bytes:
        """The joiner's proof of key, as if the join code were ours to show."""
        theirs = decode(proof, ClientProof)
        signature = self.identity.sign(CLIENT_DOMAIN, signed)
        return encode(ClientProof(theirs.version, self.identity.public, signature, theirs.opening))

    async def _pass_on(
        self, who: str, source: FramedStream, target: FramedStream, end: trio.CancelScope
    ) -> None:
        try:
            while True:
                await target.send_frame(await self._hear(who, source))
        except NetgameError:
            end.cancel()

    async def _hear(self, who: str, frames: FramedStream) -> bytes:
        """Take a frame and write down who said what."""
        body = await frames.receive_frame()
        with self.overheard.open("ab") as out:
            out.write(who.encode() + b" " + body + b"\n")
        return body


def main() -> None:
    """Stand there until killed."""
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
