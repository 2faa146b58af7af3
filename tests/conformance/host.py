"""A host written from protocol.md and peer.md alone, for a table of two (4.4)."""

from engine.rules.revision import RULES_REVISION
from tests.conformance.channel import public
from tests.conformance.reader import Reader
from tests.conformance.stranger import Stranger
from tests.netgame.crypto.oracle import hashed

CHAIR = 255
SETTINGS = ("standard", (), 6, 2, 1, 0, (), RULES_REVISION)


def table_id(key, nonce):
    """Return the id of the table that this key opens with this nonce (5.2)."""
    return hashed("table", public(key), nonce)


class Host(Stranger):
    """The host's end of its link to one guest."""

    def __init__(self, channel, key, name, nonce):
        super().__init__(channel, key, name)
        self.nonce = nonce
        self.reader = Reader(table_id(key, nonce))

    async def open(self):
        """Greet, open the table, take a seat, and send the head."""
        await self.channel.send("hello", self.fold.table_id, self.life)
        await self.put(CHAIR, ("open-table", public(self.key), self.nonce, SETTINGS))
        await self.put(CHAIR, ("admit", *self.request()))
        await self.channel.send("head", self.fold.step, self.fold.head, self.reader.filled, 0)

    async def admit(self):
        """Wait for a guest to ask for a seat; admit them, close the lobby, and sign the roster."""
        await self.follow(lambda self: self.asks)
        asked = self.asks.pop(0)
        await self.put(CHAIR, ("admit", asked.request, asked.signature))
        await self.put(CHAIR, ("close", b""))
        await self._write()
