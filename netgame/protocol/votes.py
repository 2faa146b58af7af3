"""What seats have said in the due step of who is missing [protocol.md §4.7].

Every word holds until the step is done; a seat has `MISSING_MAX` of them, each of a stage of its
own. They are counted as they come, by the seats that are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from netgame.protocol.log import is_fork, read_mask, said
from netgame.wire.messages import Missing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from netgame.protocol.log import Entry

__all__ = ["Votes", "fork_of"]

Said = tuple[int, frozenset[int]]


def fork_of(entry: Entry, others: Iterable[Entry]) -> Entry | None:
    """Of these the one that `entry` repeats, or that cannot stand beside it."""
    same = (each for each in others if each.seat == entry.seat)
    return next((e for e in same if e.signed.body == entry.signed.body or is_fork(e, entry)), None)


class Votes(Mapping[Said, "Entry"]):
    """The entries that say who is missing, by who says so and of which seats."""

    def __init__(self) -> None:
        self._by_said: dict[Said, Entry] = {}
        self._voices: dict[frozenset[int], dict[int, Entry]] = {}

    def __copy__(self) -> Votes:
        other = Votes()
        for entry in self._by_said.values():
            other.add(entry)
        return other

    def __getitem__(self, key: Said) -> Entry:
        return self._by_said[key]

    def __iter__(self) -> Iterator[Said]:
        return iter(self._by_said)

    def __len__(self) -> int:
        return len(self._by_said)

    def add(self, entry: Entry) -> None:
        """Count one more; it is no fork of what is here."""
        seats = read_mask(said(entry, Missing).seats)
        self._by_said[entry.seat, seats] = entry
        self._voices.setdefault(seats, {})[entry.seat] = entry

    def by(self, seat: int) -> tuple[frozenset[int], ...]:
        """What a seat has said, each time, in the order in which it came."""
        return tuple(seats for sayer, seats in self._by_said if sayer == seat)

    def next_stage(self, seat: int) -> int:
        """The first stage of which nothing that this seat has said is here."""
        used = {entry.stage for (sayer, _), entry in self._by_said.items() if sayer == seat}
        return next(stage for stage in range(1, len(used) + 2) if stage not in used)

    def of(self, seats: frozenset[int]) -> tuple[Entry, ...]:
        """All that say that just these are missing, in seat order."""
        voices = self._voices.get(seats, {})
        return tuple(voices[sayer] for sayer in sorted(voices))

    def agreed(self, present: frozenset[int]) -> Iterator[frozenset[int]]:
        """The sets of seats that all others say are missing, the largest first.

        Members of the smaller of two would be given up by the larger, and so have no say in it.
        """
        for seats in sorted(self._voices, key=lambda each: (-len(each), sorted(each))):
            if present - seats <= self._voices[seats].keys():
                yield seats
