"""Whom others would go on without, as they or members for them have told [peer.md §6, 8.2]."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from netgame.protocol.log.entry import filled_mask
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.second_hand import SecondHand, keys_of
from netgame.wire.messages import Missed, PassedWishes


class ToldWish(NamedTuple):
    """Whom a member misses."""

    epoch: bytes = b""
    """The id of the epoch in which it has told so."""
    since: dict[bytes, float] = {}
    """Each key, with the time since when it has been missed."""
    followed: frozenset[bytes] = frozenset()
    """Those of them that it misses only because others do."""
    taken_back: frozenset[bytes] = frozenset()
    """Those that its player has named before, and names no more."""


class OthersWishes(PeerPart):
    """The last wish of each other seat. No seat misses itself."""

    second_hand: SecondHand
    direct: dict[bytes, ToldWish] = {}
    """By their own word; only peers with a link here."""
    _unread: dict[PeerKey, Missed] = {}
    """What peers have told of an epoch that our log has yet to come to."""
    _passed_on: dict[bytes, ToldWish] = {}
    """The wishes of seats without a link here, as members tell them to a peer without a seat."""

    def all(self) -> dict[bytes, ToldWish]:
        """All of them, as of the last time they were read."""
        return {**self._passed_on, **self.direct}

    def hear(self, key: PeerKey, missed: Missed) -> None:
        """Take a member's list of those it misses, in place of its last one.

        One of an epoch unknown here is kept until our log knows it: whoever comes late is told at
        once, and once. Ignored from a key without a seat; seats that do not exist are left out.
        """
        self._unread[key] = missed

    def forget(self, key: PeerKey) -> None:
        """Forget whom a peer misses, as its link is gone."""
        self.direct.pop(key, None)
        self._unread.pop(key, None)

    def read(self) -> frozenset[bytes]:
        """Read what has come, as far as our log has; the keys whose passed-on wish has ended."""
        for key, missed in tuple(self._unread.items()):
            if self.context.state.company.of_id(missed.id) is not None:
                self._read(key, self._unread.pop(key))
        linked, before = self.context.links.greeted(), self._passed_on
        passed = {k: v for k, v in self.second_hand.wishes().items() if k not in linked}
        self._passed_on = {key: self._wish_of(key, passed[key], before) for key in sorted(passed)}
        return frozenset(before.keys() - passed.keys() - linked)

    def _read(self, key: PeerKey, missed: Missed) -> None:
        epoch = self.context.state.company.of_id(missed.id)
        if epoch is not None and self.context.sits(key):
            wish = self._wish_of(key, keys_of(epoch, missed.seats) - {key}, self.direct)
            self.direct[key] = wish._replace(
                epoch=missed.id,
                followed=keys_of(epoch, missed.followed),
                taken_back=keys_of(epoch, missed.taken_back),
            )

    def _wish_of(
        self, sayer: bytes, keys: frozenset[bytes], noted: Mapping[bytes, ToldWish]
    ) -> ToldWish:
        """The wish to go on without these, in place of the one that is noted of the same sayer."""
        before, now = noted.get(sayer, ToldWish()).since, self.context.now
        since = {each: before.get(each, now) for each in sorted(keys)}
        return ToldWish(self.context.state.log_id, since)

    def to_pass_on(self) -> PassedWishes:
        """The wishes of those who have a link here, for a peer that may have none to them."""
        state = self.context.state
        told = ((state.seat_of(key), wish) for key, wish in self.direct.items())
        found = {s: w for s, w in told if s is not None and w.since and w.epoch == state.log_id}
        return tuple((seat, self._mask(found[seat].since)) for seat in sorted(found))

    def _mask(self, keys: Iterable[bytes]) -> bytes:
        """The mask of the seats that these keys have."""
        seats = map(self.context.state.seat_of, keys)
        return filled_mask(seat for seat in seats if seat is not None)
