"""The seats that other players would go on without, as we were told. [peer.md §6, §8.2]"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from netgame.protocol.log.entry import filled_mask
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.second_hand import SecondHand, keys_of
from netgame.wire.messages import Missed, PassedWishes


class ToldWish(NamedTuple):
    """The wish of a member to go on without some seats."""

    epoch: bytes = b""
    """The id of the epoch in which it told the wish."""
    since: dict[bytes, float] = {}
    """For each key that it misses, the time since which it has missed it."""
    followed: frozenset[bytes] = frozenset()
    """The keys that it misses only because others do."""
    taken_back: frozenset[bytes] = frozenset()
    """The keys that its player named before and no longer names."""


class OthersWishes(PeerPart):
    """The last wish of each other seat. No seat misses itself."""

    second_hand: SecondHand
    direct: dict[bytes, ToldWish] = {}
    """The wishes that peers with a link here told us themselves."""
    _unread: dict[PeerKey, Missed] = {}
    """The lists from peers that we have yet to read; our log may not know their epoch."""
    _passed_on: dict[bytes, ToldWish] = {}
    """The wishes of seats without a link here, as members tell them to a peer without a seat."""

    def all(self) -> dict[bytes, ToldWish]:
        """Return all wishes, as of the last `read`."""
        return {**self._passed_on, **self.direct}

    def hear(self, key: PeerKey, missed: Missed) -> None:
        """Take a peer's list of the seats that it misses, in place of its last one.

        The list counts once `read` has read it. A list of an epoch that our log does not know yet
        waits, because a peer tells a latecomer at once, and only once. A list from a key without a
        seat is ignored; seats that do not exist are left out.
        """
        self._unread[key] = missed

    def forget(self, key: PeerKey) -> None:
        """Forget the wish of a peer, because its link is gone."""
        self.direct.pop(key, None)
        self._unread.pop(key, None)

    def read(self) -> frozenset[bytes]:
        """Read the lists of epochs that our log knows, and the wishes passed on by members.

        Returns the keys without a link whose wish was passed on before and is no longer.
        """
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
        """Return the wish to go on without `keys`, keeping the times of the wish noted before."""
        before, now = noted.get(sayer, ToldWish()).since, self.context.now
        since = {each: before.get(each, now) for each in sorted(keys)}
        return ToldWish(self.context.state.log_id, since)

    def to_pass_on(self) -> PassedWishes:
        """Return the wishes that linked peers told in this epoch, for peers not linked to them."""
        state = self.context.state
        told = ((state.seat_of(key), wish) for key, wish in self.direct.items())
        found = {s: w for s, w in told if s is not None and w.since and w.epoch == state.log_id}
        return tuple((seat, self._mask(found[seat].since)) for seat in sorted(found))

    def _mask(self, keys: Iterable[bytes]) -> bytes:
        """Return the mask of the seats that these keys have."""
        seats = map(self.context.state.seat_of, keys)
        return filled_mask(seat for seat in seats if seat is not None)
