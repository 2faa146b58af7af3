"""The polls of a log: signed statements on who goes on, judged as they come [§4.7].

`Poll` holds the signed statements and finds pairs that convict; `cut` says what they decide. A
statement for a poll that is over decides nothing any more, but a pair may still convict a seat that
helped to decide something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from msgspec import Struct

from netgame.limits import STATEMENTS_PER_SEAT_MAX
from netgame.protocol.epochs.company import Company
from netgame.protocol.epochs.cut import (
    Cut,
    LogBelow,
    Validity,
    carried,
    is_quorum,
    may_stand,
    names,
)
from netgame.protocol.epochs.pairs import convicting
from netgame.protocol.log.entry import ReceivedStatement
from netgame.protocol.log.fault import CheckCode, Fault, FaultKind, Finding
from netgame.protocol.state.phases import Phase
from netgame.wire.statements import (
    Accept,
    Ballot,
    Parting,
    Promise,
    Proposal,
    Statement,
    author,
    bit,
)


class Reception(Enum):
    """The outcome of hearing a statement for which no fault is returned."""

    NEWS = "news"
    """It is held from now on."""
    KNOWN = "known"
    """It was held before."""
    LATER = "later"
    """It belongs to a poll or an epoch that has not begun here."""
    STRAY = "stray"
    """Its author has no seat in its epoch, or may not sign such a statement."""
    OLD = "old"
    """It convicts nobody, and either its poll is over or the poll has statements of its seat that
    matter more."""
    FORGED = "forged"
    """Its signature does not fit."""


class Decision(NamedTuple):
    """A poll that is over: its decision, and the statements that show it."""

    proposal: Proposal
    """The proposal that was accepted."""
    said: tuple[ReceivedStatement, ...]
    """The certificate of its acceptance. Each statement comes after those it goes back to; the
    accepts come last."""
    book: Poll
    """The poll itself, with statements that come later: these can only convict."""
    round_number: int
    """The round in play, from 0."""
    phase: Phase
    """The phase in which the log stops."""
    owing: frozenset[int]
    """The seats that owed an entry there."""

    @property
    def step(self) -> int:
        """The step that was due where the log stops."""
        return self.proposal.step

    @property
    def goes(self) -> int:
        """The bit set of the seats that go; 0 if nobody does."""
        return self.proposal.goes


class Poll(Struct, eq=False):
    """The statements held of one poll, open or over."""

    id: bytes
    """The id of its epoch."""
    number: int
    """Its number in that epoch, from 0."""
    cut: Cut
    """Says which of the statements count, and what they decide."""
    said: dict[bytes, ReceivedStatement] = {}
    """By name, including the partings of earlier polls that still count."""
    first_opened: Ballot | None = None
    """The lowest ballot that its owner has opened, even if that promise is no longer held."""
    _carried: dict[bytes, Parting] = {}
    """The partings of earlier polls in their form for this one, by name."""
    _refuted: set[bytes] = set()
    """The false statements that `shown` has found."""
    _untold: list[Fault] = []
    """Faults that `shown` has found and not returned yet."""
    _rivals: dict[bytes, ReceivedStatement] = {}
    """The later halves of pairs, by name: they are not held, but a decision may go back to them."""

    @classmethod
    def begin(
        cls,
        company: Company,
        number: int,
        log: LogBelow,
        partings: Iterable[ReceivedStatement] = (),
    ) -> Poll:
        """Return a new poll of the present epoch, which holds only `partings` of earlier polls.

        Those that do not count now, because `seat_now` is None, are left out.
        """
        epoch = company.now
        poll = cls(epoch.id, number, Cut(epoch.voters, log, sum(map(bit, epoch.guests))))
        for each in partings:
            seat, parting = seat_now(company, each), each.statement
            if seat is not None and isinstance(parting, Parting):
                poll._carried[each.name] = carried(parting, seat, poll.id, number)
                poll.add(each)
        return poll

    def decision(
        self, proposal: Proposal, round_number: int, phase: Phase, owing: frozenset[int]
    ) -> Decision:
        """Return the decision for this accepted proposal, with its certificate."""
        said = tuple(self.said[name] for name in self.cut.certificate(proposal))
        return Decision(proposal, said, self, round_number, phase, owing)

    def following(self, company: Company) -> Poll:
        """Return the next poll, of this epoch or a new one, with the partings that still count."""
        number = self.number + 1 if company.now.id == self.id else 0
        return Poll.begin(company, number, self.cut.log, tuple(self.partings()))

    def add(self, said: ReceivedStatement) -> None:
        """Hold one more statement, without judging it or checking that there is room."""
        self.said[said.name] = said
        self.cut.add(said.name, self._carried.get(said.name, said.statement))
        self._note_opening(said.statement)

    def _note_opening(self, statement: Statement) -> None:
        if isinstance(statement, Promise) and statement.seat == statement.ballot.owner:
            self.first_opened = min(self.first_opened or statement.ballot, statement.ballot)

    def hold(self, said: ReceivedStatement) -> Reception:
        """Hold one more statement, which has been judged; return `NEWS`, or `OLD` if it is dropped.

        If the poll has no room for more of this seat's statements, partings not counted, it drops
        the one that matters least (`Cut.least`), which may be this one.
        """
        seat = author(said.statement)
        is_full = self._is_full(seat) and not isinstance(said.statement, Parting)
        self.add(said)
        if is_full:
            name = self.cut.least(seat)
            del self.said[name]
            self.cut.forget(name)
        return Reception.NEWS if said.name in self.said else Reception.OLD

    def _is_full(self, seat: int, *, partings: bool = False) -> bool:
        """Return True if there is no room for another statement of a seat.

        With `partings` that means another parting, otherwise a statement of another kind.
        """
        held = (isinstance(each.statement, Parting) is partings for each in self.by(seat))
        return sum(held) >= STATEMENTS_PER_SEAT_MAX

    def with_parting(self, company: Company, said: ReceivedStatement) -> Poll | None:
        """Return a new poll that also holds a late parting of an earlier poll.

        This poll does not change. None for any other statement, and for a parting that does not
        count now because `seat_now` is None.
        """
        if not isinstance(said.statement, Parting):
            return None
        old = [each for each in self.partings() if each.name in self._carried]
        begun = Poll.begin(company, self.number, self.cut.log, (*old, said))
        if said.name not in begun.said:
            return None
        for each in self.said.values():
            begun.add(each)
        begun.first_opened, begun._refuted = self.first_opened, self._refuted
        begun._rivals, begun._untold = self._rivals, self._untold
        return begun

    def hear_late(self, said: ReceivedStatement, key: bytes) -> Reception | Fault:
        """Hear one more statement of this poll, which is over: it can only convict.

        Return `KNOWN` if it is held already, else the fault of a pair, or `OLD`. It is held if the
        poll has room for more of its seat. Room for partings is counted apart.
        """
        if said.name in self.said:
            return Reception.KNOWN
        self._note_opening(said.statement)
        if not self._is_full(author(said.statement), partings=isinstance(said.statement, Parting)):
            self.add(said)
        return self.against(said, key) or Reception.OLD

    def is_of(self, statement: Statement) -> bool:
        """Return True if a statement belongs to this poll."""
        return (statement.id, statement.poll) == (self.id, self.number)

    def partings(self) -> Iterator[ReceivedStatement]:
        """Yield the held partings that are not false, including those of earlier polls."""
        for each in self.said.values():
            is_parting = isinstance(each.statement, Parting)
            if is_parting and self.cut.validity(each.name) is not Validity.FALSE:
                yield each

    def has_begun(self) -> bool:
        """Return True if the poll holds more than partings of earlier polls."""
        return len(self.said) > len(self._carried)

    def by(self, seat: int) -> Iterator[ReceivedStatement]:
        """Yield the statements of one seat, including its partings of earlier polls."""
        for each in self.said.values():
            # `cut` has a parting of an earlier poll under the seat that its key has now.
            if author(self.cut.statements[each.name]) == seat:
                yield each

    def opened(self) -> list[Ballot]:
        """Return the ballots that their owners have opened by promising them, as far as held."""
        promises = self.cut.of(Promise).values()
        return [each.ballot for each in promises if each.seat == each.ballot.owner]

    def behind(self, name: bytes) -> tuple[ReceivedStatement, ...]:
        """Return all held statements that this one goes back to, then itself; () if not held."""
        return tuple(self.said[each] for each in self.cut.behind(name))

    # ---- what convicts ----

    def why_false(self, said: ReceivedStatement, key: bytes) -> Fault | None:
        """Return the fault of a false statement, with all that it goes back to as evidence.

        None if it counts or waits.
        """
        if self.cut.judge(said.statement) is not Validity.FALSE:
            return None
        behind = self.cut.behind(*reversed(names(said.statement)))
        shown = (*(self.said[each] for each in behind), said)
        says = "signed in a poll what does not follow from what it names"
        return _fault(FaultKind.FALSE_STATEMENT, says, key, said.statement, shown)

    def shown(self, company: Company, by: ReceivedStatement | None = None) -> Fault | None:
        """Return the next fault found in the held statements, or None.

        It is that of a statement that waited and is now found to be false, or that of a pair. If
        `by` is a proposal that has just come, the ballot of the statements that name it is now
        known, and they may be halves of pairs. The later half of such a pair is dropped, so that
        neither a poll nor a record made from it has both halves.
        """
        found = [name for name in self.cut.proved_false() if name not in self._refuted]
        self._refuted.update(found)
        said = [self.said[name] for name in found]
        false = [self.why_false(each, key_of(company, each.statement)) for each in said]
        naming = [e for e in self.said.values() if by and by.name in names(e.statement)]
        pairs = [self._part(each, key_of(company, each.statement)) for each in naming]
        self._untold += filter(None, (*pairs, *false))
        return self._untold.pop(0) if self._untold else None

    def _part(self, said: ReceivedStatement, key: bytes) -> Fault | None:
        """Return the fault of a statement's first pair, if any, and drop the pair's later half."""
        pair = self.against(said, key) if said.name in self.said else None
        if pair is None:
            return None
        halves = pair.statements[:2]
        # `said` is in the order in which statements came.
        later = [name for name, each in self.said.items() if each.signed in halves][-1]
        self.keep_aside(self.said.pop(later))
        self.cut.take_out(later)
        return pair

    # ---- halves that came second ----

    def keep_aside(self, said: ReceivedStatement) -> None:
        """Keep the later half of a pair apart from the held statements, for `by_rivals`.

        There is a limit for each seat, which does not apply to a statement that a held proposal
        counts, or to an accept of a held proposal.
        """
        is_parting = isinstance(said.statement, Parting)
        of_kind = (
            each
            for each in self._rivals.values()
            if author(each.statement) == author(said.statement)
            and isinstance(each.statement, Parting) is is_parting
        )
        is_counted = any(said.name in each.counted for each in self.cut.of(Proposal).values())
        is_counted |= isinstance(said.statement, Accept) and said.statement.proposal in self.said
        if is_counted or len(tuple(of_kind)) < STATEMENTS_PER_SEAT_MAX:
            self._rivals[said.name] = said

    def by_rivals(self, company: Company) -> Poll | None:
        """Return this poll with statements that were kept aside if these decide it, otherwise None.

        Others may have heard a pair in the other order, and decided with the half that was kept
        aside here. If that half completes a decision, this peer must follow it, too.
        """
        if not self._rivals:
            return None
        accepted = [*self.said.values(), *self._rivals.values()]
        named = (e.statement.proposal for e in accepted if isinstance(e.statement, Accept))
        for name in dict.fromkeys(named):
            other = self._with_all_behind(company, name)
            if other is not None and other.cut.decided() is not None:
                return other
        return None

    def _with_all_behind(self, company: Company, name: bytes) -> Poll | None:
        """Return this poll with all that a proposal goes back to, and nothing that rules it out.

        The accepts of the proposal are added, and those partings kept aside that count in its
        ballot. None if too few have accepted it, if something is missing, or if nothing that was
        kept aside is needed.
        """
        here = self._rivals | self.said
        named = here.get(name)
        accepts = [
            each
            for each in here.values()
            if isinstance(each.statement, Accept) and each.statement.proposal == name
        ]
        if named is None or not self._may_be_quorum(company, accepts, here.values()):
            return None
        needed = self._closure(name, here)
        if needed is None or not isinstance(named.statement, Proposal):
            return None
        for each in accepts:
            if not self._is_ruled_out(each, needed.values()):
                needed[each.name] = each
        for each in self._rivals.values():
            is_parting = isinstance(each.statement, Parting)
            if not is_parting or self._is_ruled_out(each, needed.values()):
                continue
            cut = self._with(company, {**needed, each.name: each}).cut
            parting = cut.statements.get(each.name)
            if not isinstance(parting, Parting) or cut.validity(each.name) is not Validity.COUNTS:
                continue
            if may_stand(parting, named.statement.ballot):
                needed[each.name] = each
        if needed.keys().isdisjoint(self._rivals):
            return None
        return self._with(company, needed)

    def _may_be_quorum(
        self,
        company: Company,
        accepts: Iterable[ReceivedStatement],
        here: Iterable[ReceivedStatement],
    ) -> bool:
        """Return True if these accepts, together with all partings here, are a quorum.

        Checked first to save work: liars may propose much that too few accept.
        """
        seats = sum({bit(author(each.statement)) for each in accepts})
        away = {seat_now(company, e) for e in here if isinstance(e.statement, Parting)}
        parted = sum(bit(seat) for seat in away if seat is not None)
        voters = self.cut.company
        return is_quorum(voters, seats & voters, parted & voters & ~seats)

    def _closure(
        self, name: bytes, here: Mapping[bytes, ReceivedStatement]
    ) -> dict[bytes, ReceivedStatement] | None:
        """Return a statement and all that it goes back to, from `here`; None if one is missing."""
        needed: dict[bytes, ReceivedStatement] = {}
        stack = [name]
        while stack:
            at = stack.pop()
            said = here.get(at)
            if said is None:
                return None
            if at not in needed:
                needed[at] = said
                # A parting of an earlier poll has accepted nothing in this one.
                stack += names(said.statement) if self.is_of(said.statement) else ()
        return needed

    def _with(self, company: Company, needed: Mapping[bytes, ReceivedStatement]) -> Poll:
        """Return this poll with the `needed` statements, and without those that they rule out."""
        chosen = needed.values()
        held = [e for e in self.said.values() if not self._is_ruled_out(e, chosen)]
        old = [e for e in (*held, *chosen) if not self.is_of(e.statement)]
        other = Poll.begin(company, self.number, self.cut.log, old)
        for each in (*chosen, *held):
            if each.name not in other.said:
                other.add(each)
        other.first_opened, other._refuted = self.first_opened, self._refuted
        other._untold = self._untold
        return other

    def _is_ruled_out(self, said: ReceivedStatement, needed: Iterable[ReceivedStatement]) -> bool:
        """Return True if a `needed` statement of the same seat rules this one out."""
        seat = author(self.cut.statements.get(said.name, said.statement))
        of_seat = [each for each in needed if author(each.statement) == seat]
        # The fault itself is thrown away, so it needs no key.
        return self.against(said, b"", of_seat) is not None

    def is_parted(self) -> bool:
        """Return True if, by the statements held, quorums have accepted two different values."""
        accepted = self.cut.of(Accept).values()
        proposals = filter(None, map(self.cut.proposal, {each.proposal for each in accepted}))
        return len(set(filter(None, map(self.cut.accepted_value, proposals)))) > 1

    def against(
        self, said: ReceivedStatement, key: bytes, others: Iterable[ReceivedStatement] | None = None
    ) -> Fault | None:
        """Return the first fault that this statement and one of `others` show, or None.

        `others` are of the same seat, whose key is `key`; None means all that are held of it.
        """
        for other in self.by(author(said.statement)) if others is None else others:
            pair = convicting(other.statement, said.statement, self.cut.proposal)
            if pair is not None:
                named = dict.fromkeys(
                    each for one in (other, said) for each in self._proposals_of(one)
                )
                pair_first = (other, said, *named)
                says = f"signed {pair.value}"
                return _fault(FaultKind.PAIR, says, key, said.statement, pair_first)
        return None

    def _proposals_of(self, said: ReceivedStatement) -> Iterator[ReceivedStatement]:
        """Yield the held proposals that a statement names, which belong to its evidence."""
        for kind in ("accepted", "proposal"):
            named = self.said.get(getattr(said.statement, kind, b""))
            # A liar may name anything: evidence has nothing but the proposals (`evidence_of`).
            if named is not None and isinstance(named.statement, Proposal):
                yield named


class SaidBySeat(Struct):
    """The names of a record's statements by seat and poll; partings are counted apart [§6.1]."""

    _names: dict[tuple[bytes, int, int, bool], set[bytes]] = {}

    def has_room(self, said: ReceivedStatement) -> bool:
        """Count this statement; return True if the record has room for it.

        A statement that has been counted is not counted again.
        """
        statement = said.statement
        is_parting = isinstance(statement, Parting)
        of_seat = statement.id, statement.poll, author(statement), is_parting
        names = self._names.setdefault(of_seat, set())
        names.add(said.name)
        return len(names) <= STATEMENTS_PER_SEAT_MAX


def _fault(
    kind: FaultKind, says: str, key: bytes, statement: Statement, said: Iterable[ReceivedStatement]
) -> Fault:
    step = getattr(statement, "step", 0)
    finding = Finding(CheckCode.CUT, says)
    shown = tuple(each.signed for each in said)
    return Fault(kind, finding, key, step, (), statements=shown)


def key_at(company: Company, epoch_id: bytes, seat: int) -> bytes | None:
    """Return the key of a seat, gone or not, in the epoch of this id, or None if there is none."""
    epoch = company.of_id(epoch_id)
    return epoch.keys[seat] if epoch is not None and seat < len(epoch.keys) else None


def key_of(company: Company, statement: Statement) -> bytes:
    """Return the key that must have signed a statement; b"" if its author may not sign it.

    A guest, which has no vote, may only part, and not before the first coin that it throws: until
    then a program that lags behind would not know whose parting it is.
    """
    epoch = company.of_id(statement.id)
    seat = author(statement)
    if epoch is None or seat not in epoch.present:
        return b""
    if seat in epoch.guests:
        is_parting = isinstance(statement, Parting)
        return epoch.keys[seat] if is_parting and seat not in company.newcomers(epoch.id) else b""
    return epoch.keys[seat]


def seat_now(company: Company, parting: ReceivedStatement) -> int | None:
    """Return the present seat of the key that signed a parting.

    None if it had no seat where it parted, or has gone since then, even if it has a seat again.
    """
    key = key_of(company, parting.statement)
    left = False
    for epoch in company.epochs:
        left |= epoch.id == parting.statement.id and bool(epoch.keys)  # the lobby has none
        if left and key not in (epoch.keys[seat] for seat in epoch.present):
            return None  # it has gone; if it sits now, a coin has seated it again
    return company.now.seat_of(key)
