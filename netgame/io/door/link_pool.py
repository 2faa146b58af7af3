"""All links of one process: one to each peer, whichever end dialled.

Both ends may dial. Of two links made at about the same time the one dialled by the lower key stays.
A link older than `LINK_SETTLED_S` yields to a new one: a peer that has a link does not dial, so the
old one must be dead at its end [peer.md §3.3].
"""

import logging
import math
import random
from collections.abc import Awaitable, Callable, Sequence

import trio
import trio.abc
import trio.lowlevel
from msgspec import Struct, field

from netgame import limits
from netgame.errors import NetgameError
from netgame.io.door.acceptor import Acceptor, source_between, source_of
from netgame.io.door.admission import FLOODED, FULL, Door
from netgame.io.door.channel import Channel
from netgame.io.door.codes import JoinCode
from netgame.io.door.dial import race
from netgame.io.links import Link, Proved
from netgame.io.network.addresses import Address
from netgame.io.network.neighbours import Neighbours
from netgame.io.sleep_gauge import SleepGauge
from netgame.protocol.notices import ComputerSlept, LinkEnd, ProgramStopped
from netgame.protocol.peer.driver import FrameCame, LinkDown, LinkEvent, LinkUp, rival_stays
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.messages import Verdict

log = logging.getLogger("netgame.io")


class Wanted(Struct, eq=False):
    """A peer that is dialled until there is a link."""

    peer: PeerKey
    addresses: tuple[str, ...]
    """Where to dial it."""
    hurry: trio.Event = field(default_factory=trio.Event)
    """Setting it ends the present pause."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Cancelling it ends the dialling."""


class LinkPool:
    """Accepts, dials and keeps links; every event is awaited in `deliver`, in order per link.

    A `closed` pool takes no new link, and one `is_at_rest` dials nobody. `neighbours` has where
    peers were met. The pool sets the `turned_away` of its door. When this computer has slept, or
    this program was stopped, that is told before any event of a link.
    """

    _nursery: trio.Nursery

    def __init__(
        self,
        channel: Channel,
        deliver: Callable[[LinkEvent], Awaitable[None]],
        door: Door,
        tell_gap: Callable[[ComputerSlept | ProgramStopped], None] = lambda _: None,
    ) -> None:
        self.closed = self.is_at_rest = False
        self.neighbours = Neighbours()
        self._channel = channel
        self._key = PeerKey(channel.identity.public)
        self._deliver = deliver
        self._door = door
        door.turned_away = self._why_not
        door.members_at = self.members_at
        self._acceptor = Acceptor(channel, door, self._keep_link)
        self.links: dict[PeerKey, Link] = {}
        self.wanted: dict[PeerKey, Wanted] = {}
        self._sources: dict[PeerKey, str] = {}
        """Where peers with a link are, and where members were that had one last."""
        self.banned: dict[PeerKey, float] = {}
        """Peers kept out for flooding, and until when."""
        self._departures = trio.lowlevel.ParkingLot()
        self._tell_gap = tell_gap
        self.gauge = SleepGauge()
        self._looked_at = math.inf

    async def run(
        self, listeners: Sequence[trio.SocketListener], task_status: trio.TaskStatus[None]
    ) -> None:
        """Accept on `listeners` and keep all links until cancelled; then close them all.

        It has `started` before the first connection is accepted. The listeners' sockets are closed
        too.
        """
        homes = {source_of(listener.socket.getsockname()) for listener in listeners}
        self.neighbours.at_home = homes == {"loopback"}
        if not self.neighbours.at_home:
            from spake2 import ed25519_basic  # noqa: F401 - slow, and the next to come has a code
        try:
            async with trio.open_nursery() as self._nursery:
                for listener in listeners:
                    self._nursery.start_soon(self._acceptor.accept_all, listener)
                task_status.started()
                try:
                    await self._watch()
                finally:
                    self.closed = self.is_at_rest = True  # the core may still want somebody
        finally:
            for listener in listeners:
                listener.socket.close()

    def close_all(self, reason: str) -> None:
        """Accept no new links, dial nobody, and begin to finish every link; returns at once."""
        self.closed = self._acceptor.closed = True
        self.rest()
        for link in tuple(self.links.values()):
            link.finish(reason)

    def rest(self) -> None:
        """Dial nobody any more, and break off what is being dialled; links stay."""
        self.is_at_rest = True
        for wanted in self.wanted.values():
            wanted.scope.cancel()

    async def wait_empty(self) -> None:
        """Return once no link is left, however long it takes; for use after `close_all`."""
        while self.links:
            await self._departures.park()

    async def connect(
        self,
        addresses: Sequence[Address],
        expected: PeerKey | None = None,
        code: JoinCode | None = None,
    ) -> PeerKey:
        """Open a link and return its peer's key; with `expected`, only to the peer of that key.

        With `code` both ends prove it. Any address is dialled. The link may not be up yet, and is
        dropped if the pool is closed or another link to this peer stays. Errors as for `dial.race`.
        """
        proved = await race(self._channel, addresses, expected, code)
        self._nursery.start_soon(self._keep_link, proved)
        return proved.peer

    def keep_dialling(self, peer: PeerKey, addresses: tuple[str, ...]) -> None:
        """Dial `peer` with growing pauses until there is a link; a peer named the addresses.

        Only those that may be dialled are. Returns at once; does nothing if there is a link or the
        pool is at rest. For a peer being dialled, the addresses are replaced and the pause ends.
        """
        if peer in self.links or self.is_at_rest:
            return
        if peer in self.wanted:
            self.wanted[peer].addresses = addresses
            self.wanted[peer].hurry.set()
        else:
            self.wanted[peer] = wanted = Wanted(peer, addresses)
            self._nursery.start_soon(self._keep_dialling, wanted)

    async def _keep_dialling(self, wanted: Wanted) -> None:
        pause = limits.DIAL_BACKOFF_MIN_S
        with wanted.scope:
            while not await self._redial(wanted.peer, wanted.addresses):
                with trio.move_on_after(pause * random.uniform(0.5, 1.0)):
                    await wanted.hurry.wait()
                    pause = limits.DIAL_BACKOFF_MIN_S
                wanted.hurry = trio.Event()
                pause = min(pause * 2, limits.DIAL_BACKOFF_MAX_S)
        del self.wanted[wanted.peer]

    async def _redial(self, peer: PeerKey, named: tuple[str, ...]) -> bool:
        """Dial once, if an address may be dialled; returns whether it connected or there is a link.

        False also for a peer that is banned or cannot be reached.
        """
        if peer in self.links:
            return True
        addresses = self.neighbours.dialled(peer, named)
        if self._is_banned(peer) or not addresses:
            return False
        try:
            await self.connect(addresses, peer)
        except NetgameError as error:
            log.debug("dialling %s: %r", peer.hex()[:8], error)
            return False
        return True

    def members_at(self, source: str) -> tuple[PeerKey, ...]:
        """The members who have a link from there, or had their last one."""
        found = (peer for peer, at in self._sources.items() if at == source)
        return tuple(peer for peer in found if self._door.sits(peer))

    def block(self, source: str) -> tuple[PeerKey, ...]:
        """Let nobody but members in from there, and end the links of all others from there.

        Returns the members who are there, and stay.
        """
        self._door.block(source, trio.current_time())
        members = self.members_at(source)
        for peer, link in tuple(self.links.items()):
            if self._sources.get(peer) == source and peer not in members:
                link.end("the address is blocked")
        if not members:
            self._acceptor.turn_back(source)
        return members

    def _why_not(self, peer: PeerKey) -> Verdict | None:
        """The refusal for a peer that is banned or one too many just now; None if it may come."""
        if self._is_banned(peer):
            return FLOODED
        kept = 0 if self._door.is_ours(peer) else limits.LINKS_KEPT
        is_full = len(self.links) >= limits.LINKS_MAX - kept
        return FULL if is_full and peer not in self.links else None

    def _is_banned(self, peer: PeerKey) -> bool:
        now = trio.current_time()
        self.banned = {key: until for key, until in self.banned.items() if until > now}
        return peer in self.banned

    async def _keep_link(self, proved: Proved) -> None:
        """Run a link to its end, unless the peer's existing link stays.

        A link that the pool has no place for, or that comes after it was closed, is closed unheard.
        Of any other `deliver` gets the start, each frame, and the end. A peer that flooded it is
        then banned, and it is forgotten where a stranger was met who had dialled us.
        """
        self._look_at_clocks()
        link = Link(proved)
        rival = self.links.get(link.peer)
        source = _source_at(proved.frames.stream)
        away = self._why_not(link.peer) is not None or self._door.shuts_out(link.peer, source)
        is_late = not link.dialled and away  # others came meanwhile, or the address was blocked
        if self.closed or is_late or (rival is not None and rival_stays(rival, link, self._key)):
            await proved.frames.close()
            return
        self.links[link.peer] = link
        self.neighbours.meet_at(link.peer, proved.frames.stream)
        self._sources[link.peer] = source
        if rival is not None:
            rival.end("replaced by a newer link")
        try:
            await self._deliver(LinkUp(link))
            await link.run(lambda body: self._deliver(FrameCame(link, body)))
        except Exception:
            log.exception("the link to %s failed in a way it must not", link.peer.hex()[:8])
        finally:
            self._look_at_clocks()
            if link.flooded:
                self.banned[link.peer] = trio.current_time() + limits.FLOOD_BAN_S
            if self.links.get(link.peer) is link:
                del self.links[link.peer]
                self._departures.unpark_all()
                if not (link.dialled or self._door.is_ours(link.peer)):
                    self.neighbours.forget(link.peer)
                if not self._door.sits(link.peer):
                    del self._sources[link.peer]
        await self._deliver(LinkDown(link))

    def drop_all(self, reason: str) -> None:
        """End every link at once, and try again without a pause where a peer is being dialled."""
        for link in tuple(self.links.values()):
            link.end(reason)
        for wanted in self.wanted.values():
            wanted.hurry.set()

    async def _watch(self) -> None:
        """Beat all links, until cancelled; drop them whenever this computer has slept."""
        self._looked_at = trio.current_time()
        while True:
            await trio.sleep(limits.CLOCK_CHECK_S)
            self._look_at_clocks()
            for link in tuple(self.links.values()):
                link.beat()

    def _look_at_clocks(self) -> None:
        """If this computer has slept since the last look, tell it, and drop all links.

        The same if this program was stopped for as long as others wait for a sign of life: we look
        at least every `CLOCK_CHECK_S`. The peers have given up by then, so everybody is dialled
        again. We look before a link comes or goes too: one may be found dead before the next beat.
        """
        now = trio.current_time()
        slept, stopped, self._looked_at = self.gauge.read(), now - self._looked_at, now
        if not slept and stopped < limits.DROP_S:
            return
        self._tell_gap(ComputerSlept(slept) if slept else ProgramStopped(stopped))
        self.drop_all("this computer slept" if slept else "this program was stopped")
        for link in self.links.values():
            link.ending = LinkEnd.ENDED_HERE  # also of one that was found dead just before


def _source_at(stream: trio.abc.Stream) -> str:
    """Where the other end of a connection is, as the door counts it; empty if that is not known."""
    inner = getattr(stream, "transport_stream", stream)
    if not isinstance(inner, trio.SocketStream):
        return ""
    try:
        return source_between(inner.socket.getsockname(), inner.socket.getpeername())
    except OSError:  # it may be gone already
        return ""
