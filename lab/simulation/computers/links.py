"""The links of one life of a simulated process; they must behave like `io.links` and its pool."""

import math

from lab.simulation.computers.cables import CableEnd, Host
from lab.simulation.computers.clock import Script
from lab.simulation.computers.life import Life
from lab.simulation.computers.network import Network
from netgame.limits import DIAL_BACKOFF_MAX_S, DIAL_BACKOFF_MIN_S, FLOOD_BAN_S
from netgame.protocol.peer.driver import LinkDown, LinkUp, PeerLink, rival_stays
from netgame.protocol.peer.effects import PeerKey


class OpenLinks:
    """A process's open links, the links that its core knows, and the peers being dialled."""

    def __init__(self, host: Host, network: Network, life: Life) -> None:
        self._host = host
        self._network = network
        self._life = life
        self.ends: dict[PeerKey, CableEnd] = {}
        self.known: dict[PeerKey, PeerLink] = {}
        """The links of which the core has heard."""
        self._dialling: set[PeerKey] = set()
        self._banned: dict[PeerKey, float] = {}
        """The peers that have flooded a link, and the time until which they are banned."""

    # ---- dialling -------------------------------------------------------------------------

    def keep_dialling(self, peer: PeerKey) -> None:
        """Dial this peer, with growing pauses, until there is a link to it.

        A dead process does not dial, and dialling stops when the process dies or pauses.
        """
        if self._host.is_alive and peer not in self._dialling and peer not in self.ends:
            self._dialling.add(peer)
            self._network.room.time.follow(self._dials(peer), self._life.later)

    def _dials(self, peer: PeerKey) -> Script:
        host, pause = self._host, DIAL_BACKOFF_MIN_S
        while peer not in self.ends:
            if not host.is_alive or host.is_paused:
                return
            if not self.turns_away(peer):
                yield from self._network.dial(host, peer)
            if peer not in self.ends:
                yield pause * self._network.room.chance.between(0.5, 1.0)
                pause = min(pause * 2, DIAL_BACKOFF_MAX_S)
        self._dialling.discard(peer)

    def turns_away(self, peer: PeerKey) -> bool:
        """Return True if this peer has flooded a link and is still banned for it."""
        return self._host.clock() < self._banned.get(peer, -math.inf)

    # ---- ends that come and go ------------------------------------------------------------

    def came(self, end: CableEnd) -> None:
        """Take over a new connection, in place of any existing link to the same peer.

        Close it instead if the existing link is the one to keep, or if the process is dead or
        paused.
        """
        host = self._host
        rival = self.ends.get(end.peer)
        is_one_too_many = rival is not None and rival_stays(rival, end, host.key)
        if not host.is_alive or host.is_paused or is_one_too_many:
            end.is_open = False
            end.link.closed_by(end)
            return
        self.ends[end.peer] = end
        host.hear(LinkUp(end))
        if rival is not None:
            rival.end()

    def ended(self, end: CableEnd) -> None:
        """Note that an end of this process is closed, and ban the peer if it flooded the link."""
        if end.flooded:
            self._banned[end.peer] = self._host.clock() + FLOOD_BAN_S
        if self.ends.get(end.peer) is end:
            del self.ends[end.peer]
        self._host.hear(LinkDown(end))

    def finish_all(self) -> None:
        """Close every link when everything already sent has arrived."""
        for end in tuple(self.ends.values()):
            end.finish()

    def end_all(self) -> None:
        """End every link at once, as after sleep."""
        for end in tuple(self.ends.values()):
            end.end()
