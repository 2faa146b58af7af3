"""Who sits at a table, and when: one epoch after the other [protocol.md §4.4, §4.7, §4.8].

An *epoch* is a run of steps in which nothing of this changes: the id that entries carry, the keys
in seat order, who of them has left for good, and who is a guest and counts for nothing yet. All
that is asked of who sat in which step, and under which id it was signed, is asked of one tuple of
epochs, in the order of their first steps. Of several that begin with one step the last one counts;
the others say that somebody was away in between, as when newcomers are lost and those who stay are
seated anew.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct, structs


class Epoch(Struct, frozen=True, dict=True):
    """From step `first` on.

    No `keys`: the lobby, in which the host alone writes. Until the first coin has fallen they are
    those of the roster, `seated` says that they have the seats it gave. `gone` and `guests` are
    seats.
    """

    first: int
    id: bytes
    keys: tuple[bytes, ...] = ()
    gone: frozenset[int] = frozenset()
    guests: frozenset[int] = frozenset()
    seated: bool = False

    @cached_property
    def present(self) -> tuple[int, ...]:
        """The seats that have not left for good, in their order."""
        return tuple(seat for seat in range(len(self.keys)) if seat not in self.gone)

    def seat_of(self, key: bytes) -> int | None:
        """The seat of a key, there or gone."""
        return self.keys.index(key) if key in self.keys else None

    def has(self, key: bytes) -> bool:
        """Whether this key sits here and has not left."""
        return self.seat_of(key) in self.present


class Company(Struct, frozen=True):
    """All epochs of a table so far; made by `of_table`."""

    epochs: tuple[Epoch, ...] = (Epoch(0, b""),)

    @classmethod
    def of_table(cls, table_id: bytes) -> Company:
        """Nobody sits yet, and entries carry the id of the table."""
        return cls((Epoch(0, table_id),))

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

    def sits_since(self, step: int, key: bytes) -> int:
        """The first step from which on this key has been here without a break up to `step`.

        A step behind it, where the key is not here at all.
        """
        since = step + 1
        for epoch in reversed(self.epochs):
            if epoch.first > step:
                continue
            if not epoch.has(key):
                break
            since = epoch.first
        return since

    @property
    def sessions(self) -> tuple[tuple[int, bytes], ...]:
        """The first step of each session, and its id, which a coin has made."""
        pairs = zip(self.epochs, self.epochs[1:], strict=False)
        return tuple((new.first, new.id) for old, new in pairs if new.id != old.id)

    @property
    def seats_step(self) -> int:
        """The first step of those whom the first coin has seated; -1 before."""
        return next((epoch.first for epoch in self.epochs if epoch.seated), -1)
