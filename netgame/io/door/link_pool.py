"""All links of one node: one to each peer, whichever end dialled.

Both ends may dial. Of two links made at about the same time, the one dialled by the peer with the
lower key stays. A link older than `LINK_SETTLED_S` is replaced by a new one: a peer that has a link
does not dial, so the old link must be dead at the peer's end [peer.md §2].

If all addresses of a member fail, another member forwards a stream to it (`forwarding`). The member
is still dialled now and then: a direct link replaces a forwarded one.
"""

import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import trio
import trio.lowlevel
from msgspec import Struct, field

from netgame import limits
from netgame.errors import NetgameError
from netgame.io.door.acceptor import Acceptor
from netgame.io.door.admission import FLOODED, FULL, Door
from netgame.io.door.channel import Channel
from netgame.io.door.codes import JoinCode
from netgame.io.door.dial import race
from netgame.io.door.forwarding import Forwarding
from netgame.io.entropy import jittered
from netgame.io.links import Link, Proved, Rates
from netgame.io.network.addresses import Address
from netgame.io.network.beside import Switchboard
from netgame.io.network.neighbours import Neighbours
from netgame.io.network.streams import Listener
from netgame.io.sleep_gauge import SleepGauge
from netgame.protocol.notices import ComputerSlept, LinkEnd, ProgramStopped
from netgame.protocol.peer.driver import FrameCame, LinkDown, LinkEvent, LinkUp, rival_stays
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.messages import Verdict

log = logging.getLogger("netgame.io")


class Wanted(Struct, eq=False):
    """A peer that is dialled until there is a direct link to it."""

    peer: PeerKey
    addresses: tuple[str, ...]
    """The addresses at which to dial it."""
    ask_at: float = math.inf
    """The time to begin asking others to forward a stream to it; infinite until all addresses have
    failed.
    """
    hurry: trio.Event = field(default_factory=trio.Event)
    """Setting it ends the current pause."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Cancelling it ends the dialling."""


class LinkPool:
    """The links of one node: it accepts, dials and keeps them, and awaits `deliver` for each event.

    The events of one link are delivered in order. A `closed` pool takes no new link; a pool that
    `is_at_rest` dials nobody. `neighbours` knows where peers were met. The pool sets `turned_away`,
    `members_at` and `reaches` of its door. When this computer has slept, or this program was
    stopped for `DROP_S`, `tell_gap` is called before any further link is reported up or down;
    frames may still be delivered before it.
    """

    _nursery: trio.Nursery

    def __init__(
        self,
        channel: Channel,
        deliver: Callable[[LinkEvent], Awaitable[None]],
        door: Door,
        tell_gap: Callable[[ComputerSlept | ProgramStopped], None] = lambda _: None,
        beside: Switchboard | None = None,
    ) -> None:
        self.closed = self.is_at_rest = False
        self._farewell = ""
        """The reason why all links are being finished; empty if they are not."""
        self.neighbours = Neighbours()
        self._channel = channel
        self._key = PeerKey(channel.identity.public)
        self._deliver = deliver
        self.beside = Switchboard() if beside is None else beside
        """The other nodes of this process."""
        self._door = door
        door.turned_away = self._why_not
        door.members_at = self.members_at
        self._acceptor = Acceptor(channel, door, self._keep_link)
        self.links: dict[PeerKey, Link] = {}
        self.forwarding = Forwarding(self._key, self.links, door, self._acceptor)
        door.reaches = self.forwarding.reaches
        self.wanted: dict[PeerKey, Wanted] = {}
        self._reached_at: dict[PeerKey, tuple[Address, ...]] = {}
        """The addresses at which this program has reached a peer by `connect`. The log may not know
        them, as for a host behind a forwarded port, or one whose page a browser has loaded.
        """
        self._sources: dict[PeerKey, str] = {}
        """The sources of peers with a link, and of members' last links."""
        self.banned: dict[PeerKey, float] = {}
        """Peers kept out for flooding, each with the end of its ban."""
        self._rates: dict[PeerKey, Rates] = {}
        """The rates of peers with a link, and of peers whose link has ended lately."""
        self._departures = trio.lowlevel.ParkingLot()
        self._tell_gap = tell_gap
        self.gauge = SleepGauge()
        self._looked_at = math.inf

    async def run(self, listeners: Sequence[Listener], task_status: trio.TaskStatus[None]) -> None:
        """Accept on `listeners` and keep all links until cancelled, then close the links.

        It reports that it has started before it accepts the first connection. The caller closes the
        listeners.
        """
        self.neighbours.at_home = {each.at_home for each in listeners} == {True}
        if not self.neighbours.at_home:
            from spake2 import ed25519_basic  # noqa: F401 - slow, and the next to come has a code
        async with trio.open_nursery() as self._nursery:
            self.forwarding.nursery = self._nursery
            for listener in listeners:
                self._nursery.start_soon(self._acceptor.accept_all, listener)
            task_status.started()
            try:
                await self._watch()
            finally:
                self.closed = self.is_at_rest = True  # the core may still want links

    def close_all(self, reason: str) -> None:
        """Accept no new links, dial nobody, and begin to finish every link; returns at once.

        Forwarded links are finished first, because their goodbyes are sent over the others.
        """
        self.closed = self._acceptor.closed = True
        self.rest()
        self._farewell = reason
        self._finish_links()

    def _finish_links(self) -> None:
        """Begin to finish every link except those over which a link of this pool is forwarded."""
        carriers = {link.by for link in self.links.values()}
        for peer, link in tuple(self.links.items()):
            if peer not in carriers:
                link.finish(self._farewell)

    def rest(self) -> None:
        """Stop dialling: break off the attempts under way and begin no more. Links stay."""
        self.is_at_rest = True
        for wanted in self.wanted.values():
            wanted.scope.cancel()

    async def wait_empty(self) -> None:
        """Return once no link is left, however long it takes; call `close_all` first."""
        while self.links:
            await self._departures.park()

    async def connect(
        self,
        addresses: Sequence[Address],
        expected: PeerKey | None = None,
        code: JoinCode | None = None,
    ) -> PeerKey:
        """Open a link and return its peer's key; with `expected`, only to the peer of that key.

        With `code`, both ends prove that they know it. Every address is dialled as given; a peer in
        this process needs none. The link may not be up yet, and is dropped if the pool is closed or
        another link to this peer stays. Whenever it is lost, these addresses are among those
        dialled again. Errors as for `dial.race`.
        """
        peer = await self._connect(addresses, expected, code)
        self._reached_at[peer] = tuple(addresses)
        return peer

    async def _connect(
        self, addresses: Sequence[Address], expected: PeerKey | None, code: JoinCode | None = None
    ) -> PeerKey:
        """Open a link as `connect` does, but do not note the addresses for dialling again."""
        if expected is not None and expected in self.beside:
            proved = await self._channel.prove(self.beside.call(expected), expected, code)
        else:
            proved = await race(self._channel, addresses, expected, code)
        self._nursery.start_soon(self._keep_link, proved)
        return proved.peer

    def keep_dialling(self, peer: PeerKey, addresses: tuple[str, ...]) -> None:
        """Dial `peer` with growing pauses until there is a direct link.

        Other peers have named the `addresses`, so not all of them may be dialled (`neighbours`).
        Returns at once; does nothing if there is a direct link or the pool is at rest. For a peer
        that is being dialled, the addresses are replaced and the pause ends.
        """
        if self.forwarding.reaches(peer) or self.is_at_rest:
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
            while not await self._redial(wanted):
                if wanted.peer in self.links:  # by way of a forwarder
                    pause = limits.DIRECT_AGAIN_S
                with trio.move_on_after(jittered(pause)):
                    await wanted.hurry.wait()
                    pause = limits.DIAL_BACKOFF_MIN_S
                wanted.hurry = trio.Event()
                pause = min(pause * 2, limits.DIAL_BACKOFF_MAX_S)
        del self.wanted[wanted.peer]

    async def _redial(self, wanted: Wanted) -> bool:
        """Return True if there is a direct link already, or if dialling once makes one.

        A banned peer is not dialled, and neither is one without an address that may be dialled. If
        a peer has been out of reach for a while, other members are asked to forward a stream to it;
        that does not count as a direct link.
        """
        peer = wanted.peer
        if self.forwarding.reaches(peer):
            return True
        if self._is_banned(peer):
            return False
        named = self.neighbours.dialled(peer, wanted.addresses)
        addresses = tuple(dict.fromkeys((*named, *self._reached_at.get(peer, ()))))
        if addresses or peer in self.beside:
            try:
                await self._connect(addresses, peer)
            except NetgameError as error:
                log.debug("dialling %s: %r", peer.hex()[:8], error)
            else:
                return True
        now = trio.current_time()
        wanted.ask_at = min(wanted.ask_at, now + limits.FORWARD_AFTER_S)
        if now >= wanted.ask_at and peer not in self.links:
            await self._ask_others(peer)
            wanted.ask_at = trio.current_time() + limits.FORWARD_AGAIN_S
        return False

    async def _ask_others(self, peer: PeerKey) -> None:
        """Ask one member after another to forward a stream to `peer`, until a link is made."""
        for carrier in self.forwarding.forwarders(peer):
            try:
                stream = await carrier.open(peer)
                proved = await self._channel.prove(stream, peer)
            except NetgameError as error:
                log.debug("%s by %s: %r", peer.hex()[:8], carrier.peer.hex()[:8], error)
                continue
            self._nursery.start_soon(self._keep_link, proved)
            return

    def way_to(self, peer: PeerKey, known: Sequence[Address]) -> tuple[Address, ...]:
        """Return the addresses to dial for another stream to a peer with a direct link.

        Empty for any other peer. If the peer was the one that dialled, its ports are taken from its
        `known` addresses and those at which this program has reached it.
        """
        link = self.links.get(peer)
        if link is None or link.by:
            return ()
        if link.at is not None:
            return (link.at,)
        ports = (at.port for at in (*known, *self._reached_at.get(peer, ())))
        return tuple(Address(link.host, port) for port in dict.fromkeys(ports) if link.host)

    def members_at(self, source: str) -> tuple[PeerKey, ...]:
        """Return the members whose link, or last link, is from `source`."""
        found = (peer for peer, at in self._sources.items() if at == source)
        return tuple(peer for peer in found if self._door.sits(peer))

    def block(self, source: str) -> tuple[PeerKey, ...]:
        """Let in only members from `source`, and end the links of all others from it.

        Returns the members at `source`, who stay.
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
        """Return the refusal of a peer that is banned or for which there is no room, else None."""
        if self._is_banned(peer):
            return FLOODED
        kept = 0 if self._door.is_ours(peer) else limits.LINKS_KEPT
        is_full = len(self.links) >= limits.LINKS_MAX - kept
        return FULL if is_full and peer not in self.links else None

    def _is_banned(self, peer: PeerKey) -> bool:
        now = trio.current_time()
        self.banned = {key: until for key, until in self.banned.items() if until > now}
        return peer in self.banned

    def _rates_of(self, peer: PeerKey) -> Rates:
        """Return the rates of this peer, which outlive its links.

        When too many are kept, forget those that do not `matter`, or else the oldest.
        """
        now = trio.current_time()
        if peer not in self._rates and len(self._rates) >= limits.KEYS_COUNTED_MAX:
            self._rates = {key: each for key, each in self._rates.items() if each.matter(now)}
            if len(self._rates) >= limits.KEYS_COUNTED_MAX:
                del self._rates[next(iter(self._rates))]
        return self._rates.setdefault(peer, Rates(now))

    async def _keep_link(self, proved: Proved) -> None:
        """Run a link to its end, unless the peer's existing link stays.

        A link that the peer dialled is closed without being run if the pool or the door would
        refuse it by now; so is any link once the pool is closed. For any other link `deliver` is
        called with its start, each frame, and its end. A peer that has flooded the link is then
        banned, and the address of a stranger that dialled this node is forgotten.
        """
        self._look_at_clocks()
        link = Link(proved, self._rates_of(proved.peer))
        rival = self.links.get(link.peer)
        source = proved.source
        away = self._why_not(link.peer) is not None or self._door.shuts_out(link.peer, source)
        is_late = not link.dialled and away  # others came meanwhile, or the address was blocked
        if self.closed or is_late or (rival is not None and self._stays(rival, link)):
            await proved.frames.close()
            return
        self.links[link.peer] = link
        if link.streams is not None:
            link.streams.offered = partial(self.forwarding.answer, link)
        else:
            log.debug("a link by %s to %s", link.by.hex()[:8], link.peer.hex()[:8])
        self.neighbours.meet(link.peer, proved.host)
        self._sources[link.peer] = source
        if rival is not None:
            rival.end("replaced by a newer link")
        try:
            try:
                await self._deliver(LinkUp(link))
                await link.run(lambda body: self._deliver(FrameCame(link, body)))
            finally:
                await proved.frames.close()  # also of a link that was never run
        except Exception:
            log.exception("the link to %s failed in a way it must not", link.peer.hex()[:8])
        finally:
            self._look_at_clocks()
            if link.flooded:
                self.banned[link.peer] = trio.current_time() + limits.FLOOD_BAN_S
            if self.links.get(link.peer) is link:
                del self.links[link.peer]
                self.forwarding.note_end(link)
                if link.peer in self.wanted:
                    self.wanted[link.peer].hurry.set()
                if self._farewell:
                    self._finish_links()
                self._departures.unpark_all()
                if not (link.dialled or self._door.is_ours(link.peer)):
                    self.neighbours.forget(link.peer)
                if not self._door.sits(link.peer):
                    del self._sources[link.peer]
        await self._deliver(LinkDown(link))

    def _stays(self, rival: Link, link: Link) -> bool:
        """Return True if the existing link `rival` stays and the new `link` is closed.

        A direct link is preferred to a forwarded one.
        """
        if bool(rival.by) != bool(link.by):
            return bool(link.by)
        return rival_stays(rival, link, self._key)

    def drop_all(self, reason: str) -> None:
        """End every link at once, and cut short all pauses between attempts to dial."""
        for link in tuple(self.links.values()):
            link.end(reason)
        for wanted in self.wanted.values():
            wanted.hurry.set()

    async def _watch(self) -> None:
        """Call `beat` of all links regularly; drop them all whenever this computer has slept.

        Runs until cancelled.
        """
        self._looked_at = trio.current_time()
        while True:
            await trio.sleep(limits.CLOCK_CHECK_S)
            self._look_at_clocks()
            for link in tuple(self.links.values()):
                link.beat()

    def _look_at_clocks(self) -> None:
        """If this computer has slept since the last look, call `tell_gap` and drop all links.

        Do the same if this program was stopped for `DROP_S`. The peers have given up by then, so
        all are dialled again. The pool looks at least every `CLOCK_CHECK_S`, and also before a link
        begins or ends, because a link may be found dead before the next look.
        """
        now = trio.current_time()
        slept, stopped, self._looked_at = self.gauge.read(), now - self._looked_at, now
        if not slept and stopped < limits.DROP_S:
            return
        self._tell_gap(ComputerSlept(slept) if slept else ProgramStopped(stopped))
        self.drop_all("this computer slept" if slept else "this program was stopped")
        for link in self.links.values():
            link.ending = LinkEnd.ENDED_HERE  # even if the link was found dead just before
