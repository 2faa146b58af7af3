"""What seats have said in the due step of who is missing [protocol.md §4.7].

Every word holds until the step is done; a seat has `MISSING_MAX` of them, each of a stage of its
own. They are counted as they come, by the ballot and the seats that are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from netgame.protocol.epochs.company import Company
from netgame.protocol.fold import phases
from netgame.protocol.fold.state import State
from netgame.protocol.log.entry import Entries, Entry, is_fork, is_leave, read_mask, said
from netgame.wire.messages import Leave, Missing


class Poll(NamedTuple):
    """All that decides what may be said, in one step, of who is missing.

    `present` are the seats that can say so and be said to be, `counted` those of them that can
    outvote others, `keys` those of all seats; `since` has for each the step in which it sat down
    last, from which on a word of leaving counts; `in_turn` says whether a turn is due. `wrote` has
    for each seat the last step before this one in which it has filled its slot.
    """

    step: int
    table_id: bytes
    present: frozenset[int]
    counted: frozenset[int]
    keys: tuple[bytes, ...]
    since: tuple[int, ...]
    in_turn: bool
    wrote: tuple[int, ...] = ()

    def may_say_missing(self, seat: int, payload: Missing) -> bool:
        """Whether `seat` can say that these are missing in this step.

        Only who stays gives others up who are there. Half a table, or less, gives up nobody but
        seats that have all given their word to write nothing more.
        """
        present, seats = self.present, read_mask(payload.seats)
        if not seats or seat not in present - seats or not _is_of_its_ballot(payload):
            return False
        if payload.unplayed and not self.may_leave_unplayed(seats):
            return False
        if not seats <= present or self.outvotes(seats) == bool(payload.leaves):
            return False
        return not payload.leaves or self._have_left(seats, payload.leaves)

    def outvotes(self, seats: frozenset[int]) -> bool:
        """Whether more than half of those who are there would stay without these.

        Newcomers count for nothing before they have thrown the coin: nobody outvotes a table with
        keys.
        """
        return 2 * len(seats & self.counted) < len(self.counted)

    def may_leave_unplayed(self, seats: frozenset[int]) -> bool:
        """Whether a turn need not be played, as one seat would stay where all others left."""
        return self.in_turn and len(self.present) - len(seats) == 1

    def _have_left(self, seats: frozenset[int], leaves: tuple[Leave, ...]) -> bool:
        """Whether each of these seats, in their order, has given its word."""
        return len(leaves) == len(seats) and all(map(self.is_word, sorted(seats), leaves))

    def is_word(self, seat: int, leave: Leave) -> bool:
        """Whether a seat has given its word to write nothing in that step.

        It has lapsed once its seat sits down, or fills a slot, that it had said it would not.
        """
        key = self.keys[seat]
        since = max(self.since[seat], self.wrote[seat] + 1)
        return since <= leave.step <= self.step and is_leave(leave, key, self.table_id)


def poll_of(state: State) -> Poll:
    """What the due step has to do with who is missing; in the lobby and at the end nobody is."""
    poll = poll_at(state.company, state.step, state.table_id, in_turn=is_in_turn(state))
    if state.phase is phases.Phase.OVER:
        return poll._replace(present=frozenset(), counted=frozenset())
    return poll


def is_in_turn(state: State) -> bool:
    """Whether a turn is due, or a call that ends one."""
    return isinstance(state.now, phases.Playing | phases.ShowingOpenings | phases.HearingCalls)


def poll_at(company: Company, step: int, table_id: bytes, *, in_turn: bool) -> Poll:
    """What it has to do with who is missing in a step of the game."""
    epoch = company.at(step)
    return Poll(
        step=step,
        table_id=table_id,
        present=frozenset(epoch.present),
        counted=frozenset(epoch.present) - epoch.guests,
        keys=epoch.keys,
        since=tuple(company.sits_since(step, key) for key in epoch.keys),
        in_turn=in_turn,
    )


def newcomers(state: State) -> frozenset[int]:
    """Who has yet to sign for the first time, while the table forms: all but the host at first."""
    match state.now:
        case phases.Forming(phases.FirstTable()):
            return frozenset(state.present) - {state.seat_of(state.host)}
        case _:
            return state.newcomers


def _is_of_its_ballot(payload: Missing) -> bool:
    """Whether it is of a ballot in which it can be said: nobody closes whole in the first."""
    if payload.whole:
        return payload.ballot > 0 and not payload.unplayed
    return not payload.unplayed or payload.ballot == 0


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

    def of(self, naming: Naming) -> Entries:
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
