"""Second-hand news of seats, from members to a peer without a seat [peer.md §6].

Nobody dials such a peer, and a bot's door is open only to its host's computer. So every member
tells peers without a seat whom it has within reach, and whom those seats would go on without. Seats
themselves take nobody's word for another.
"""

from collections.abc import Iterator, Mapping

from netgame.protocol.epochs.company import Epoch
from netgame.protocol.log.entry import read_mask
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.messages import InTouch


class SecondHand(PeerPart):
    """The last word of each member here; it counts while we have no seat.

    A word of an epoch that our log does not know yet waits; the one before it counts until then.
    """

    _said: dict[PeerKey, InTouch] = {}
    _unread: dict[PeerKey, InTouch] = {}

    def hear(self, key: PeerKey, said: InTouch) -> None:
        """Take a peer's word, in place of its last one."""
        self._unread[key] = said

    def forget(self, key: PeerKey) -> None:
        """Forget a peer's words, because its link is gone."""
        self._said.pop(key, None)
        self._unread.pop(key, None)

    def _words(self) -> Iterator[tuple[Epoch, InTouch]]:
        """Yield the words that count, each with its epoch."""
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
        """Return the keys that some member says it has within reach."""
        return frozenset(key for epoch, said in self._words() for key in keys_of(epoch, said.seats))

    def wishes(self) -> Mapping[bytes, frozenset[bytes]]:
        """Return the keys that each seat would now go on without, as members pass it on."""
        found: dict[bytes, frozenset[bytes]] = {}
        for epoch, said in self._words():
            for seat, seats in said.wishes if said.id == self.context.state.log_id else ():
                if seat < len(epoch.keys):
                    sayer = epoch.keys[seat]
                    missed = keys_of(epoch, seats) - {sayer}
                    found[sayer] = found.get(sayer, frozenset()) | missed
        return found


def keys_of(epoch: Epoch, seats: bytes) -> frozenset[bytes]:
    """Return the keys of the seats in a mask; seats that do not exist are left out."""
    return frozenset(epoch.keys[seat] for seat in read_mask(seats) if seat < len(epoch.keys))
