"""One poll of a table: which seats go, and where its log stops.

The package docstring says why two decisions of a poll are always the same. This module says which
statements count, which value a proposal must have, and what has been decided. It knows neither time
nor links: the peer says when to open a ballot.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import reduce
from operator import and_, or_
from typing import Final, NamedTuple, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from netgame.wire.statements import (
    NO_BALLOT,
    NOTHING,
    Accept,
    Ballot,
    Parting,
    Promise,
    Proposal,
    Statement,
    author,
    bit,
)

S = TypeVar("S", Promise, Parting, Proposal, Accept)


class Value(NamedTuple):
    """A possible decision of a poll: who goes, and where the log stops."""

    goes: int
    """The bit set of the seats that go."""
    step: int
    """The step that is due where the log stops."""
    head: bytes
    """The digest of the step before."""


class LogBelow(Protocol):
    """The log beneath a poll, as one program has it."""

    def holds(self, step: int, head: bytes) -> bool:
        """Return True if `step` follows `head` in our log, and a cut can go back that far."""

    def is_final(self, step: int) -> bool:
        """Return True if nobody can leave at `step`: a coin has fallen, or the game is over."""


class Validity(Enum):
    """The ways in which this program treats a statement [protocol.md §4.7]."""

    COUNTS = "counts"
    WAITS = "waits"
    """Something that it rests on is not at hand yet; it may count later."""
    FALSE = "false"
    """No honest seat signs it, in any circumstances."""


NO_LOG: Final = -1
"""The step of a parting that comes from an earlier epoch, and so says nothing of this log."""


def is_quorum(company: int, seats: int, parted: int) -> bool:
    """Return True if `seats` are more than half of the company outside `parted`; all are bit sets.

    False if one of the seats has parted or is outside the company; guests that have parted change
    nothing. The caller leaves out partings that have promised a higher ballot.
    """
    if seats & parted or seats & ~company:
        return False
    return 2 * seats.bit_count() > (company & ~parted).bit_count()


class Cut(Struct, eq=False):
    """The statements of one poll that this program holds, and what follows from them.

    The caller has checked their signatures.
    """

    company: int
    """The bit set of the seats that vote."""
    log: LogBelow
    """The log beneath the poll; as it grows, statements that lacked something are judged again."""
    guests: int = 0
    """The bit set of seats that may part or be named as going, but have no vote."""
    statements: dict[bytes, Statement] = {}
    """By name. A parting of an earlier poll that still counts is here in its form for this one
    (`carried`)."""
    _validity: dict[bytes, Validity] = {}
    """By name, for statements that were judged for good: `COUNTS` or `FALSE`."""
    _waiting: dict[bytes, Validity] = {}
    """By name, for statements found to wait, while one judgement runs; empty between judgements."""

    def add(self, name: bytes, statement: Statement) -> None:
        """Hold one more statement, under its name, without judging it."""
        self.statements[name] = statement

    def proposal(self, name: bytes) -> Proposal | None:
        """Return the proposal of this name; None if it is not at hand or not a proposal."""
        found = self.statements.get(name)
        return found if isinstance(found, Proposal) else None

    def of(self, kind: type[S]) -> dict[bytes, S]:
        """Return the held statements of one kind, by name."""
        return {name: each for name, each in self.statements.items() if isinstance(each, kind)}

    # ---- what counts ----

    def validity(self, name: bytes) -> Validity:
        """Return the validity of a held statement; `WAITS` if it is not at hand.

        All statements that it goes back to are judged first, without recursion, because a liar may
        make that chain long. `COUNTS` and `FALSE` are final; a statement that waits is judged again
        at each call.
        """
        known = self._validity.get(name) or self._waiting.get(name)
        if known is None and self._waiting:
            return Validity.WAITS  # not at hand, else `behind` would have listed it earlier
        if known is None:
            self._judge_again([name])
            known = self._validity.get(name, Validity.WAITS)
        return known

    def proved_false(self) -> Iterator[bytes]:
        """Return the names of all held statements that are false.

        Statements that have not been judged yet, or waited, are judged first.
        """
        self._judge_again(name for name in self.statements if name not in self._validity)
        return (name for name in self.statements if self._validity.get(name) is Validity.FALSE)

    def _judge_again(self, starts: Iterable[bytes]) -> None:
        # This keeps `_waiting` from being empty, so `validity` knows that a judgement runs. No
        # statement has an empty name.
        self._waiting[b""] = Validity.WAITS
        # Each comes after those that it names, so their validity is known when `judge` asks.
        for each in self.behind(*starts):
            validity = self.judge(self.statements[each])
            (self._waiting if validity is Validity.WAITS else self._validity)[each] = validity
        self._waiting.clear()

    def judge(self, statement: Statement) -> Validity:
        """Return the validity of a statement, held or not.

        It is `WAITS` if a statement that it names is not held, or if our log does not contain
        the end of the log that it names.
        """
        match statement:
            case Promise() | Parting():
                validity = self._form(statement)
                is_whole = validity is not Validity.COUNTS or self._holds_log_of(statement)
                return validity if is_whole else Validity.WAITS
            case Proposal():
                return self._judge_proposal(statement)
            case Accept():
                if self.proposal(statement.proposal) is None:
                    # The name of something else can never become that of a proposal; an unknown one
                    # may.
                    known = statement.proposal in self.statements
                    return Validity.FALSE if known else Validity.WAITS
                return self.validity(statement.proposal)

    def _holds_log_of(self, said: Promise | Parting) -> bool:
        """Return True if our log contains the end of this seat's log; a fresh value needs that.

        False also for a promise to go on without seats that nobody has. True if the step is
        `NO_LOG`, and for a guest: its log may end before a step that all voters have signed.
        """
        if isinstance(said, Promise) and said.without & ~(self.company | self.guests):
            return False
        has_log = said.step != NO_LOG and bit(said.seat) & self.company
        return not has_log or self.log.holds(said.step, said.head)

    def _form(self, said: Promise | Parting) -> Validity:
        """Return the validity of a promise or parting, apart from where its log ended.

        It is `WAITS` if the proposal that the seat had accepted, or a statement that this goes back
        to, is not at hand.
        """
        ballot = self._ballot(said)
        without = said.without if isinstance(said, Promise) else 0
        owner = bit(ballot.owner)
        # Nobody has signed beyond the due step or names itself, and the owner of a ballot has a
        # vote. A parting may have promised no ballot at all, and is all that a guest may sign.
        may_say = self.company | (self.guests if isinstance(said, Parting) else 0)
        well_formed = (
            bit(said.seat) & may_say
            and said.last <= said.step
            and not without & bit(said.seat)
            and (owner & self.company if ballot > NO_BALLOT else isinstance(said, Parting))
        )
        if not well_formed:
            return Validity.FALSE
        if said.accepted == NOTHING:
            return Validity.COUNTS
        accepted = self.statements.get(said.accepted)
        if accepted is None:
            return Validity.WAITS
        # A ballot is promised before it has a proposal. A parting may come after that.
        before = isinstance(accepted, Proposal) and (
            accepted.ballot < ballot or (isinstance(said, Parting) and accepted.ballot == ballot)
        )
        return self.validity(said.accepted) if before else Validity.FALSE

    def _judge_proposal(self, proposal: Proposal) -> Validity:
        counted = [self.statements.get(name) for name in proposal.counted]
        said = [each for each in counted if isinstance(each, Promise | Parting)]
        others = sum(each is not None for each in counted) - len(said)
        if others or len(set(proposal.counted)) < len(counted):
            return Validity.FALSE
        found = {self._form(each) for each in said}
        if Validity.FALSE in found:
            return Validity.FALSE
        if Validity.WAITS in found or len(said) < len(counted):
            return Validity.WAITS
        # Only a fresh value follows from the ends of logs. A forced one must not depend on them: a
        # later reader no longer has the log that the decision made void.
        if not any(each.accepted for each in said) and not all(map(self._holds_log_of, said)):
            return Validity.WAITS
        value = self.value(proposal.ballot, said)
        return Validity.COUNTS if value == _value(proposal) else Validity.FALSE

    # ---- what is allowed ----

    def value(self, ballot: Ballot, said: Sequence[Promise | Parting]) -> Value | None:
        """Return the one value that these promises and partings allow in a ballot, or None.

        All must count here. If any names an accepted proposal, the value is that of the highest
        ballot named. Otherwise the log stops at the furthest step that a voter has, and the seats
        that go are those that have parted and those that all promises name; nobody goes if that
        step is final. The result is None if a promise is of a different ballot, if a parting has
        promised a higher one, if two statements are of one seat, if they are not a quorum, or if
        two different accepted values share the highest ballot.
        """
        promises = [each for each in said if isinstance(each, Promise)]
        partings = [each for each in said if isinstance(each, Parting)]
        is_for_it = all(each.ballot == ballot for each in promises) and all(
            may_stand(each, ballot) for each in partings
        )
        seats, parted = seats_of(promises), seats_of(partings)
        are_different = seats.bit_count() + parted.bit_count() == len(promises) + len(partings)
        if not (is_for_it and are_different and is_quorum(self.company, seats, parted)):
            return None
        both: list[Promise | Parting] = [*promises, *partings]
        accepted = {each.accepted for each in both} - {NOTHING}
        if accepted:
            return self._highest(accepted)
        # A quorum has a seat that has not parted, so there is a promise.
        logs = (each for each in both if bit(each.seat) & self.company)
        furthest = max(logs, key=lambda each: each.step)
        goes = parted | reduce(and_, (each.without for each in promises))
        if self.log.is_final(furthest.step):
            goes = 0
        return Value(goes, furthest.step, furthest.head)

    def _highest(self, accepted: Iterable[bytes]) -> Value | None:
        """Return the value in the highest ballot of the held proposals named in `accepted`.

        None if that ballot has proposals of different values. At least one of those named must be
        held.
        """
        proposals = [found for name in accepted if (found := self.proposal(name)) is not None]
        top = max(each.ballot for each in proposals)
        values = {_value(each) for each in proposals if each.ballot == top}
        return values.pop() if len(values) == 1 else None

    def is_fresh(self, proposal: Proposal) -> bool:
        """Return True if no statement that a proposal counts names an accepted proposal.

        All that it counts must be held.
        """
        counted = (self.statements[name] for name in proposal.counted)
        return all(isinstance(e, Promise | Parting) and not e.accepted for e in counted)

    def promises(self, ballot: Ballot) -> dict[bytes, Promise]:
        """Return the promises of a ballot that count here, by name.

        A seat that lies may have two of them.
        """
        promises = self.of(Promise).items()
        return {n: each for n, each in promises if each.ballot == ballot and self._counts(n)}

    def partings(self, ballot: Ballot) -> dict[bytes, Parting]:
        """Return the partings that count here and may be in a quorum of a ballot, sorted by name.

        Those are the partings that have promised no higher ballot. If a liar has parted in two
        epochs, only the parting with the lower name is returned.
        """
        found: dict[int, tuple[bytes, Parting]] = {}
        for name, each in sorted(self.of(Parting).items()):
            if may_stand(each, ballot) and self._counts(name):
                found.setdefault(each.seat, (name, each))
        return dict(found.values())

    def parted(self) -> int:
        """Return the bit set of the seats that have left for good, by partings that count here."""
        return seats_of(each for name, each in self.of(Parting).items() if self._counts(name))

    def _counts(self, name: bytes) -> bool:
        return self.validity(name) is Validity.COUNTS

    # ---- what was decided ----

    def decided(self) -> Proposal | None:
        """Return a proposal that counts and that the held statements decide, or None."""
        for name in {each.proposal for each in self.of(Accept).values()}:
            proposal = self.proposal(name)
            if proposal is None or not self._counts(name):
                continue
            seats = seats_of(self._accepts(proposal))
            partings = self.partings(proposal.ballot)
            if self.is_decided_by(proposal, seats, partings.values()):
                return proposal
        return None

    def is_decided_by(
        self, proposal: Proposal, accepted_by: int, partings: Iterable[Parting]
    ) -> bool:
        """Return True if accepts of the seats `accepted_by` and these partings decide a proposal.

        There may be more partings than the proposal counts; those that promised a higher ballot are
        left out. A seat that accepted and then parted counts through its accept.
        """
        counted = [each for each in partings if may_stand(each, proposal.ballot)]
        parted = seats_of(counted)
        return is_quorum(self.company, accepted_by & self.company, parted & ~accepted_by)

    def accepted_value(self, proposal: Proposal) -> Value | None:
        """Return the value of a proposal if a quorum has accepted it, or None.

        The proposal need not count here: it may rest on a log that differs from ours.
        """
        partings = {each.seat: each for each in self.of(Parting).values()}
        seats = seats_of(self._accepts(proposal))
        is_whole = self.is_decided_by(proposal, seats, partings.values())
        return _value(proposal) if is_whole else None

    def _accepts(self, proposal: Proposal) -> list[Accept]:
        accepts = self.of(Accept).values()
        return [each for each in accepts if self.proposal(each.proposal) == proposal]

    def certificate(self, proposal: Proposal) -> tuple[bytes, ...]:
        """Return the names of all statements that show that this proposal was decided.

        At least one accept of it must be held. Each name comes after those it goes back to; the
        accepts come last.
        """
        accepts = set(self._accepts(proposal))
        name = next(iter(accepts)).proposal
        starts = (*self.partings(proposal.ballot), name)
        names = dict.fromkeys(each for start in starts for each in self.behind(start))
        accepted = (each for each, said in self.statements.items() if said in accepts)
        return (*names, *accepted)

    def behind(self, *starts: bytes) -> tuple[bytes, ...]:
        """Return the names of these statements and of all that they go back to, as far as held.

        Each comes after those it names.
        """
        order: dict[bytes, None] = {}
        stack = [(name, False) for name in reversed(starts)]
        while stack:
            at, is_done = stack.pop()
            statement = self.statements.get(at)
            if statement is None or at in order:
                continue
            if is_done:
                order[at] = None
                continue
            # It comes up again when all that it names is in `order`. No recursion: a liar can make
            # chains of any depth.
            stack.append((at, True))
            stack += [(each, False) for each in names(statement)]
        return tuple(order)

    def forget(self, name: bytes) -> None:
        """Stop holding this statement; raises KeyError if it is not held."""
        del self.statements[name]
        self._validity.pop(name, None)

    def take_out(self, name: bytes) -> None:
        """Stop holding this statement, and have all others judged again when they are next needed.

        Raises KeyError if it is not held.
        """
        self.forget(name)
        self._validity.clear()

    def least(self, seat: int) -> bytes:
        """Return the name of a seat's statement, other than a parting, that matters least.

        A statement matters most if the newest statements of other seats go back to it, and next
        most if the seat's own newest ones do. Among equals, that of the lowest ballot matters
        least. The seat must have such a statement.
        """
        newest: dict[tuple[type, int], tuple[Ballot, bytes]] = {}
        for name, each in self.statements.items():
            # The newest statements, and all that they go back to, can still be forced; the rest is
            # history.
            key = (type(each), author(each))
            found = (self._ballot(each), name)
            newest[key] = max(newest.get(key, found), found)
        own = [name for (_, by), (_, name) in newest.items() if by == seat]
        others = [name for (_, by), (_, name) in newest.items() if by != seat]
        for_own, for_others = set(self.behind(*own)), set(self.behind(*others))
        return min(
            (name in for_others, name in for_own, self._ballot(each), name)
            for name, each in self.statements.items()
            if author(each) == seat and not isinstance(each, Parting)
        )[-1]

    def _ballot(self, statement: Statement) -> Ballot:
        """Return a statement's ballot; `NO_BALLOT` for an accept whose proposal is not at hand.

        For a parting it is the ballot that it has promised.
        """
        match statement:
            case Promise() | Proposal():
                return statement.ballot
            case Accept():
                proposal = self.proposal(statement.proposal)
                return NO_BALLOT if proposal is None else proposal.ballot
            case Parting():
                return statement.promised


def names(statement: Statement) -> tuple[bytes, ...]:
    """Return the names of the statements that this one refers to, in its own order; () if none."""
    match statement:
        case Proposal():
            return statement.counted
        case Accept():
            return (statement.proposal,)
        case Promise() | Parting():
            return (statement.accepted,) if statement.accepted else ()


def carried(parting: Parting, seat: int, epoch_id: bytes, poll: int) -> Parting:
    """Return the form in which a parting counts in a later poll, where its key has `seat`.

    It has promised and accepted nothing there. Its log counts in its own epoch alone: in another
    its `step` is `NO_LOG`. `last` is the same as `step`.
    """
    step = parting.step if parting.id == epoch_id else NO_LOG
    left = replace(parting, id=epoch_id, poll=poll, seat=seat, step=step, last=step)
    return replace(left, promised=NO_BALLOT, accepted=NOTHING)


def may_stand(parting: Parting, ballot: Ballot) -> bool:
    """Return True if a parting may be in a quorum of a ballot: it has promised none above that."""
    return parting.promised <= ballot


def seats_of(said: Iterable[Promise | Parting | Accept]) -> int:
    """Return the bit set of the seats that signed these statements."""
    return reduce(or_, (bit(each.seat) for each in said), 0)


def _value(proposal: Proposal) -> Value:
    return Value(proposal.goes, proposal.step, proposal.head)
