"""The players who want another game with the same company, or open a table for it [peer.md §2].

Each peer tells only its own player's wish, and tells it again over each new link. People decide
what follows: this module takes nobody to another table.
"""

from netgame import limits
from netgame.protocol.notices import AgainHeard
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.people.names import ScreenNames
from netgame.wire.messages import Again


class AnotherGame(PeerPart):
    """Tells the others that our player wants another game, and notes who else does."""

    names: ScreenNames
    joiner: Joiner
    _own: Again | None = None
    """Our own answer; None before we have given it."""
    _told: set[PeerKey] = set()
    """The peers that we have told over their present link."""
    _heard: dict[PeerKey, bool] = {}
    """The peers whose players want another game; True for a player who opens the table."""
    _nameless: set[PeerKey] = set()
    """The peers in `_heard` whose names we lack; our player is told of them once we know them."""

    def say(self, *, opens: bool = False) -> None:
        """Note that our player wants another game, or opens a table for it.

        The next duties tell everybody.
        """
        own = Again(opens)
        if own != self._own:
            self._own = own
            self._told.clear()

    def tell(self) -> None:
        """Tell our player's wish to each peer here that knows our name and was not told yet.

        Also tells our player of peers whose wish came before we knew their names.
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
        """Forget that this peer was told: its link is gone, and we tell it again over the next."""
        self._told.discard(key)

    def hear(self, key: PeerKey, again: Again) -> None:
        """Note that this peer's player wants another game; tell our player if that is news.

        A player who opens the table cannot take that back: they are already at the new table. Of
        peers that do not belong to this table, at most `2 * WATCHERS_MAX` are noted.
        """
        before = self._heard.get(key)
        strangers = [each for each in self._heard if not self.context.belongs(each)]
        has_room = self.context.belongs(key) or len(strangers) < 2 * limits.WATCHERS_MAX
        if before in (True, again.opens) or not (has_room or key in self._heard):
            return
        self._heard[key] = again.opens
        # The log, with the name, may come later, as when our disk is full.
        if self.names.knows(key):
            self._notify(key)
        else:
            self._nameless.add(key)

    def _notify(self, key: PeerKey) -> None:
        self._nameless.discard(key)
        heard = AgainHeard(self.names.name_of(key), self._heard[key], key)
        self.context.notify_of(key, heard)

    def who_is_in(self) -> frozenset[bytes]:
        """Return the keys of the others who want another game and are still here."""
        return frozenset(self._heard.keys() & {key for key, _ in self.context.links.at_table()})

    def openers(self) -> tuple[bytes, ...]:
        """Return the keys, in seat order, of players who open the next table, even if now gone."""
        seats = {
            self.context.state.seat_of(key): key for key, opens in self._heard.items() if opens
        }
        return tuple(seats[seat] for seat in sorted(seat for seat in seats if seat is not None))
