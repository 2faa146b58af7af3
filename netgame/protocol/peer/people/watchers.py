"""Watchers without a seat: let in, vouched for, and heard.

A watcher gets entries and heads, may pull and chat, and signs nothing. Nothing waits for it, and
nothing it says can slow a member down: entries of later steps count from it only with the right
author's signature, and it is asked for entries only by a peer that has no member to ask.
[peer.md §6]
"""

from netgame.errors import Malformed
from netgame.limits import WATCHERS_MAX
from netgame.protocol.log.entry import read_entry
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.wire.messages import Guests, SignedEntry


class Watchers(PeerPart):
    """Decides who may watch here, and what is taken from guests."""

    _vouched: dict[PeerKey, tuple[bytes, ...]] = {}
    """The guests that each member says it has let in."""

    def may_come(self, key: bytes) -> bool:
        """Whether this key needs no join code here: it belongs here, or a member has let it in.

        The word of somebody who is no member any more counts for nothing.
        """
        vouched = (keys for by, keys in self._vouched.items() if self.context.belongs(by))
        return self.context.belongs(key) or any(key in keys for keys in vouched)

    def vouches(self, member: PeerKey, key: bytes) -> bool:
        """Whether this member says now that it has let this key in."""
        return key in self._vouched.get(member, ())

    def may_watch(self, key: PeerKey) -> bool:
        """Whether a peer without a seat may watch here; if not, it is told so and dropped.

        Always where we do not belong here ourselves.
        """
        if not self.context.belongs(self.context.key):
            return True  # our log may not have come to where it sits, or where we do
        if len(self.context.links.guests()) < WATCHERS_MAX:
            return True
        self._turn_away(key)
        return False

    def thin(self) -> None:
        """When the game begins, drop guests of the lobby beyond the limit of watchers."""
        if not self.context.in_lobby and self.context.belongs(self.context.key):
            for key in self.context.links.guests()[WATCHERS_MAX:]:
                self._turn_away(key)

    def _turn_away(self, key: PeerKey) -> None:
        self.context.outbox.send(key, NoSeat(WhyNoSeat.WATCHERS, WATCHERS_MAX).answer())
        self.context.links.drop(key, "too many watch this table already")

    def hear_guests(self, key: PeerKey, guests: tuple[bytes, ...]) -> None:
        """Take the guests that a member has let in: they need no code here either.

        They replace those it named before; what others than members say is ignored.
        """
        if self.context.belongs(key):
            self._vouched[key] = guests

    def tell_guests(self) -> None:
        """In a game, tell members which guests we have let in, when that changes.

        Does nothing where we do not belong here ourselves.
        """
        if self.context.in_lobby or not self.context.belongs(self.context.key):
            return
        guests: tuple[bytes, ...] = tuple(sorted(self.context.links.guests())[:WATCHERS_MAX])
        for key, peer in self.context.links.peers.items():
            if peer.greeted and self.context.belongs(key) and peer.guests != guests:
                peer.guests = guests
                self.context.outbox.send(key, Guests(guests))

    def vetted(self, key: PeerKey, entries: tuple[SignedEntry, ...]) -> tuple[SignedEntry, ...]:
        """The entries from this peer that may be judged or held; all, unless it is a guest.

        From a guest, none are taken after one that ends its link.
        """
        if not self.context.is_guest(key):
            return entries
        peer = self.context.links.peers[key]
        return tuple(
            signed for signed in entries if not peer.dropped and self._is_vetted(key, signed)
        )

    def _is_vetted(self, key: PeerKey, signed: SignedEntry) -> bool:
        """Whether an entry is of the due step or before, or signed by its author.

        An entry with a wrong signature ends the link. One of an author after the next coin, who is
        not known yet, is just ignored. One that cannot be read is left to its judge.
        """
        try:
            entry = read_entry(signed)
        except Malformed:
            return True  # to be judged: it ends the link
        state = self.context.state
        if entry.step <= state.step:
            return True
        author = state.author_key(entry.step, entry.seat)
        if author is None or entry.id != state.log_id:
            return False
        if not entry.is_by(author):
            self.context.links.drop_forger(key)
            return False
        return True
