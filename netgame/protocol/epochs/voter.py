"""The obligations of one seat in a poll, and the proposal that its statements allow.

All of it follows from what the seat has signed before, which its journal keeps.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from netgame.frozen import FrozenStruct
from netgame.limits import BALLOT_AHEAD_MAX
from netgame.protocol.epochs.cut import Cut, Value, Worth, seats_of
from netgame.wire.statements import (
    COUNTER_MAX,
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


class Abstention(Enum):
    """Why a seat does not sign a statement."""

    LEFT = "left"
    BOUND = "bound"
    """It has promised this ballot or a higher one, or the ballot of the proposal is not the one it
    promised last. Textbook Paxos may also accept above its promise. Here a parting shows only what
    its seat had promised: if it had accepted something above that, it could still stand in a quorum
    of a lower ballot."""
    TOO_FAR = "too-far"
    ANSWERED = "answered"
    """It has accepted another proposal of this ballot."""
    LACKING = "lacking"
    FALSE = "false"
    BEHIND = "behind"
    """The value would take back what our own log holds; a higher ballot will know better."""


class Voter(FrozenStruct):
    """The obligations of one seat in a poll, from all it has signed there.

    `last` is the last step that it may sign in this poll, None before its first promise.
    """

    seat: int
    promised: Ballot = NO_BALLOT
    accepted: bytes = NOTHING
    accepted_in: Ballot = NO_BALLOT
    last: int | None = None
    left: bool = False

    def may_write(self, step: int) -> bool:
        """Whether an entry of `step` may be signed while the poll is open."""
        return not self.left and (self.last is None or step <= self.last)


class LogEnd(NamedTuple):
    """The end of a seat's own log: due step, head before it, whether the seat has signed there."""

    step: int
    head: bytes
    has_signed: bool

    @property
    def last(self) -> int:
        """The last step that this seat may have signed: the due one or the one before."""
        return self.step if self.has_signed else self.step - 1


def voter(seat: int, own: Iterable[Statement], proposals: Mapping[bytes, Statement]) -> Voter:
    """The obligations of a seat that has signed these statements, in any order.

    `proposals` maps names to the proposals that its accepts name.
    """
    bound = Voter(seat)
    for statement in own:
        bound = bind(bound, statement, proposals)
    return bound


def bind(bound: Voter, statement: Statement, proposals: Mapping[bytes, Statement]) -> Voter:
    """The obligations of a seat once it has signed one more statement."""
    match statement:
        case Promise(ballot=ballot, last=last):
            return replace(bound, promised=max(bound.promised, ballot), last=last)
        case Parting(last=last):
            return replace(bound, last=last, left=True)
        case Accept(proposal=name):
            proposal = proposals.get(name)
            if proposal is None:  # the proposal it accepted is lost: it signs nothing more
                return replace(bound, left=True)
            if isinstance(proposal, Proposal) and proposal.ballot > bound.accepted_in:
                return replace(bound, accepted=name, accepted_in=proposal.ballot)
    return bound


def why_no_promise(cut: Cut, bound: Voter, ballot: Ballot) -> Abstention | None:
    """Why a seat does not promise a ballot; None if it does."""
    if bound.left:
        return Abstention.LEFT
    if ballot <= bound.promised:
        return Abstention.BOUND
    return Abstention.TOO_FAR if ballot.counter > furthest_counter(cut, bound) else None


def furthest_counter(cut: Cut, bound: Voter) -> int:
    """The highest ballot counter that a seat promises.

    It lies a little above its own and above what more than half have promised. A minority, which
    may claim anything, can therefore not use up the numbers.
    """
    promised: dict[int, int] = {}
    for each in cut.statements.values():
        if isinstance(each, Promise):
            promised[each.seat] = max(promised.get(each.seat, 0), each.ballot.counter)
    counters, half = sorted(promised.values(), reverse=True), cut.company.bit_count() // 2
    common = counters[half] if len(counters) > half else 0
    return min(max(common, bound.promised.counter) + BALLOT_AHEAD_MAX, COUNTER_MAX)


def why_no_accept(cut: Cut, bound: Voter, name: bytes, end: LogEnd) -> Abstention | None:
    """Why a seat whose log ends here does not accept a proposal; None if it does."""
    proposal = cut.proposal(name)
    if bound.left:
        return Abstention.LEFT
    if proposal is None or cut.worth(name) is Worth.LACKS:
        return Abstention.LACKING
    if cut.worth(name) is Worth.FALSE:
        return Abstention.FALSE
    if bound.promised != proposal.ballot:
        return Abstention.BOUND
    if bound.accepted_in == proposal.ballot:
        return Abstention.ANSWERED
    takes_back = proposal.goes and proposal.step < end.step
    return Abstention.BEHIND if takes_back and cut.is_fresh(proposal) else None


def best_proposal(cut: Cut, ballot: Ballot) -> tuple[Value, tuple[bytes, ...]] | None:
    """The value, and the names to count, for a proposal in a ballot of ours; None without a quorum.

    Where nothing has been accepted, it picks the quorum whose seats agree on removing most seats.
    """
    partings = cut.partings(ballot)
    parted = seats_of(partings.values())
    promises = {n: p for n, p in cut.promises(ballot).items() if not bit(p.seat) & parted}
    everybody: dict[bytes, Promise | Parting] = {**promises, **partings}
    if any(each.accepted for each in everybody.values()):
        value = cut.value(ballot, everybody.values())
        return None if value is None else (value, tuple(sorted(everybody)))
    most: tuple[Value, tuple[bytes, ...]] | None = None
    least = (cut.company & ~parted).bit_count() // 2 + 1
    for names in combinations(sorted(promises), least):
        value = cut.value(ballot, [*(promises[n] for n in names), *partings.values()])
        if value and (most is None or value.goes.bit_count() > most[0].goes.bit_count()):
            most = value, (*names, *sorted(partings))
    return most if most is None else _widened(cut, ballot, most, promises, partings)


def _widened(
    cut: Cut,
    ballot: Ballot,
    chosen: tuple[Value, tuple[bytes, ...]],
    promises: Mapping[bytes, Promise],
    partings: Mapping[bytes, Parting],
) -> tuple[Value, tuple[bytes, ...]] | None:
    """The same choice with all who name those seats, to keep the furthest of their logs.

    None if these statements allow no value.
    """
    named = chosen[0].goes & ~seats_of(partings.values())
    names = [n for n, p in promises.items() if p.without & named == named]
    value = cut.value(ballot, [*(promises[n] for n in names), *partings.values()])
    return None if value is None else (value, (*sorted(names), *sorted(partings)))
