"""Second-hand news of seats, from members to a peer without a seat [peer.md §6].

Nobody dials a peer without a seat, and bots accept links only from their host's computer. So every
member tells peers without a seat which seats it has within reach, and whom those would go on
without. A peer that has a seat ignores such news.
"""

from collections.abc import Iterator, Mapping

from netgame.protocol.epochs.company import Epoch
from netgame.protocol.log.entry import read_mask
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.messages import InTouch


class SecondHand(PeerPart):
    """Keeps the last news from each linked member, and uses it while we have no seat.

    News of an epoch that our log does not know yet is set aside until the log knows it. The
    member's earlier news is used until then.
    """

    _said: dict[PeerKey, InTouch] = {}
    _unread: dict[PeerKey, InTouch] = {}

    def hear(self, key: PeerKey, said: InTouch) -> None:
        """Store a peer's news; it replaces the peer's earlier news once its epoch is known."""
        self._unread[key] = said

    def forget(self, key: PeerKey) -> None:
        """Forget a peer's news, because its link is gone."""
        self._said.pop(key, None)
        self._unread.pop(key, None)

    def _words(self) -> Iterator[tuple[Epoch, InTouch]]:
        """Yield the last news of each member whose epoch our log knows, as pairs of epoch and news.

        Yields nothing while we have a seat.
        """
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
        """Return the keys that some member says it has within reach.

        Empty while we have a seat ourselves.
        """
        return frozenset(key for epoch, said in self._words() for key in keys_of(epoch, said.seats))

    def wishes(self) -> Mapping[bytes, frozenset[bytes]]:
        """Return, for each seat's key, the keys that it would go on without, as members report.

        Only reports of the current epoch are used. Empty while we have a seat ourselves.
        """
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
