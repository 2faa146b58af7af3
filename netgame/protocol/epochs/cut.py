"""One decision of a table: where its log stops, and who goes.

What it does. Within an epoch every step is closed by all its authors. When somebody has vanished,
or leaves, the seats decide once, together: *nobody goes*, and play resumes, or *these go*, and the
log stops at this head. That decision is a poll, and it is made by single-decree Paxos (Lamport,
"Paxos Made Simple", 2001) among the company of the epoch. A ballot has one owner. Seats *promise*
it: nothing below it from me. The owner *proposes* what the promises allow, seats *accept*, and what
a quorum has accepted is decided, whether anybody knows it yet or not.

Two things are not in the textbook. A seat that leaves for good says a *parting*, a promise of every
ballot to come, and a quorum is more than half of those who have not parted. And a promise says
where the seat's log ends, so that a decision cannot go behind what it has signed; that is how a
decided value stops a log, as in "Stoppable Paxos" (Malkhi, Lamport, Zhou, 2008).

Why two decisions of a poll are the same. Let the accepts of M1 and the partings of L1 decide ballot
b1, and the promises of M2 and the partings of L2 allow a proposal in b2, which is later. Whoever is
in L1 had promised nothing above b1 and never will, so it is not in M2. If somebody of M1 is in L2,
its parting names what it had accepted. If not, M1 and M2 both are more than half of those who are
in neither L1 nor L2, so they share a seat, and its promise names what it had accepted. Either way
the proposal of b2 sees an accepted value of b1 or later and takes the highest, which is the one
decided, by induction over the ballots in between.

Why a closed step of all seats is a wall. A seat that has signed step k says so in `last`, and the
log of a promise is never behind its `last`. Whoever promised before it signed k signs it no more in
this poll. So when all have signed k, no value stops the log before k was due.

What is ugly. A proposal is judged by what it counts, and that by what it has accepted, and so on
down to a fresh value: all of it must be at hand. Without that, a liar names a proposal that nobody
can look at. A seat that lies can still part the table where it alone is shared by two quorums; it
then has signed a pair that convicts it (`pairs`).

Nothing here knows time or links: who opens a ballot, and when, is for the peer to say.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import reduce
from operator import and_
from typing import NamedTuple, Protocol

from netgame.protocol.epochs.statements import (
    NO_BALLOT,
    NOTHING,
    Accept,
    Ballot,
    Parting,
    Promise,
    Proposal,
    Statement,
    bit,
)


class Value(NamedTuple):
    """What a poll decides: the seats that go, and the head behind which `step` is due."""

    goes: int
    step: int
    head: bytes


class Ground(Protocol):
    """The log under a poll, as one program holds it."""

    def holds(self, step: int, head: bytes) -> bool:
        """Whether our log, or what we keep of another, comes to `step` with this head."""

    def is_final(self, step: int) -> bool:
        """Whether nobody can go where `step` is due: behind a coin, or the end of the game."""


class Worth(Enum):
    """What a statement is worth here."""

    COUNTS = "counts"
    LACKS = "lacks"
    """Something it rests on is not at hand, or never was."""
    FALSE = "false"
    """No honest seat signs it, whatever it holds."""


def is_quorum(company: int, seats: int, parted: int) -> bool:
    """Whether `seats` are more than half of those of the company who have not parted."""
    if seats & parted or (seats | parted) & ~company:
        return False
    return 2 * seats.bit_count() > (company & ~parted).bit_count()


def is_decided(
    company: int, proposal: Proposal, accepted_by: int, partings: Iterable[Parting]
) -> bool:
    """Whether these seats' accepts decide a proposal, with partings that count in its ballot.

    More partings may count than when it was proposed.
    """
    parted = seats_of(each for each in partings if each.promised <= proposal.ballot)
    return is_quorum(company, accepted_by & company, parted & ~accepted_by)


@dataclass(eq=False)
class Cut:
    """The statements of one poll that one program holds, by name, and what follows from them.

    Who has signed what has been checked before. `ground` may grow; what lacked something is then
    judged again.
    """

    company: int
    ground: Ground
    statements: dict[bytes, Statement] = field(default_factory=dict)
    _worth: dict[bytes, Worth] = field(default_factory=dict)

    def add(self, name: bytes, statement: Statement) -> None:
        """Hold one more statement."""
        self.statements[name] = statement

    def proposal(self, name: bytes) -> Proposal | None:
        """The proposal of this name, if it is at hand."""
        found = self.statements.get(name)
        return found if isinstance(found, Proposal) else None

    # ---- what counts ----

    def worth(self, name: bytes) -> Worth:
        """What a statement is worth; of what is not at hand, `LACKS`."""
        known = self._worth.get(name)
        if known is None:
            statement = self.statements.get(name)
            known = Worth.LACKS if statement is None else self.judge(statement)
            if known is not Worth.LACKS:
                self._worth[name] = known
        return known

    def judge(self, statement: Statement) -> Worth:
        """What a statement is worth that need not be held yet."""
        match statement:
            case Promise() | Parting():
                return self._judge_promise(statement)
            case Proposal():
                return self._judge_proposal(statement)
            case Accept():
                if self.proposal(statement.proposal) is None:
                    known = statement.proposal in self.statements
                    return Worth.FALSE if known else Worth.LACKS
                return self.worth(statement.proposal)

    def _judge_promise(self, said: Promise | Parting) -> Worth:
        ballot = said.ballot if isinstance(said, Promise) else said.promised
        without = said.without if isinstance(said, Promise) else 0
        owner = bit(ballot.owner)
        well_formed = (
            bit(said.seat) & self.company
            and said.last <= said.step
            and not without & ~(self.company & ~bit(said.seat))
            and (owner & self.company if ballot > NO_BALLOT else isinstance(said, Parting))
        )
        if not well_formed:
            return Worth.FALSE
        if said.accepted != NOTHING:
            accepted = self.statements.get(said.accepted)
            if accepted is None:
                return Worth.LACKS
            before = isinstance(accepted, Proposal) and (
                accepted.ballot < ballot
                or (isinstance(said, Parting) and accepted.ballot == ballot)
            )
            if not before:
                return Worth.FALSE
            worth = self.worth(said.accepted)
            if worth is not Worth.COUNTS:
                return worth
        return Worth.COUNTS if self.ground.holds(said.step, said.head) else Worth.LACKS

    def _judge_proposal(self, proposal: Proposal) -> Worth:
        counted = [self.statements.get(name) for name in proposal.counted]
        worths = {self.worth(name) for name in proposal.counted}
        if len(set(proposal.counted)) < len(counted) or Worth.FALSE in worths:
            return Worth.FALSE
        if Worth.LACKS in worths:
            return Worth.LACKS
        said = [each for each in counted if isinstance(each, Promise | Parting)]
        value = self.value(proposal.ballot, said) if len(said) == len(counted) else None
        return Worth.COUNTS if value == _value(proposal) else Worth.FALSE

    # ---- what is allowed ----

    def value(self, ballot: Ballot, said: Iterable[Promise | Parting]) -> Value | None:
        """The one value that these allow in a ballot; None if they allow none.

        They must all be of different seats and count here.
        """
        promises = [each for each in said if isinstance(each, Promise)]
        partings = [each for each in said if isinstance(each, Parting)]
        is_for_it = all(each.ballot == ballot for each in promises) and all(
            each.promised <= ballot for each in partings
        )
        seats, parted = seats_of(promises), seats_of(partings)
        are_different = seats.bit_count() + parted.bit_count() == len(promises) + len(partings)
        if not (is_for_it and are_different and is_quorum(self.company, seats, parted)):
            return None
        both: list[Promise | Parting] = [*promises, *partings]
        accepted = {each.accepted for each in both} - {NOTHING}
        if accepted:
            return self._highest(accepted)
        furthest = max(both, key=lambda each: each.step)
        goes = parted | reduce(and_, (each.without for each in promises))
        if self.ground.is_final(furthest.step):
            goes = 0
        return Value(goes, furthest.step, furthest.head)

    def _highest(self, accepted: Iterable[bytes]) -> Value | None:
        """The value of the highest ballot; None where its owner has proposed two there."""
        proposals = [found for name in accepted if (found := self.proposal(name)) is not None]
        top = max(each.ballot for each in proposals)
        values = {_value(each) for each in proposals if each.ballot == top}
        return values.pop() if len(values) == 1 else None

    def is_fresh(self, proposal: Proposal) -> bool:
        """Whether nothing had been accepted by those whom a proposal counts."""
        counted = (self.statements[name] for name in proposal.counted)
        return all(isinstance(each, Promise | Parting) and not each.accepted for each in counted)

    def promises(self, ballot: Ballot) -> dict[bytes, Promise]:
        """The promises of a ballot that count here."""
        return {
            name: each
            for name, each in self.statements.items()
            if isinstance(each, Promise) and each.ballot == ballot and self._counts(name)
        }

    def partings(self, ballot: Ballot) -> dict[bytes, Parting]:
        """The partings that count in a ballot."""
        return {
            name: each
            for name, each in self.statements.items()
            if isinstance(each, Parting) and each.promised <= ballot and self._counts(name)
        }

    def _counts(self, name: bytes) -> bool:
        return self.worth(name) is Worth.COUNTS

    # ---- what was decided ----

    def decided(self) -> Iterator[Proposal]:
        """Each proposal that a quorum has accepted, as far as is known here."""
        for name, proposal in self.statements.items():
            if isinstance(proposal, Proposal) and self._counts(name):
                accepts = (
                    each.seat
                    for each in self.statements.values()
                    if isinstance(each, Accept) and each.proposal == name
                )
                seats = reduce(lambda done, seat: done | bit(seat), accepts, 0)
                partings = self.partings(proposal.ballot).values()
                if is_decided(self.company, proposal, seats, partings):
                    yield proposal


def seats_of(said: Iterable[Promise | Parting]) -> int:
    """Give the set of the seats that say these."""
    return reduce(lambda seats, each: seats | bit(each.seat), said, 0)


def _value(proposal: Proposal) -> Value:
    return Value(proposal.goes, proposal.step, proposal.head)
