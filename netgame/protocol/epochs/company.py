"""The seats of a table, epoch by epoch [protocol.md §4.4, §4.7, §4.8].

An *epoch* is a run of steps under one id; each of its steps is closed by all its authors. Until the
lobby closes the host writes alone, under the table's id; `close` fixes the seats that decide from
then on. Every other epoch is opened by a poll of the epoch before it (`cut`): either a coin has
fallen and names the epoch, or some seats go. So one tuple of epochs, ordered by first step, tells
who may sign in a step, and under which id.

Within an epoch the last scores may give seats. The tuple then has a second value with the same id
and a later first step, in which the new keys are *guests*. Guests sign what all sign. They have no
vote until a session begins whose coin was thrown after more than half of the voters had named them.
So the voters of an epoch are always those of its beginning.
"""

from __future__ import annotations

import math
from functools import cached_property

from msgspec import structs

from netgame.crypto.coin import seat_order
from netgame.crypto.transcript import Tag, digest
from netgame.frozen import FrozenStruct
from netgame.wire.statements import bit, seats_in


class Epoch(FrozenStruct, dict=True):
    """The id and the seats that apply from step `first` on, until the next epoch begins."""

    first: int
    id: bytes
    session: bytes
    """The id that the last coin gave; before that, the table's."""
    keys: tuple[bytes, ...] = ()
    """By seat number; empty in the lobby, where the host alone writes. Before the first coin they
    are in the order of the roster, later in the seat order that the coin gave."""
    gone: frozenset[int] = frozenset()
    """The seats that have left for good."""
    guests: frozenset[int] = frozenset()
    """The seats that are there and have no vote yet."""

    @cached_property
    def present(self) -> tuple[int, ...]:
        """The seats that have not left for good, in ascending order; empty in the lobby."""
        return tuple(seat for seat in range(len(self.keys)) if seat not in self.gone)

    @cached_property
    def here(self) -> tuple[bytes, ...]:
        """The keys of the seats that have not left for good, in the order of `present`."""
        return tuple(self.keys[seat] for seat in self.present)

    @cached_property
    def voters(self) -> int:
        """The bit set of the seats that vote on who goes on: all present except guests."""
        return sum(bit(seat) for seat in self.present if seat not in self.guests)

    def seat_of(self, key: bytes) -> int | None:
        """Return the seat of a key, present or gone, or None if it has none."""
        return self.keys.index(key) if key in self.keys else None

    def bit_of(self, key: bytes) -> int:
        """Return the bit set of the seat of a key, present or gone; empty if it has none."""
        seat = self.seat_of(key)
        return 0 if seat is None else bit(seat)

    def has(self, key: bytes) -> bool:
        """Return True if this key has a seat and has not left for good."""
        return key in self.here


def epoch_id(before: bytes, goes: int, step: int, head: bytes) -> bytes:
    """Return the id, of 64 octets, of the epoch that a cut opens.

    `before` is the id of the epoch that is cut, and `goes` the bit set of the seats that go. The
    log is cut at `step`, which follows `head`.
    """
    return digest(Tag.EPOCH, before, goes, step, head)


class Company(FrozenStruct):
    """All epochs of a table so far, the oldest first."""

    epochs: tuple[Epoch, ...]

    @classmethod
    def of_table(cls, table_id: bytes) -> Company:
        """Return the company of a new table: nobody has a seat, and entries carry its id."""
        return cls((Epoch(0, table_id, table_id),))

    @property
    def now(self) -> Epoch:
        """The epoch of the due step."""
        return self.epochs[-1]

    def at(self, step: int) -> Epoch:
        """Return the epoch of a step; for a step still to come, the present epoch."""
        # Of two that begin at one step the later counts: no step was written in the earlier.
        return next(epoch for epoch in reversed(self.epochs) if epoch.first <= step)

    def then(self, first: int, **changes: object) -> Company:
        """Return this company with one further epoch: the present one with `changes`.

        It begins at step `first`.
        """
        epoch = structs.replace(self.now, first=first, **changes)
        return Company((*self.epochs, epoch))

    def without(self, goes: int, step: int, head: bytes) -> Company:
        """Return this company after a cut by which the seats in the bit set `goes` have left.

        `step`, which follows `head`, was due at the cut; a new epoch begins with it.
        """
        new_id, goes_now = epoch_id(self.now.id, goes, step, head), frozenset(seats_in(goes))
        gone, guests = self.now.gone | goes_now, self.now.guests - goes_now
        return self.then(step, id=new_id, gone=gone, guests=guests)

    def with_session(
        self, first: int, session: bytes, voting: frozenset[int] = frozenset()
    ) -> Company:
        """Return this company with an epoch from step `first` on, in the session that a coin named.

        After the first coin, the keys are those of the seats still present, in the order that the
        coin gives, and nobody is gone. A later coin leaves the seats as they are, and the guests in
        `voting` become voters.
        """
        now = self.now
        named = {"id": session, "session": session}
        if self.sessions:
            return self.then(first, **named, guests=now.guests - voting)
        keys = seat_order(session, now.here)
        return self.then(first, **named, keys=keys, gone=frozenset())

    def with_guests(self, first: int, asked: tuple[bytes, ...]) -> Company:
        """Return this company with the keys `asked` as guests from step `first` on.

        A key that had a seat has it again, and is not gone any more. The others are given new seats
        at the end, in the order of H("seat", session, key). Earlier guests remain guests.
        """
        now = self.now
        strangers = tuple(key for key in asked if now.seat_of(key) is None)
        keys = (*now.keys, *seat_order(now.session, strangers))
        came = frozenset(map(keys.index, asked))
        return self.then(first, keys=keys, gone=now.gone - came, guests=now.guests | came)

    def without_guests(self, first: int, before: Epoch) -> Company:
        """Return this company with the seats of an earlier epoch, without guests that came later.

        Seats that have gone since `before`, the earlier epoch, stay gone. The new epoch begins at
        `first`, under the present id.
        """
        # A seat that existed only for a guest is no longer a seat, so it is not among the gone.
        gone = before.gone | self.now.gone & frozenset(range(len(before.keys)))
        return self.then(first, keys=before.keys, gone=gone, guests=before.guests - gone)

    def began(self, epoch_id: bytes) -> int:
        """Return the first step that is written by the seats of the epoch with this id.

        Steps of the lobby, which the host writes alone, do not count unless the lobby is still
        open. Raises IndexError if no epoch has this id.
        """
        # The lobby and the roster after it have one id, the table's; guests have that of their
        # epoch.
        of_id = [epoch for epoch in self.epochs if epoch.id == epoch_id]
        return next((epoch.first for epoch in of_id if epoch.voters), of_id[0].first)

    def number_of(self, epoch_id: bytes) -> int:
        """Return the position, from 0, of the last epoch with this id; -1 if no epoch has it."""
        numbers = (n for n, epoch in enumerate(self.epochs) if epoch.id == epoch_id)
        return max(numbers, default=-1)

    def newcomers(self, epoch_id: bytes) -> frozenset[int]:
        """Return the guests, in the last epoch of this id, that came after its session had begun.

        Empty if no epoch has this id.
        """
        number = self.number_of(epoch_id)
        if number < 0:
            return frozenset()
        last = self.epochs[number]
        # While the lobby is open nobody has a seat.
        since = [e for e in self.epochs[: number + 1] if e.session == last.session and e.keys]
        return frozenset(
            seat for seat in last.guests if not all(seat in each.present for each in since)
        )

    def first_behind(self, epoch_id: bytes) -> float:
        """Return the first step after the last epoch of this id; infinite if none follows."""
        number = self.number_of(epoch_id)
        later = self.epochs[number + 1 :] if number >= 0 else ()
        return next((float(epoch.first) for epoch in later), math.inf)

    def seated_at(self, key: bytes) -> tuple[int, int] | None:
        """Return the first step and the position of the epoch in which a key last sat down.

        None if it has no seat now. A guest that loses its seat and is seated again at the same
        step, because another one goes, has not sat down anew.
        """
        found: tuple[int, int] | None = None
        behind = math.inf
        for number in range(len(self.epochs) - 1, -1, -1):
            epoch = self.epochs[number]
            if epoch.has(key):
                found = epoch.first, number
            elif epoch.first != behind:
                break
            behind = epoch.first
        return found

    def of_id(self, epoch_id: bytes) -> Epoch | None:
        """Return the last epoch of this id, or None if no epoch has it."""
        return next((epoch for epoch in reversed(self.epochs) if epoch.id == epoch_id), None)

    @property
    def sessions(self) -> tuple[tuple[int, bytes], ...]:
        """The first step and the id of each session, oldest first; empty before the first coin.

        From the first of these steps on, the author of an entry is a seat number.
        """
        pairs = zip(self.epochs, self.epochs[1:], strict=False)
        return tuple((new.first, new.id) for old, new in pairs if new.session != old.session)
