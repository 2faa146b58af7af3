"""Watchers without a seat: letting them in, vouching for them, vetting their entries [peer.md §6].

A watcher gets entries and heads, may pull and chat, and signs nothing. Nothing waits for it, and
nothing that it says can slow a member down: its entries of later steps count only with the right
author's signature, and only a peer that has no member to ask asks it for entries.
"""

from netgame.errors import Malformed
from netgame.limits import WATCHERS_MAX
from netgame.protocol.log.entry import read_entry
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.wire.messages import Guests, SignedEntry


class Watchers(PeerPart):
    """Decides who may watch here, and which entries to take from guests."""

    _vouched: dict[PeerKey, tuple[bytes, ...]] = {}
    """The guests that each member says it has let in."""

    def may_come(self, key: bytes) -> bool:
        """Return True if this key needs no join code: it belongs here, or a member has let it in.

        What a peer said about its guests counts only while that peer is a member.
        """
        vouched = (keys for by, keys in self._vouched.items() if self.context.belongs(by))
        return self.context.belongs(key) or any(key in keys for keys in vouched)

    def vouches(self, member: PeerKey, key: bytes) -> bool:
        """Return True if this key is among the guests that this member last said it has let in."""
        return key in self._vouched.get(member, ())

    def may_watch(self, key: PeerKey) -> bool:
        """Return whether a peer without a seat may watch here; if not, tell it so and drop it.

        Always True if we do not belong to the table ourselves.
        """
        if not self.context.belongs(self.context.key):
            return True  # our log may not have reached the entry that seats it, or us
        if len(self.context.links.guests()) < WATCHERS_MAX:
            return True
        self._turn_away(key)
        return False

    def thin(self) -> None:
        """Once the game has begun, drop the lobby's guests beyond `WATCHERS_MAX`.

        Do nothing if we do not belong to the table ourselves.
        """
        if not self.context.in_lobby and self.context.belongs(self.context.key):
            for key in self.context.links.guests()[WATCHERS_MAX:]:
                self._turn_away(key)

    def _turn_away(self, key: PeerKey) -> None:
        self.context.outbox.send(key, NoSeat(WhyNoSeat.WATCHERS, WATCHERS_MAX).answer())
        self.context.links.drop(key, "too many watch this table already")

    def hear_guests(self, key: PeerKey, guests: tuple[bytes, ...]) -> None:
        """Store the guests that a member has let in: they need no join code here either.

        They replace the guests that it named earlier. Ignored from a peer that is not a member.
        """
        if self.context.belongs(key):
            self._vouched[key] = guests

    def tell_guests(self) -> None:
        """In a game, tell members which guests we have let in, whenever that changes.

        Do nothing if we do not belong to the table ourselves.
        """
        if self.context.in_lobby or not self.context.belongs(self.context.key):
            return
        guests: tuple[bytes, ...] = tuple(sorted(self.context.links.guests())[:WATCHERS_MAX])
        for key, peer in self.context.links.peers.items():
            if peer.greeted and self.context.belongs(key) and peer.guests != guests:
                peer.guests = guests
                self.context.outbox.send(key, Guests(guests))

    def vetted(self, key: PeerKey, entries: tuple[SignedEntry, ...]) -> tuple[SignedEntry, ...]:
        """Return the entries from this peer that may be judged or held: all, unless it is a guest.

        If one of a guest's entries ends its link, the entries after that one are left out.
        """
        if not self.context.is_guest(key):
            return entries
        peer = self.context.links.peers[key]
        return tuple(
            signed for signed in entries if not peer.dropped and self._is_vetted(key, signed)
        )

    def _is_vetted(self, key: PeerKey, signed: SignedEntry) -> bool:
        """Return True if an entry's step is not after the due one, or if its author signed it.

        A later entry with a wrong signature ends the link; one whose author is not known yet, or of
        another epoch, is ignored. True for an unreadable entry: judging it ends the link.
        """
        try:
            entry = read_entry(signed)
        except Malformed:
            return True
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
