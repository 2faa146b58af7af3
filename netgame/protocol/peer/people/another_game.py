"""Who is in for another game with the same company, and who opens its table [peer.md §2].

Each peer says so for itself, and says it again over a new link. What follows is for people to
decide: nobody is taken to another table by this.
"""

from netgame import limits
from netgame.protocol.notices import AgainHeard
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.people.names import ScreenNames
from netgame.wire.messages import Again


class AnotherGame(PeerPart):
    """Tells the others whether our player is in, and keeps who of them is."""

    names: ScreenNames
    joiner: Joiner
    _own: Again | None = None
    """Our own answer; None before we have given it."""
    _told: set[PeerKey] = set()
    """The peers that have been told over the link that they have now."""
    _heard: dict[PeerKey, bool] = {}
    """Those who are in, and whether they open the table."""
    _nameless: set[PeerKey] = set()
    """Those of them of whom our player is told once we know what to call them."""

    def say(self, *, opens: bool = False) -> None:
        """Be in for another game, or open its table; the next duties tell all."""
        own = Again(opens)
        if own != self._own:
            self._own = own
            self._told.clear()

    def tell(self) -> None:
        """Tell everybody here who has not been told, and who can say to their player who we are.

        Our player is told of those whose names have come since.
        """
        for key in [each for each in self._nameless if self.names.knows(each)]:
            self._notify(key)
        if self._own is None:
            return
        for key, _ in self.context.links.at_table():
            if key not in self._told and self.joiner.is_known_to(key):
                self._told.add(key)
                self.context.outbox.send(key, self._own)

    def forget(self, key: PeerKey) -> None:
        """Tell this peer anew, as its link is gone."""
        self._told.discard(key)

    def hear(self, key: PeerKey, again: Again) -> None:
        """Note that this peer's player is in; our player is told what is new.

        Who opens the table goes there, so that is not taken back. Of those who do not belong to the
        table no more are kept than watch one.
        """
        before = self._heard.get(key)
        strangers = [each for each in self._heard if not self.context.belongs(each)]
        has_room = self.context.belongs(key) or len(strangers) < 2 * limits.WATCHERS_MAX
        if before in (True, again.opens) or not (has_room or key in self._heard):
            return
        self._heard[key] = again.opens
        # The log may come later, such as where our disk is full.
        if self.names.knows(key):
            self._notify(key)
        else:
            self._nameless.add(key)

    def _notify(self, key: PeerKey) -> None:
        self._nameless.discard(key)
        heard = AgainHeard(self.names.name_of(key), self._heard[key], key)
        self.context.notify_of(key, heard)

    def who_is_in(self) -> frozenset[bytes]:
        """The keys of the others who are in, and still here."""
        return frozenset(self._heard.keys() & {key for key, _ in self.context.links.at_table()})

    def openers(self) -> tuple[bytes, ...]:
        """The keys of players who have said that they open the table, here or not, by seats."""
        seats = {
            self.context.state.seat_of(key): key for key, opens in self._heard.items() if opens
        }
        return tuple(seats[seat] for seat in sorted(seat for seat in seats if seat is not None))
