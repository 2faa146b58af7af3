"""Passes news of the seats to peers that have no seat, and may lack links to them. [peer.md §6]"""

from netgame.protocol.log.entry import filled_mask
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.absence import Absence, Away
from netgame.protocol.peer.people.others_wishes import OthersWishes
from netgame.wire.messages import InTouch


class Relay(PeerPart):
    """Tells peers without a seat which seats we reach, and whom those seats would go on without."""

    absence: Absence
    others: OthersWishes
    _told: dict[PeerKey, InTouch] = {}

    def forget(self, key: PeerKey) -> None:
        """Forget what this peer was told, because its link is gone.

        Over a new link it is told everything again.
        """
        self._told.pop(key, None)

    def tell(self) -> None:
        """Tell all peers without a seat what we know of seats, once and whenever that changes.

        Does nothing if we have no seat in a game ourselves.
        """
        context = self.context
        if not context.sits(context.key):
            return
        guests = [key for key, _ in context.links.at_table() if not context.sits(key)]
        if not guests:
            return
        said = InTouch(context.state.log_id, self._reached(), self.others.to_pass_on())
        for key in guests:
            if self._told.get(key) != said:
                self._told[key] = said
                context.outbox.send(key, said)

    def _reached(self) -> bytes:
        """Return the mask of the seats that are not away, and either linked here or answering."""
        self.absence.look()
        unheard = self.absence.unanswered() - self.context.links.greeted()
        found = self.absence.contacts.items()
        here = (key for key, at in found if not isinstance(at, Away) and key not in unheard)
        seats = map(self.context.state.seat_of, here)
        return filled_mask(seat for seat in seats if seat is not None)
