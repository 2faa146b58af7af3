"""The state of this computer's own network, as far as it can be known.

The system may say that the network is lost. Otherwise that is most likely if all links fall silent
at about the same time and the peers sit at two other computers or more: with a single other
computer, nobody can tell which of the two is cut off.
"""

import math
from collections.abc import Iterable
from typing import Final

from netgame.limits import DROP_S
from netgame.protocol.notices import LinkEnd, NetworkChanged, NetworkState
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.joiner import Joiner

_TOGETHER_S: Final = DROP_S
"""Links that are cut at the same time fall silent within this time of each other, because each was
last heard at a different time. No other program depends on it, so it is not a limit of the
protocol."""

_COMPUTERS: Final = 2
"""It is unlikely that this many other computers are cut off at the same time."""


class OwnNetwork(PeerPart):
    """The state of this computer's network, and the links that have fallen silent."""

    joiner: Joiner
    state: NetworkState = NetworkState.WORKS
    _silent: dict[PeerKey, float] = {}
    """For keys that belong to the table, the time at which the last link of each fell silent."""
    _trusts_from: float = -math.inf
    """From this time on the network has been back for long enough that a silent link counts."""

    def is_cut_off(self) -> bool:
        """Return True if this computer has lost the network, or most likely has."""
        return self.state is not NetworkState.WORKS

    def note(self, *, has_network: bool) -> None:
        """Note whether this computer has a network.

        Links that have fallen silent so far, or do so within `DROP_S`, are not counted as silent.
        """
        self._silent.clear()
        self._trusts_from = self.context.now + DROP_S
        self._become(NetworkState.WORKS if has_network else NetworkState.LOST)

    def come(self, peer: PeerKey) -> None:
        """Note a new link; if it leads to another computer, a lost network is back."""
        if self.state is NetworkState.LOST and self._is_elsewhere(peer):
            self.note(has_network=True)

    def lose(self, peer: PeerKey, end: LinkEnd) -> None:
        """Note that the link to a peer has ended, and whether it fell silent."""
        self._silent.pop(peer, None)
        now = self.context.now
        if end is LinkEnd.SILENT and self.context.belongs(peer) and now >= self._trusts_from:
            self._silent[peer] = now

    def look(self) -> None:
        """Conclude from the links whether this computer is cut off, unless its system has said so.

        After the system's word we ignore the links, which may look alive for a while after the
        network is gone.
        """
        if self.state is NetworkState.LOST:
            return
        if self._reaches_anybody():
            self._become(NetworkState.WORKS)
        elif self._fell_silent_together():
            self._become(NetworkState.DOUBTED)

    def _become(self, state: NetworkState) -> None:
        """Set the state, and tell the player if it has changed."""
        before, self.state = self.state, state
        if state is not before:
            self.context.outbox.notify(NetworkChanged(state, before))

    def _reaches_anybody(self) -> bool:
        """Return True if there is a link to another computer."""
        return any(self._is_elsewhere(key) for key in self.context.links.greeted())

    def _is_elsewhere(self, key: PeerKey) -> bool:
        """Return True if this peer is at another computer, as far as its addresses tell."""
        return not self._hosts(key) & self._hosts(self.context.key)

    def _fell_silent_together(self) -> bool:
        """Return True if the links to several other computers fell silent a moment ago."""
        now = self.context.now
        lately = (key for key, at in self._silent.items() if now <= at + _TOGETHER_S)
        places = [self._hosts(key) for key in lately if self._is_elsewhere(key)]
        return count_computers(places) >= _COMPUTERS

    def _hosts(self, key: PeerKey) -> frozenset[str]:
        """Return the addresses of a peer's computer, without ports, as far as they are known.

        They are known for this peer, for members, and for the host whose table we found. For a bot
        they are its host's: nobody can dial the bot's own.
        """
        return frozenset(each.rpartition(":")[0] for each in self._addresses(key))

    def _addresses(self, key: PeerKey) -> Iterable[str]:
        context = self.context
        member = context.state.member(key)
        if member is not None and member.bot:
            key = PeerKey(context.state.host)
            member = context.state.member(key)
        if key == context.key:
            return context.addresses
        if member is not None:
            return member.addresses
        return self.joiner.host_addresses if key == self.joiner.host else ()


def count_computers(places: Iterable[frozenset[str]]) -> int:
    """Return the number of different computers in `places`, a set of addresses for each peer.

    Sets that share an address belong to one computer. An empty set does not count.
    """
    found: list[frozenset[str]] = []
    for hosts in filter(None, places):
        same = [each for each in found if each & hosts]
        found = [*(each for each in found if not each & hosts), hosts.union(*same)]
    return len(found)
