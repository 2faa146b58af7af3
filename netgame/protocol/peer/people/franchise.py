"""The guests to whom this peer would give a vote on who goes on [protocol.md §4.8, peer.md §6].

Keys are free, and the chair seats anybody it likes. So a program goes by what it has seen itself,
not by the chair's word: it names a guest that is linked to it and behaves. But it names keys that
are new to it only while they and the chair together are at most half of the voters. Beyond that its
person has to say yes (`allow`).
"""

from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.people.absence import Absence, Linked
from netgame.protocol.peer.people.chair import Chair
from netgame.protocol.peer.people.wishes import Wishes
from netgame.protocol.seating import VoteWithheld
from netgame.wire.statements import bit, seats_in


class Franchise(PeerPart):
    """Names the guests to whom this peer would give a vote."""

    absence: Absence
    wishes: Wishes
    chair: Chair
    _asked: set[bytes] = set()
    """The keys of the guests whose withheld vote our person has been told of."""

    def names(self) -> int:
        """Return the bit set of the guests that our scores name for a vote.

        Tells our person of guests that are left out because they are new to us. A seat without a
        vote also names guests, though only the bit sets of voters count.
        """
        now, own = self.context.state.company.now, self.context.key
        strangers, others = self._voters()
        named = 0
        for seat in sorted(now.guests):
            key = now.keys[seat]
            if key == own or not self._is_well_known_here(key):
                continue
            is_new = self.chair.is_new(key)
            if is_new and strangers + 1 >= others:
                self._tell(key, seat)
                continue
            strangers += is_new
            named |= bit(seat)
        return named

    def _voters(self) -> tuple[int, int]:
        """Return the number of voters that are new to us, and of the others.

        The chair does not count among them unless it is us; our own key always counts.
        """
        state = self.context.state
        now, own = state.company.now, self.context.key
        seats = (seat for seat in seats_in(now.voters) if seat != state.chair)
        keys = {own, *(now.keys[seat] for seat in seats)}
        strangers = sum(map(self.chair.is_new, keys))
        return strangers, len(keys) - strangers

    def _is_well_known_here(self, key: bytes) -> bool:
        """Return True if a guest is linked to us, and we have nothing against it."""
        is_linked = isinstance(self.absence.contacts.get(key), Linked)
        is_barred = key in self.chair.kicked or self.chair.is_convicted(key)
        return is_linked and not is_barred and key not in self.wishes.misses()

    def _tell(self, key: bytes, seat: int) -> None:
        if key not in self._asked:
            self._asked.add(key)
            self.context.outbox.notify(VoteWithheld(self.context.state.name_of(seat)))
