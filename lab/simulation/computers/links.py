"""The links of one life of a simulated process; must behave as `io.links` and its pool do."""

import math
from typing import Protocol

from lab.simulation.computers.cables import CableEnd, Host
from lab.simulation.computers.life import Life
from lab.simulation.computers.network import Network
from lab.simulation.computers.room import Room
from netgame.limits import DIAL_BACKOFF_MAX_S, DIAL_BACKOFF_MIN_S, FLOOD_BAN_S, LINK_SETTLED_S
from netgame.protocol.peer.driver import Event, LinkDown, LinkUp, PeerLink
from netgame.protocol.peer.effects import PeerKey


class LinkedHost(Host, Protocol):
    """The process whose links these are."""

    room: Room
    network: Network

    def clock(self) -> float:
        """What its clock shows."""

    def hear(self, event: Event) -> None:
        """Have its core take one input, after those that wait."""


class OpenLinks:
    """Who is linked, who of them the core knows to be, and who is dialled until there is a link."""

    def __init__(self, host: LinkedHost, life: Life) -> None:
        self._host = host
        self._life = life
        self.ends: dict[PeerKey, CableEnd] = {}
        self.known: dict[PeerKey, PeerLink] = {}
        """Those of which the core has heard."""
        self._dialling: dict[PeerKey, float] = {}
        """Seconds to wait after the next attempt that fails."""
        self._banned: dict[PeerKey, float] = {}
        """Who has flooded a link, and how long it gets no other one."""

    # ---- dialling -------------------------------------------------------------------------

    def keep_dialling(self, peer: PeerKey) -> None:
        """Dial with growing pauses until there is a link."""
        if self._host.is_alive and peer not in self._dialling and peer not in self.ends:
            self._dialling[peer] = DIAL_BACKOFF_MIN_S
            self._dial(peer)

    def _dial(self, peer: PeerKey) -> None:
        if not self._host.is_alive or self._host.is_paused:
            return
        if peer in self.ends:
            self._dialling.pop(peer, None)
            return
        if self.turns_away(peer):
            self._missed(peer)
            return
        self._host.network.dial(self._host, peer, lambda: self._missed(peer))

    def turns_away(self, peer: PeerKey) -> bool:
        """Whether this peer gets no link now, having flooded one."""
        return self._host.clock() < self._banned.get(peer, -math.inf)

    def _missed(self, peer: PeerKey) -> None:
        """An attempt has failed, or led to a link."""
        if self._life.is_over:
            return
        if peer in self.ends:
            self._dialling.pop(peer, None)
            return
        pause = self._dialling.get(peer, DIAL_BACKOFF_MIN_S)
        self._dialling[peer] = min(pause * 2, DIAL_BACKOFF_MAX_S)
        pause *= self._host.room.chance.between(0.5, 1.0)
        self._life.later(pause, lambda: self._dial(peer))

    # ---- ends that come and go ------------------------------------------------------------

    def came(self, end: CableEnd) -> None:
        """A connection is proved: keep it, unless the one already there stays."""
        host, rival = self._host, self.ends.get(end.peer)
        if not host.is_alive or host.is_paused or (rival and self._rival_stays(rival, end)):
            end.is_open = False
            end.link.closed_by(end)
            return
        self.ends[end.peer] = end
        host.hear(LinkUp(end))
        if rival is not None:
            rival.end()

    def _rival_stays(self, rival: CableEnd, end: CableEnd) -> bool:
        if rival.dialled == end.dialled or end.since - rival.since > LINK_SETTLED_S:
            return False
        return rival.dialled == (self._host.key < end.peer)

    def ended(self, end: CableEnd) -> None:
        """One of our ends is over."""
        if end.flooded:
            self._banned[end.peer] = self._host.clock() + FLOOD_BAN_S
        if self.ends.get(end.peer) is end:
            del self.ends[end.peer]
        self._host.hear(LinkDown(end))

    def finish_all(self) -> None:
        """Close every link when what was sent has left."""
        for end in tuple(self.ends.values()):
            end.finish()

    def end_all(self) -> None:
        """End every link at once, as after sleep."""
        for end in tuple(self.ends.values()):
            end.end()
