"""All links of one process: who may connect, whom it dials, and one link to each peer.

Both ends may dial. Of two links made at about the same time the one dialled by the lower key
stays; a link that is older than `LINK_SETTLED_S` yields to a new one, for a peer that has a link
does not dial, so the old one must be dead at its end [protocol.md §3.3].
"""

from __future__ import annotations

import errno
import logging
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

import trio
import trio.lowlevel

from netgame.errors import NetgameError
from netgame.io.door.admission import FLOODED, FULL, Door
from netgame.io.door.channel import Channel
from netgame.io.door.codes import JoinCode
from netgame.io.door.dial import race
from netgame.io.links.link import Link, Proved
from netgame.io.network.addresses import Address, number_of, parse_literal
from netgame.io.network.neighbours import Neighbours
from netgame.limits import (
    ACCEPT_PAUSE_S,
    CLOCK_CHECK_S,
    DIAL_BACKOFF_MAX_S,
    DIAL_BACKOFF_MIN_S,
    FLOOD_BAN_S,
    LINK_SETTLED_S,
    LINKS_MAX,
    SLEEP_GAP_S,
    UNAUTHENTICATED_GRACE_S,
    UNAUTHENTICATED_LINKS_MAX,
    UNAUTHENTICATED_LINKS_PER_ADDRESS,
)
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.greeting import Verdict

log = logging.getLogger("netgame.io")

_ACCEPT_RETRY: Final = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A link has been proved and is the one to its peer."""

    link: Link


@dataclass(frozen=True, slots=True)
class LinkDown:
    """A link is gone."""

    link: Link


@dataclass(frozen=True, slots=True)
class FrameCame:
    """A link brought one frame."""

    link: Link
    body: bytes


LinkEvent = LinkUp | LinkDown | FrameCame


@dataclass(frozen=True, slots=True, eq=False)
class _Unproved:
    """A connection that has not proved its key yet: whence, since when, and how to end it."""

    source: str
    since: float
    scope: trio.CancelScope


class _Dialling:
    """A peer being dialled: where, and how to hurry."""

    def __init__(self, addresses: tuple[Address, ...]) -> None:
        self.addresses = addresses
        self.hurry = trio.Event()
        self.scope = trio.CancelScope()


class LinkPool:
    """Accepts, dials and keeps links; every event is awaited in `deliver`, in order per link."""

    def __init__(
        self,
        channel: Channel,
        deliver: Callable[[LinkEvent], Awaitable[None]],
        door: Door | None = None,
    ) -> None:
        self._channel = channel
        self._door = door or Door.open()
        self._door.turned_away = self._why_not
        self._banned: dict[PeerKey, float] = {}
        self._deliver = deliver
        self._links: dict[PeerKey, Link] = {}
        self._dialling: dict[PeerKey, _Dialling] = {}
        self._unproved: list[_Unproved] = []
        self._nursery: trio.Nursery | None = None
        self._departures = trio.lowlevel.ParkingLot()
        self.closed = False
        self.neighbours = Neighbours()

    async def run(
        self,
        listeners: Sequence[trio.SocketListener],
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Accept on `listeners` and keep all links until cancelled; then close them all."""
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                homes = [_source(listener.socket.getsockname()) for listener in listeners]
                self.neighbours.at_home = bool(homes) and set(homes) == {"loopback"}
                for listener in listeners:
                    nursery.start_soon(self._accept_all, listener)
                nursery.start_soon(self._watch_clocks)
                task_status.started()
        finally:
            for listener in listeners:
                listener.socket.close()

    def link(self, peer: PeerKey) -> Link | None:
        """Return the link to `peer`, if there is one."""
        return self._links.get(peer)

    def close_all(self, reason: str) -> None:
        """End every link and take no new ones."""
        self.closed = True
        for dialling in self._dialling.values():
            dialling.scope.cancel()
        for link in tuple(self._links.values()):
            link.finish(reason)

    async def wait_empty(self) -> None:
        """Return when no link is left; meant for after `close_all`."""
        while self._links:
            await self._departures.park()

    # ---- dialling -------------------------------------------------------------------------

    async def connect(
        self,
        addresses: Sequence[Address],
        expected: PeerKey | None = None,
        code: JoinCode | None = None,
    ) -> PeerKey:
        """Open a link now and return its peer's key; the errors are those of `dial.race`."""
        proved = await race(self._channel, addresses, expected, code)
        self._spawn_link(proved)
        return proved.peer

    def keep_dialling(self, peer: PeerKey, addresses: tuple[str, ...]) -> None:
        """Dial `peer` with growing pauses until there is a link; a peer named the addresses."""
        literal = tuple(filter(None, map(parse_literal, addresses)))
        current = self._dialling.get(peer)
        if current is not None:
            current.addresses = literal
            current.hurry.set()
        elif literal and peer not in self._links and not self.closed and self._nursery:
            self._dialling[peer] = dialling = _Dialling(literal)
            self._nursery.start_soon(self._keep_dialling, peer, dialling)

    async def _keep_dialling(self, peer: PeerKey, dialling: _Dialling) -> None:
        pause = DIAL_BACKOFF_MIN_S
        with dialling.scope:
            while peer not in self._links:
                if await self._dial_once(peer, dialling):
                    break
                with trio.move_on_after(pause * random.uniform(0.5, 1.0)):
                    await dialling.hurry.wait()
                    pause = DIAL_BACKOFF_MIN_S
                dialling.hurry = trio.Event()
                pause = min(pause * 2, DIAL_BACKOFF_MAX_S)
        if self._dialling.get(peer) is dialling:
            del self._dialling[peer]

    async def _dial_once(self, peer: PeerKey, dialling: _Dialling) -> bool:
        if self._is_banned(peer):
            return False
        addresses = self.neighbours.dialled(peer, dialling.addresses)
        if not addresses:
            return False
        try:
            proved = await race(self._channel, addresses, peer)
        except NetgameError as error:
            log.debug("dialling %s: %r", peer.hex()[:8], error)
            return False
        self._spawn_link(proved)
        return True

    def _spawn_link(self, proved: Proved) -> None:
        assert self._nursery is not None, "the pool runs before anything is dialled"
        self._nursery.start_soon(self._keep_link, proved)

    # ---- accepting ------------------------------------------------------------------------

    async def _accept_all(self, listener: trio.SocketListener) -> None:
        assert self._nursery is not None, "the pool runs before anything is accepted"
        while True:
            try:
                # Not `listener.accept`: most of a crowd is sent away, and shall cost little.
                socket, far = await listener.socket.accept()
            except OSError as error:
                if error.errno not in _ACCEPT_RETRY:
                    raise
                await trio.sleep(ACCEPT_PAUSE_S)
                continue
            source = _source(far)
            if self.closed or not self._has_room(source):
                socket.close()
                continue
            stream = trio.SocketStream(socket)
            unproved = _Unproved(source, trio.current_time(), trio.CancelScope())
            self._unproved.append(unproved)
            self._nursery.start_soon(self._serve, stream, unproved)

    def _has_room(self, source: str) -> bool:
        """Whether one more may try to prove its key; who has dawdled long enough gives way."""
        same = [each for each in self._unproved if each.source == source]
        if source != "loopback" and len(same) >= UNAUTHENTICATED_LINKS_PER_ADDRESS:
            return self._gives_way(same[0])
        if len(self._unproved) < UNAUTHENTICATED_LINKS_MAX:
            return True
        return self._gives_way(self._unproved[0])

    def _gives_way(self, oldest: _Unproved) -> bool:
        if trio.current_time() - oldest.since <= UNAUTHENTICATED_GRACE_S:
            return False
        oldest.scope.cancel()
        self._unproved.remove(oldest)
        return True

    async def _serve(self, stream: trio.SocketStream, unproved: _Unproved) -> None:
        proved: Proved | None = None
        try:
            with unproved.scope:
                proved = await self._channel.serve(stream, self._door, unproved.source)
        except NetgameError as error:
            log.debug("a connection from %s: %r", unproved.source, error)
            return
        except Exception:
            log.exception("a connection from %s failed in a way it must not", unproved.source)
            return
        finally:
            if unproved in self._unproved:
                self._unproved.remove(unproved)
        if proved is not None:
            await self._keep_link(proved)

    def _why_not(self, peer: PeerKey) -> Verdict | None:
        """Say why this peer gets no link now, if so."""
        if self._is_banned(peer):
            return FLOODED
        return FULL if len(self._links) >= LINKS_MAX and peer not in self._links else None

    def flooders(self) -> int:
        """Count the peers that are kept out for a flood."""
        now = trio.current_time()
        return sum(until > now for until in self._banned.values())

    def _is_banned(self, peer: PeerKey) -> bool:
        now = trio.current_time()
        self._banned = {key: until for key, until in self._banned.items() if until > now}
        return peer in self._banned

    # ---- keeping --------------------------------------------------------------------------

    async def _keep_link(self, proved: Proved) -> None:
        """Run a link to its end, unless the one already there stays."""
        link = Link(proved)
        rival = self._links.get(link.peer)
        if self.closed or (rival is not None and self._rival_stays(rival, link)):
            await proved.frames.close()
            return
        self._links[link.peer] = link
        self.neighbours.meet_at(link.peer, proved.frames.stream)
        if rival is not None:
            rival.end("replaced by a newer link")
        try:
            await self._deliver(LinkUp(link))
            await link.run(lambda body: self._deliver(FrameCame(link, body)))
        except Exception:
            log.exception("the link to %s failed in a way it must not", link.peer.hex()[:8])
        finally:
            if link.flooded:
                self._banned[link.peer] = trio.current_time() + FLOOD_BAN_S
            if self._links.get(link.peer) is link:
                del self._links[link.peer]
                self._departures.unpark_all()
        await self._deliver(LinkDown(link))

    def _rival_stays(self, rival: Link, link: Link) -> bool:
        if rival.dialled == link.dialled or link.since - rival.since > LINK_SETTLED_S:
            return False
        we_are_lower = self._channel.identity.public < link.peer
        return rival.dialled == we_are_lower

    def drop_all(self, reason: str) -> None:
        """End every link at once and dial again without a pause."""
        for link in tuple(self._links.values()):
            link.end(reason)
        for dialling in self._dialling.values():
            dialling.hurry.set()

    async def _watch_clocks(self) -> None:
        """Notice that the computer slept: the other ends have given up links that look alive."""
        offset = time.time() - time.monotonic()
        while True:
            await trio.sleep(CLOCK_CHECK_S)
            before, offset = offset, time.time() - time.monotonic()
            if offset - before > SLEEP_GAP_S:
                self.drop_all("this computer slept")


def _source(far: tuple[str, int]) -> str:
    """Return what connections from a far address are counted by: its host, or "loopback"."""
    number = number_of(far[0]) if far else None
    if number is None:
        return "unknown"
    return "loopback" if number.is_loopback else str(number)
