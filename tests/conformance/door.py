"""The server's side of peer.md 1 and 5: a door that may ask for a join code."""

import hmac

import trio

from tests.conformance import octets, proofs
from tests.conformance.channel import (
    PREFACE,
    Channel,
    Ended,
    Noise,
    beat,
    code_proofs,
    pack,
    public,
    sign,
)
from tests.conformance.spake import Run


class Door:
    """A door for clients, who must prove that they know the join code `code` if it is not empty.

    `table` is the table's id. `proofs` lists every `client-proof` received. `lies` replaces facts
    that the door states.
    """

    def __init__(self, key, code, table, **lies):
        self.key, self.code, self.table = key, code, table
        self.lies = {"number": int(code.partition("-")[0] or 0)} | lies
        self.proofs = []

    async def let_in(self, tcp):
        """Run the handshake, in which both ends prove their keys; return the channel.

        The key of the channel is the client's. Raise Ended after refusing a client that offers no
        code although one is needed: a guest dials again without a code after its link has broken.
        """
        channel = Channel(tcp, Noise(is_server=True))
        assert await channel.receive_octets(len(PREFACE)) == PREFACE
        greeting = await channel.receive_message()
        assert len(greeting) == 32
        assert channel.noise.read(greeting) == b""

        def hello(signed):
            signature = sign(self.key, "boneyard/v4/channel/server", signed)
            said = public(self.key), signature, self.table, self.lies["number"]
            return pack("server-hello", *said)

        await channel.send_message(channel.noise.write(hello))
        payload = channel.noise.read(await channel.receive_message())
        said = octets.message(payload, "client-proof")
        came = trio.current_time()
        self.proofs.append(said)
        signed = channel.noise.signed
        assert proofs.signed(said.key, "boneyard/v4/channel/client", signed, said.signature)
        if self.code and not said.opening:
            await channel.send("verdict", "code", "")
            raise Ended
        if said.opening:
            await self._hear_code(channel, said, came)
        await channel.send("verdict", "ok", "")
        channel.limit, channel.key = octets.FRAME_MAX, said.key
        return channel

    async def _hear_code(self, channel, said, came):
        """Check the client's proof of the join code, and send the door's proof."""
        run = Run("B", self.code.encode(), said.key, public(self.key))
        theirs, ours = code_proofs(run, said.opening, channel.noise.hash, self.table)
        await beat(came)
        await channel.send("code-answer", run.message)
        shown = await channel.receive("code-proof")
        assert hmac.compare_digest(shown.proof, theirs)
        await beat(came)
        await channel.send("code-proof", self.lies.get("proof", ours))
