"""Every way in which the seats of a small table can decide, found with the real code.

A state is the set of all that has been signed. A seat may have received any part of it, so loss,
order, repetition, partition and a crash that keeps the disk are all covered. A seat that has lost
its disk just signs nothing more. Only `cut` and `voter` decide what a seat may sign. A liar signs
anything well formed. A seat writes its entry when its log gets there, and its log ends anywhere
between what it has shown and what all have signed.

In each state this must hold: two decided values are the same, or the liar has signed a pair that
convicts it; no honest seat has signed such a pair; no value stops the log before a step that all
had closed; and a seat that accepts a fresh value did not have the steps that this value takes back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, permutations, product

from msgspec.structs import replace

from netgame.protocol.epochs import cut as rules
from netgame.protocol.epochs import voter as votes
from netgame.protocol.epochs.pairs import Written, convicting, went_on
from netgame.wire.statements import (
    NOTHING,
    Accept,
    Ballot,
    Parting,
    Promise,
    Proposal,
    Statement,
    bit,
    seats_in,
)
from tests.netgame.protocol.epochs.small import Broken, Chain, Table, head

ID = bytes(64)

State = int
"""A bit for each statement or entry that has been signed."""


@dataclass
class Search:
    """All that can be signed at a table, numbered as it is found."""

    table: Table
    items: list[Statement | Written] = field(default_factory=list)
    numbers: dict[Statement | Written, int] = field(default_factory=dict)
    of_seat: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cut = rules.Cut(self.table.company, Chain(self.table))
        self.names: dict[int, bytes] = {}
        self.kinds = dict.fromkeys((Promise, Parting, Proposal, Accept, Written), 0)
        self.honest = [s for s in range(self.table.seats) if s != self.table.liar]
        self.bound = lru_cache(200_000)(self._bound)
        self.moves_of = lru_cache(400_000)(self._moves_of)
        self.proposals_of = lru_cache(400_000)(self._proposals_of)
        self.clashes: dict[int, int] = {}
        self.conflicts = 0
        self.values = set[rules.Value]()
        self.stands_for: dict[object, int] = {}
        same = [s for s in range(self.table.seats) if self._is_like_others(s)]
        self.turns = [dict(zip(same, turned, strict=True)) for turned in permutations(same)][1:]
        self.turned = [dict[int, int]() for _ in self.turns]

    # ---- items ----

    def number(self, item: Statement | Written) -> int:
        """Return the number of an item; give it the next number if it is new."""
        if item in self.numbers:
            return self.numbers[item]
        number = self.numbers[item] = len(self.items)
        self.items.append(item)
        seat = item.ballot.owner if isinstance(item, Proposal) else item.seat
        self.of_seat[seat] = self.of_seat.get(seat, 0) | 1 << number
        self.kinds[type(item)] |= 1 << number
        if not isinstance(item, Written):
            self.names[number] = number.to_bytes(64)
            self.cut.add(self.names[number], item)
        self.clashes[number] = 0
        for other, before in enumerate(self.items[:-1]):
            if self._convicts(item, before):
                self.clashes[number] |= 1 << other
                self.clashes[other] |= 1 << number
        return number

    def _convicts(self, one: Statement | Written, other: Statement | Written) -> bool:
        if isinstance(one, Written) and isinstance(other, Written):
            return False
        if isinstance(one, Written) or isinstance(other, Written):
            said, entry = (other, one) if isinstance(one, Written) else (one, other)
            is_said = isinstance(said, Promise | Parting) and isinstance(entry, Written)
            return bool(is_said and went_on(said, entry))
        return convicting(one, other, self.cut.proposal) is not None

    def each(self, state: State, kind: type) -> Iterator[int]:
        """Yield the numbers of all items of a kind in a state."""
        left = state & self.kinds[kind]
        while left:
            low = left & -left
            yield low.bit_length() - 1
            left ^= low

    # ---- seats that are alike ----

    def _is_like_others(self, seat: int) -> bool:
        """Return True if this seat is interchangeable with others: swapping them changes nothing.

        Such a seat owns no ballot and is not the liar. The table's wishes, steps and leavers must
        each include all such seats or none. Always False if the table is `exact`.
        """
        table = self.table
        own = seat == table.liar or any(each.owner == seat for each in table.ballots)
        sets = (*table.wishes, *table.steps, table.leavers)
        others = [s for s in range(table.seats) if all(s != b.owner for b in table.ballots)]
        alike = sum(bit(s) for s in others if s != table.liar)
        return not own and not table.exact and all(each & alike in (0, alike) for each in sets)

    def _turn(self, which: int, number: int) -> int:
        """Return the number of the item that this one becomes when like seats change places.

        `which` is the number of the permutation.
        """
        known = self.turned[which].get(number)
        if known is None:
            turn = self.turns[which]

            def name(before: bytes) -> bytes:
                if before == NOTHING:
                    return NOTHING
                return self.names[self._turn(which, int.from_bytes(before))]

            item = self.items[number]
            match item:
                case Written():
                    new = item._replace(seat=turn.get(item.seat, item.seat))
                case Accept():
                    new = replace(
                        item, seat=turn.get(item.seat, item.seat), proposal=name(item.proposal)
                    )
                case Promise():
                    new = replace(
                        item,
                        seat=turn.get(item.seat, item.seat),
                        without=_turned(item.without, turn),
                        accepted=name(item.accepted),
                    )
                case Parting():
                    new = replace(
                        item, seat=turn.get(item.seat, item.seat), accepted=name(item.accepted)
                    )
                case Proposal():
                    counted = tuple(map(name, item.counted))
                    new = replace(item, goes=_turned(item.goes, turn), counted=counted)
                    value = rules.Value(new.goes, new.step, new.head)
                    key = (new.ballot, value, self.cut.is_fresh(item), ())
                    if key in self.stands_for:
                        new = self.items[self.stands_for[key]]
                    else:
                        self.stands_for[key] = self.number(new)
            known = self.turned[which][number] = self.number(new)
        return known

    def alike(self, state: State) -> State:
        """Return the least of the states that differ only by exchanging seats that are alike."""
        least = state
        numbers = seats_in(state) if self.turns else ()
        for which, known in enumerate(self.turned):
            other = 0
            for number in numbers:
                at = known.get(number)
                other |= 1 << (self._turn(which, number) if at is None else at)
            least = min(least, other)
        return least

    # ---- what a seat may do ----

    def _bound(self, seat: int, own: State) -> tuple[votes.Voter, int, int]:
        """Return a seat's voter, the lowest step at which its log can end, and what it has written.

        The last is a bit set of the steps at which the seat has an entry.
        """
        said = list(map(self.items.__getitem__, seats_in(own)))
        statements = [each for each in said if not isinstance(each, Written)]
        voter = votes.voter(seat, statements, self.cut.statements)
        shown = [1]
        for each in said:
            if isinstance(each, Accept):
                shown.append(self.cut.proposal(each.proposal).step)
            elif not isinstance(each, Proposal):
                shown.append(each.step)
        written = sum(bit(each.step) for each in said if isinstance(each, Written))
        return voter, max(shown), written

    def reach(self, state: State) -> int:
        """Return the step that is due for a seat that has received all entries."""
        by_step: dict[int, int] = {}
        for number in self.each(state, Written):
            entry = self.items[number]
            by_step[entry.step] = by_step.get(entry.step, 0) | bit(entry.seat)
        for at, authors in enumerate(self.table.steps, start=1):
            if by_step.get(at, 0) & authors != authors:
                return at
        return len(self.table.steps) + 1

    def moves(self, state: State) -> Iterator[int]:
        """Yield the numbers of the items that can be signed next; some may be signed already."""
        reach = self.reach(state)
        opened = 0
        for number in self.each(state, Promise):
            promise = self.items[number]
            if promise.seat == promise.ballot.owner:
                opened |= bit(self.table.ballots.index(promise.ballot))
        proposals = state & self.kinds[Proposal]
        for seat in self.honest:
            own = state & self.of_seat.get(seat, 0)
            yield from self.moves_of(seat, own, reach, opened, proposals)
        said = state & (self.kinds[Promise] | self.kinds[Parting])
        for at, ballot in enumerate(self.table.ballots):
            if opened & bit(at):
                done = state & self.of_seat[ballot.owner] & self.kinds[Proposal]
                yield from self.proposals_of(ballot, said, done)
        if self.table.liar is not None:
            yield from self._lies(state)

    def _moves_of(
        self, seat: int, own: State, reach: int, opened: int, proposals: State
    ) -> tuple[int, ...]:
        voter, floor, written = self.bound(seat, own)
        found: list[int] = []
        ends = [
            votes.LogEnd(step, head(step), bool(written & bit(step)))
            for step in range(floor, reach + 1)
        ]
        for end in ends:
            found += self._entry(voter, end)
            *_, last = end.of(voter)
            if bit(seat) & self.table.leavers and not voter.left:
                found.append(self.number(self._parting(voter, end, last)))
            for at, ballot in enumerate(self.table.ballots):
                if not (ballot.owner == seat or opened & bit(at)):
                    continue
                if votes.may_promise(self.cut, voter, ballot):
                    found += [
                        self.number(self.promise(voter, ballot, end, last, wish))
                        for wish in self.table.wishes
                        if not wish & bit(seat)
                    ]
        for number in seats_in(proposals):
            name, proposal = self.names[number], self.items[number]
            if proposal.step <= reach:
                step = max(floor, proposal.step)
                end = votes.LogEnd(step, head(step), bool(written & bit(step)))
                may_accept = votes.may_accept(self.cut, voter, name)
                if may_accept and not votes.takes_back(self.cut, proposal, end):
                    found.append(self.number(Accept(ID, 0, seat, name)))
        return tuple(found)

    def _entry(self, voter: votes.Voter, end: votes.LogEnd) -> list[int]:
        step = end.step
        is_due = step <= len(self.table.steps) and self.table.steps[step - 1] & bit(voter.seat)
        if not is_due or end.has_signed or not voter.may_write(step):
            return []
        return [self.number(Written(voter.seat, 0, step, head(step)))]

    def promise(
        self, voter: votes.Voter, ballot: Ballot, end: votes.LogEnd, last: int, wish: int
    ) -> Promise:
        """Return the promise of a seat whose log ends at `end`, naming the seats in `wish`."""
        place = (end.step, end.head, last, wish)
        return Promise(ID, 0, voter.seat, ballot, *place, voter.accepted)

    def _parting(self, voter: votes.Voter, end: votes.LogEnd, last: int) -> Parting:
        place = (end.step, end.head, last)
        return Parting(ID, 0, voter.seat, voter.promised, *place, voter.accepted)

    def _proposals_of(self, ballot: Ballot, said: State, done: State) -> tuple[int, ...]:
        """Return the numbers of the proposals that a ballot's owner may sign, one for each value.

        A fresh value and the same value taken over from a lower ballot are two. With `exact`, there
        is one for each set of statements that it may count.
        """
        is_honest = ballot.owner != self.table.liar
        mine = [self.items[n] for n in seats_in(done)]
        if is_honest and any(each.ballot == ballot for each in mine):
            return ()
        items = [self.items[n] for n in seats_in(said)]
        promised = max(p.ballot for p in items if isinstance(p, Promise) and p.seat == ballot.owner)
        has_left = any(isinstance(p, Parting) and p.seat == ballot.owner for p in items)
        if is_honest and (promised != ballot or has_left):
            return ()
        counted = [
            n
            for n in seats_in(said)
            if isinstance(self.items[n], Parting) or self.items[n].ballot == ballot
        ]
        found = set[int]()
        for size in range(1, len(counted) + 1):
            for some in combinations(counted, size):
                those = [self.items[n] for n in some]
                value = self.cut.value(ballot, those)
                if value is None:
                    continue
                is_fresh = not any(each.accepted for each in those)
                names = tuple(self.names[n] for n in some)
                key = (ballot, value, is_fresh, names if self.table.exact else ())
                if key not in self.stands_for:
                    self.stands_for[key] = self.number(Proposal(ID, 0, ballot, *value, names))
                    assert self.cut.validity(self.names[self.stands_for[key]]) is COUNTS
                found.add(self.stands_for[key])
        return tuple(found)

    def _lies(self, state: State) -> Iterator[int]:
        """Yield the number of each well-formed item that the liar can sign."""
        liar, table = self.table.liar, self.table
        if (state & self.of_seat.get(liar, 0)).bit_count() >= table.lies:
            return
        names = [(self.names[n], self.items[n]) for n in self.each(state, Proposal)]
        for name, _ in names:
            yield self.number(Accept(ID, 0, liar, name))
        before = [NOTHING, *(name for name, _ in names)]
        lies: list[Statement] = []
        for step, ballot in product(range(1, len(table.steps) + 2), table.ballots):
            for accepted, wish in product(before, table.wishes):
                place = (step, head(step), step - 1, wish)
                lies.append(Promise(ID, 0, liar, ballot, *place, accepted))
        if bit(liar) & table.leavers:
            for promised, accepted in product((rules.NO_BALLOT, *table.ballots), before):
                lies.append(Parting(ID, 0, liar, promised, 1, head(1), 0, accepted))
        for ballot in table.ballots:
            if ballot.owner == liar:
                lies += self._false_proposals(state, ballot)
        yield from (number for lie in lies if (number := self._lie(lie)) is not None)
        for step, authors in enumerate(table.steps, start=1):
            if authors & bit(liar):
                yield self.number(Written(liar, 0, step, head(step)))

    def _false_proposals(self, state: State, ballot: Ballot) -> Iterator[Proposal]:
        """Yield a proposal for each wish and each set of statements that can be counted.

        Each proposal stops the log at step 1.
        """
        said = [*self.each(state, Promise), *self.each(state, Parting)]
        values = [rules.Value(goes, 1, head(1)) for goes in self.table.wishes]
        for size in range(1, min(len(said), self.table.seats) + 1):
            for some in combinations(said, size):
                for value in values:
                    yield Proposal(ID, 0, ballot, *value, tuple(self.names[n] for n in some))

    def _lie(self, lie: Statement) -> int | None:
        """Return the number of a lie that honest seats accept, or None if they would ignore it."""
        if lie in self.numbers:
            return self.numbers[lie]
        if self.cut.judge(lie) is not COUNTS:
            return None
        if not isinstance(lie, Proposal):
            return self.number(lie)
        value = rules.Value(lie.goes, lie.step, lie.head)
        names = lie.counted if self.table.exact else ()
        key = (lie.ballot, value, self.cut.is_fresh(lie), names)
        if key not in self.stands_for:
            self.stands_for[key] = self.number(lie)
        return self.stands_for[key]

    # ---- what must hold ----

    def check(self, state: State, new: int) -> None:
        """Raise `Broken` if the last item signed, `new`, breaks a rule of the module docstring."""
        item = self.items[new]
        seat = item.ballot.owner if isinstance(item, Proposal) else item.seat
        if seat != self.table.liar and self.clashes[new] & state:
            raise Broken(f"an honest seat {seat} has signed a pair that convicts it")
        if isinstance(item, Accept):
            self._check_accept(state & ~(1 << new), item)
        if isinstance(item, Accept | Parting | Written):
            self._check_decided(state)

    def _check_accept(self, before: State, accept: Accept) -> None:
        """Raise `Broken` if an honest seat accepts a fresh value that takes back its own steps."""
        proposal = self.cut.proposal(accept.proposal)
        _, had, _ = self.bound(accept.seat, before & self.of_seat.get(accept.seat, 0))
        takes_back = proposal.goes and proposal.step < had and self.cut.is_fresh(proposal)
        if takes_back and accept.seat != self.table.liar:
            raise Broken(f"seat {accept.seat} accepts that its own log is cut")

    def _check_decided(self, state: State) -> None:
        accepts: dict[bytes, int] = {}
        for number in self.each(state, Accept):
            accept = self.items[number]
            accepts[accept.proposal] = accepts.get(accept.proposal, 0) | bit(accept.seat)
        if not accepts:
            return
        partings = [self.items[n] for n in self.each(state, Parting)]
        decided = [
            proposal
            for name, seats in accepts.items()
            if self.cut.is_decided_by(proposal := self.cut.proposal(name), seats, partings)
        ]
        values = {rules.Value(each.goes, each.step, each.head) for each in decided}
        self.values |= values
        if len(values) > 1:
            self.conflicts += 1
            if not self._is_convicted(state, decided):
                raise Broken(f"two values are decided: {sorted(values)}")
        for proposal in decided:
            if proposal.goes:
                self._check_cut(state, proposal)

    def _check_cut(self, state: State, value: Proposal) -> None:
        """Raise `Broken` if a decided value removes seats although the rules forbid it.

        It must not stop the log at a final step, or before a step that all have signed. More than
        half of the seats that have not parted must have named each such seat that goes.
        """
        if value.step in self.table.final:
            raise Broken("somebody goes where nobody can")
        for step in range(value.step, self.reach(state)):
            if step > value.step and self.table.steps[step - 1] == self.table.company:
                raise Broken(f"step {step}, which all have closed, is after the cut")
        parted = sum({bit(self.items[n].seat) for n in self.each(state, Parting)})
        named_by = [self.cut.statements[name] for name in self._goes_back_to(value)]
        promises = [each for each in named_by if isinstance(each, Promise)]
        for goer in seats_in(value.goes & ~parted):
            named = {each.seat for each in promises if each.without & bit(goer)}
            if 2 * len(named) <= (self.table.company & ~parted).bit_count():
                raise Broken(f"seat {goer} goes, and half of the table or less has named it")

    def _is_convicted(self, state: State, decided: list[Proposal]) -> bool:
        """Return True if the liar's signatures convict it.

        With `exact`, only its partings and the signatures in the two certificates count.
        """
        liar = self.table.liar
        if liar is None:
            return False
        own = state & self.of_seat.get(liar, 0)
        if self.table.exact:
            shown = {name for each in decided for name in self._goes_back_to(each)}
            names = {self.cut_name(each) for each in decided}
            own = sum(
                1 << n
                for n in seats_in(own)
                if self.names.get(n) in shown | names
                or (isinstance(self.items[n], Accept) and self.items[n].proposal in names)
                or isinstance(self.items[n], Parting)
            )
        return any(self.clashes[n] & own for n in seats_in(own))

    def cut_name(self, proposal: Proposal) -> bytes:
        """Return the name of a proposal."""
        return self.names[self.numbers[proposal]]

    def _goes_back_to(self, proposal: Proposal) -> Iterator[bytes]:
        for name in proposal.counted:
            yield name
            accepted = self.cut.statements[name].accepted
            if accepted:
                yield accepted
                yield from self._goes_back_to(self.cut.proposal(accepted))

    # ---- the ways through ----

    def step(self, state: State, new: int) -> State:
        """Return the state with one more item signed.

        Raise `Broken`, with all items in a note, if the item breaks a rule.
        """
        after = state | 1 << new
        try:
            self.check(after, new)
        except Broken as broken:
            broken.add_note("\n".join(f"{n}: {self.items[n]}" for n in seats_in(after)))
            raise
        return after

    def all(self, most: int = 10**9) -> int:
        """Visit all states, or stop soon after `most` are found; return how many were found.

        Raise `Broken` at the first that breaks a rule.
        """
        seen, todo = {0}, [0]
        while todo and len(seen) < most:
            state = todo.pop()
            for new in self.moves(state):
                if not state >> new & 1:
                    after = self.alike(state | 1 << new)
                    if after not in seen:
                        self.step(state, new)
                        seen.add(after)
                        todo.append(after)
        return len(seen)


COUNTS = rules.Validity.COUNTS


def _turned(seats: int, turn: dict[int, int]) -> int:
    return sum(bit(turn.get(seat, seat)) for seat in seats_in(seats))
