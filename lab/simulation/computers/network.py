"""The network of one game: cables, dialling, and pairs that are cut off for a while."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from lab.simulation.computers.cables import Cable, Host
from lab.simulation.computers.clock import Script
from lab.simulation.computers.room import Room
from netgame.limits import DIAL_TIMEOUT_S
from netgame.protocol.peer.effects import PeerKey

Pairs: TypeAlias = Sequence[frozenset[int]]
"""Pairs of host numbers."""


def pairs_of(here: Iterable[int], there: Iterable[int]) -> Pairs:
    """Return every pair of one number in `here` and one in `there`."""
    others = tuple(there)
    return [frozenset((one, other)) for one in here for other in others]


class Network:
    """The cables between all hosts; the first `seats` hosts sat down in the lobby."""

    def __init__(self, room: Room, seats: int) -> None:
        self.links: list[Cable] = []
        self.room = room
        self._seats = seats
        self._hosts: dict[PeerKey, Host] = {}
        self._apart: dict[frozenset[int], int] = {}

    def plug_in(self, host: Host) -> None:
        """Let others dial this host."""
        self._hosts[host.key] = host

    def dial(self, dialler: Host, peer: PeerKey) -> Script:
        """Dial a peer once, and link the two hosts if that succeeds; yield the seconds it takes."""
        between_s = self.room.weather.between_hosts_s()
        target = self._hosts[peer]
        if self.are_apart(dialler, target) or not target.is_awake:
            yield DIAL_TIMEOUT_S
        elif not target.is_alive or target.is_paused or not self._lets_in(target, dialler):
            yield between_s / 3
        else:
            yield between_s
            if target.is_alive and not self.are_apart(dialler, target):
                link = Cable(self.room, dialler, target)
                self.links = [each for each in self.links if not each.is_broken]
                self.links.append(link)
                for end in link.ends:
                    if end.is_open:
                        end.owner.link_came(end)

    def _lets_in(self, target: Host, dialler: Host) -> bool:
        """Return True if the target lets the dialler in.

        The dialler must not be banned, and must be one of the first `seats` hosts, have the
        target's code, or have a member who vouches for it.
        """
        if target.turns_away(dialler.key):
            return False
        known = dialler.number < self._seats or target.number in dialler.codes
        return known or target.may_come(dialler.key)

    def are_apart(self, one: Host, other: Host) -> bool:
        """Return True if these two hosts are cut off from each other now."""
        return frozenset((one.number, other.number)) in self._apart

    def part(self, pairs: Pairs) -> None:
        """Cut off the two hosts of each pair from each other: octets stall, dialling times out."""
        for pair in pairs:
            self._apart[pair] = self._apart.get(pair, 0) + 1
            for link in self.links_of(pair):
                link.stall()

    def rejoin(self, pairs: Pairs) -> None:
        """Undo one `part` of each pair.

        When no other `part` of the pair remains, its links go on or break, each at random.
        """
        for pair in pairs:
            left = self._apart.get(pair, 1) - 1
            if left:
                self._apart[pair] = left
                continue
            self._apart.pop(pair, None)
            for link in self.links_of(pair):
                link.reset() if self.room.chance.once_in(2) else link.heal()

    def links_at(self, host: Host) -> list[Cable]:
        """Return all links of one host, even broken ones that have not been removed yet."""
        return [link for link in self.links if host in [end.owner for end in link.ends]]

    def links_of(self, pair: frozenset[int]) -> list[Cable]:
        """Return the links between the two hosts with these numbers, except broken ones."""
        return [
            link
            for link in self.links
            if not link.is_broken and {end.owner.number for end in link.ends} == pair
        ]
