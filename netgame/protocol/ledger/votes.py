"""What seats have said in the due step of who is missing [protocol.md §4.7].

Every word holds until the step is done; a seat has `MISSING_MAX` of them, each of a stage of its
own. They are counted as they come, by the ballot and the seats that are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from netgame.protocol.log.entry import Entry, is_fork, read_mask, said
from netgame.wire.messages import Missing


class Naming(NamedTuple):
    """What votes are for: to close the step in this ballot without the entries of `seats`.

    `whole`: or with all entries, though `seats` do not say so.
    """

    ballot: int
    seats: frozenset[int]
    whole: bool = False


Said = tuple[int, Naming]


def naming_of(payload: Missing) -> Naming:
    """What a vote is for."""
    return Naming(payload.ballot, read_mask(payload.seats), payload.whole)


def fork_of(entry: Entry, others: Iterable[Entry]) -> Entry | None:
    """Of these the one that `entry` repeats, or that cannot stand beside it."""
    same = (each for each in others if each.seat == entry.seat)
    return next((e for e in same if e.signed.body == entry.signed.body or is_fork(e, entry)), None)


class Votes(Mapping[Said, "Entry"]):
    """The entries that say who is missing, by who says so and what for."""

    def __init__(self) -> None:
        self._by_said: dict[Said, Entry] = {}
        self._voices: dict[Naming, dict[int, Entry]] = {}

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
        naming = naming_of(said(entry, Missing))
        self._by_said[entry.seat, naming] = entry
        self._voices.setdefault(naming, {})[entry.seat] = entry

    def by(self, seat: int) -> tuple[Naming, ...]:
        """What a seat has said, each time, in the order in which it came."""
        return tuple(naming for sayer, naming in self._by_said if sayer == seat)

    def ballot_of(self, seat: int) -> int:
        """The highest ballot in which a seat has said anything; -1 before."""
        return max((naming.ballot for naming in self.by(seat)), default=-1)

    def named_by(self, seat: int, ballot: int | None = None) -> frozenset[int]:
        """All that a seat has named, in any ballot or in this one."""
        sets = (each.seats for each in self.by(seat) if ballot in (None, each.ballot))
        return frozenset[int]().union(*sets)

    def heard(self, ballot: int, own: int) -> frozenset[int]:
        """Who else has said in this ballot what `own` has said in it."""
        mine = (naming for naming in self.by(own) if naming.ballot == ballot)
        return frozenset(seat for each in mine for seat in self._voices[each]) - {own}

    def speakers(self) -> frozenset[int]:
        """Who has said anything."""
        return frozenset(seat for seat, _ in self._by_said)

    def next_stage(self, seat: int) -> int:
        """The first stage of which nothing that this seat has said is here."""
        used = {entry.stage for (sayer, _), entry in self._by_said.items() if sayer == seat}
        return next(stage for stage in range(1, len(used) + 2) if stage not in used)

    def of(self, naming: Naming) -> tuple[Entry, ...]:
        """All that say just this, in seat order."""
        voices = self._voices.get(naming, {})
        return tuple(voices[sayer] for sayer in sorted(voices))

    def lacks(self, naming: Naming, present: frozenset[int]) -> frozenset[int]:
        """Who has yet to say this before it is agreed: all that are there but those it names."""
        return present - naming.seats - self._voices.get(naming, {}).keys()

    def agreed(self, present: frozenset[int]) -> Iterator[Naming]:
        """What to close the step without all others say: of the highest ballot first, the largest.

        Members of the smaller of two would be given up by the larger, and so have no say in it.
        """
        for naming in sorted(self._voices, key=lambda e: (-e.ballot, -len(e.seats), sorted(e[1]))):
            if not naming.whole and not self.lacks(naming, present):
                yield naming
