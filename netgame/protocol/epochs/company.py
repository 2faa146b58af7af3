"""Who sits at a table, and when: one epoch after the other [protocol.md §4.4, §4.7, §4.8].

An *epoch* is a run of steps under one id, in each of which all of its company write what they owe.
Until the lobby closes the host writes alone, under the table's id; `close` fixes who decides from
then on. Every other epoch is opened by a poll of the one before (`cut`): behind a coin, which names
it, or where somebody goes. So whoever asks who may sign where, and under which id, asks one tuple,
in the order of first steps.

Within an epoch the last scores may give seats: those keys are *guests*. They sign while the table
forms, decide nothing, and sit once the coin that they throw has been decided on. That makes a
second value under one id, with a later first step.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct, structs


class Epoch(Struct, frozen=True, dict=True):
    """From step `first` on.

    No `keys`: the lobby, in which the host alone writes. Until the first coin has fallen they are
    those of the roster, `seated` says that they have the seats it gave. `gone` and `guests` are
    seats; `session` is the id that the last coin has given, before that the table's.
    """

    first: int
    id: bytes
    session: bytes
    keys: tuple[bytes, ...] = ()
    gone: frozenset[int] = frozenset()
    guests: frozenset[int] = frozenset()
    seated: bool = False

    @cached_property
    def present(self) -> tuple[int, ...]:
        """The seats that have not left for good, in their order."""
        return tuple(seat for seat in range(len(self.keys)) if seat not in self.gone)

    @cached_property
    def voters(self) -> int:
        """The set of the seats that decide who goes on: those present, but guests."""
        return sum(1 << seat for seat in self.present if seat not in self.guests)

    def seat_of(self, key: bytes) -> int | None:
        """The seat of a key, there or gone."""
        return self.keys.index(key) if key in self.keys else None

    def has(self, key: bytes) -> bool:
        """Whether this key sits here and has not left."""
        return self.seat_of(key) in self.present


class Company(Struct, frozen=True):
    """All epochs of a table so far; made by `of_table`."""

    epochs: tuple[Epoch, ...] = (Epoch(0, b"", b""),)

    @classmethod
    def of_table(cls, table_id: bytes) -> Company:
        """Nobody sits yet, and entries carry the id of the table."""
        return cls((Epoch(0, table_id, table_id),))

    @property
    def now(self) -> Epoch:
        """The epoch of the due step."""
        return self.epochs[-1]

    def at(self, step: int) -> Epoch:
        """The epoch of a step; of one to come, the present one."""
        return next(epoch for epoch in reversed(self.epochs) if epoch.first <= step)

    def then(self, first: int, **changes: object) -> Company:
        """From step `first` on it is otherwise, in what is named."""
        epoch = structs.replace(self.now, first=first, **changes)
        return Company((*self.epochs, epoch))

    def began(self, epoch_id: bytes) -> int:
        """The first step of the epoch of this id in which seats decide: never one of the lobby."""
        of_id = [epoch for epoch in self.epochs if epoch.id == epoch_id]
        return next((epoch.first for epoch in of_id if epoch.voters), of_id[0].first)

    def of_id(self, epoch_id: bytes) -> Epoch | None:
        """The epoch that has this id; with guests, if it came to have any."""
        return next((epoch for epoch in reversed(self.epochs) if epoch.id == epoch_id), None)

    @property
    def sessions(self) -> tuple[tuple[int, bytes], ...]:
        """The first step of each session, and its id, which a coin has made."""
        pairs = zip(self.epochs, self.epochs[1:], strict=False)
        return tuple((new.first, new.id) for old, new in pairs if new.session != old.session)

    @property
    def seats_step(self) -> int:
        """The first step of those whom the first coin has seated; -1 before."""
        return next((epoch.first for epoch in self.epochs if epoch.seated), -1)
