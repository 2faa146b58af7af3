"""What a peer without a seat knows of seats that it has no link to, by the word of members.

Nobody dials such a peer, and a bot's door is open to its host's computer alone. So every member
tells those who look on whom it has within reach, and whom these would go on without. Seats take
nobody's word for another's. [peer.md §6]
"""

from collections.abc import Iterator, Mapping

from netgame.protocol.epochs.company import Epoch
from netgame.protocol.log.entry import read_mask
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.messages import InTouch


class SecondHand(PeerPart):
    """The last word of each member here; it counts while we have no seat.

    A word of an epoch that our log has yet to come to waits, and the one before it counts so long.
    """

    _said: dict[PeerKey, InTouch] = {}
    _unread: dict[PeerKey, InTouch] = {}

    def hear(self, key: PeerKey, said: InTouch) -> None:
        """Take what a peer says, in place of its last word."""
        self._unread[key] = said

    def forget(self, key: PeerKey) -> None:
        """Forget what a peer has said, as its link is gone."""
        self._said.pop(key, None)
        self._unread.pop(key, None)

    def _words(self) -> Iterator[tuple[Epoch, InTouch]]:
        """The words that count, each with its epoch."""
        context = self.context
        if context.sits(context.key):
            return
        company = context.state.company
        for key, said in tuple(self._unread.items()):
            if company.of_id(said.id) is not None:
                self._said[key] = self._unread.pop(key)
        for key, said in self._said.items():
            epoch = company.of_id(said.id)
            if epoch is not None and context.sits(key):
                yield epoch, said

    def reached(self) -> frozenset[bytes]:
        """The keys that a member says it has within reach."""
        return frozenset(key for epoch, said in self._words() for key in keys_of(epoch, said.seats))

    def wishes(self) -> Mapping[bytes, frozenset[bytes]]:
        """The keys that each seat would go on without now, as members pass it on."""
        found: dict[bytes, frozenset[bytes]] = {}
        for epoch, said in self._words():
            for seat, seats in said.wishes if said.id == self.context.state.log_id else ():
                if seat < len(epoch.keys):
                    sayer = epoch.keys[seat]
                    missed = keys_of(epoch, seats) - {sayer}
                    found[sayer] = found.get(sayer, frozenset()) | missed
        return found


def keys_of(epoch: Epoch, seats: bytes) -> frozenset[bytes]:
    """The keys in a mask; seats that do not exist are left out."""
    return frozenset(epoch.keys[seat] for seat in read_mask(seats) if seat < len(epoch.keys))
