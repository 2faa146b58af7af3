"""Links over memory streams, and pools of links over real sockets, for tests."""

import trio
import trio.testing

from netgame.io.disk.identity import Identity
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.door.link_pool import LinkPool
from netgame.io.links import FramedStream, Link, Proved
from netgame.io.network.addresses import Address
from netgame.io.network.listen import LOOPBACK, Listen, listening
from netgame.protocol.peer.driver import LinkUp

LOW, HIGH = sorted((Identity(bytes([n]) * 32) for n in (1, 2)), key=lambda i: i.public)


def linked(peer=HIGH.public, *, dialled=True):
    """Return a link over memory streams, and the framed stream at its far end."""
    near, far = trio.testing.memory_stream_pair()
    frames, other = FramedStream(near), FramedStream(far)
    frames.trust()
    other.trust()
    return Link(Proved(peer, frames, dialled)), other


async def nowhere(_body):
    """Discard the body of a frame."""


class Peer:
    """A pool of links, and the events that it delivers."""

    def __init__(self, identity):
        self.identity = identity
        self.events = []
        self.pool = LinkPool(Channel(identity), self.take, Door(anybody=True))
        self.port = 0
        self.news = trio.Event()

    async def take(self, event):
        """Note an event; raise ZeroDivisionError for a frame whose body is `crash`."""
        if getattr(event, "body", b"") == b"crash":
            raise ZeroDivisionError
        self.events.append(event)
        news, self.news = self.news, trio.Event()
        news.set()

    @property
    def address(self):
        """Return the address at which the pool listens."""
        return Address(LOOPBACK, self.port)

    async def until(self, condition, limit_s=5):
        """Wait until `condition` is true of the list of events; fail after `limit_s` seconds."""
        with trio.fail_after(limit_s):
            while not condition(self.events):
                await self.news.wait()

    async def has(self, kind, count=1):
        """Wait until there are `count` events of a kind; return all events of that kind so far."""
        await self.until(lambda _: len(self.of(kind)) >= count)
        return self.of(kind)

    def of(self, kind):
        """Return the events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]


class Pools:
    """A maker of pools that run until the test ends."""

    def __init__(self, nursery):
        self._nursery = nursery

    async def peer(self, identity=None, port=0):
        """Return a peer that listens at this port, or at any free one."""
        peer = Peer(identity or Identity.ephemeral())
        await self._nursery.start(self._run, peer, port)
        return peer

    async def _run(self, peer, port, task_status):
        async with listening(Listen(LOOPBACK, port)) as listeners:
            peer.port = listeners[0].port
            await peer.pool.run(listeners, task_status)

    async def two(self):
        """Return two peers that are not linked: the lower key first."""
        return await self.peer(LOW), await self.peer(HIGH)

    async def linked(self):
        """Return two peers, the lower key first, with a link that the higher one has dialled."""
        low, high = await self.two()
        await self.link(high, low)
        return low, high

    async def link(self, one, other):
        """Let `one` dial `other`, and wait until both know of the link."""
        count = len(other.of(LinkUp)) + 1
        await one.pool.connect([other.address], other.identity.public)
        await other.has(LinkUp, count)
        await one.until(lambda _: one.pool.links.get(other.identity.public))
        await one.has(LinkUp)
