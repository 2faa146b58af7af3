"""The statements that one seat may sign in a poll, and its best proposal for its own ballot.

The statements that it may sign depend on what it has signed earlier, which its journal keeps.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from netgame.frozen import FrozenStruct
from netgame.limits import BALLOT_AHEAD_MAX
from netgame.protocol.epochs.cut import Cut, Validity, Value, seats_of
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


class Voter(FrozenStruct):
    """The obligations of one seat in a poll, as they follow from all that it has signed there."""

    seat: int
    promised: Ballot = NO_BALLOT
    """The highest ballot that it has promised."""
    accepted: bytes = NOTHING
    """The name of the proposal that it accepted in the highest ballot."""
    accepted_in: Ballot = NO_BALLOT
    """The ballot of that proposal."""
    last: int | None = None
    """The last step that it may sign in this poll; None before its first promise or parting."""
    left: bool = False
    """It signs nothing more: it has parted, or the proposal it had accepted is lost."""

    def may_write(self, step: int) -> bool:
        """Return True if the seat may sign an entry of `step` while the poll is open.

        Before its first promise it may sign entries of any step, afterwards up to `last`. Once it
        has left it may sign none.
        """
        return not self.left and (self.last is None or step <= self.last)


class LogEnd(NamedTuple):
    """The end of a seat's own log."""

    step: int
    """The step that is due there."""
    head: bytes
    """The digest of the step before."""
    has_signed: bool
    """The seat has signed an entry for the due step."""

    def of(self, bound: Voter) -> tuple[int, bytes, int]:
        """Return the `step`, `head` and `last` that a statement of this seat gives for its log.

        `last` stays the same throughout a poll: it is `bound.last` once that is set. Until then it
        is the due step if the seat has signed an entry for it, and otherwise the step before.
        """
        last = self.step if self.has_signed else self.step - 1
        return self.step, self.head, last if bound.last is None else bound.last


def voter(seat: int, own: Iterable[Statement], proposals: Mapping[bytes, Statement]) -> Voter:
    """Return the obligations of a seat that has signed these statements of one poll, in any order.

    `proposals` maps names to the proposals that its accepts name. If one of them is missing, the
    seat counts as having left.
    """
    bound = Voter(seat)
    for statement in own:
        match statement:
            case Promise(ballot=ballot, last=last):
                bound = replace(bound, promised=max(bound.promised, ballot), last=last)
            case Parting(last=last):
                bound = replace(bound, last=last, left=True)
            case Accept(proposal=name):
                proposal = proposals.get(name)
                if proposal is None:  # the proposal it accepted is lost: it signs nothing more
                    bound = replace(bound, left=True)
                elif isinstance(proposal, Proposal) and proposal.ballot > bound.accepted_in:
                    bound = replace(bound, accepted=name, accepted_in=proposal.ballot)
    return bound


def may_promise(cut: Cut, bound: Voter, ballot: Ballot) -> bool:
    """Return True if a seat may promise this ballot, which must be above all that it has promised.

    Its counter may be `furthest_counter` at most. False once the seat has left.
    """
    is_higher = not bound.left and ballot > bound.promised
    return is_higher and ballot.counter <= furthest_counter(cut, bound)


def furthest_counter(cut: Cut, bound: Voter) -> int:
    """Return the highest ballot counter that a seat may promise.

    It is `BALLOT_AHEAD_MAX` above the higher of its own counter and the one that more than half
    have reached, and never above `COUNTER_MAX`. A minority, which may claim anything, can therefore
    not use up the numbers.
    """
    promised: dict[int, int] = {}
    for each in cut.of(Promise).values():
        promised[each.seat] = max(promised.get(each.seat, 0), each.ballot.counter)
    counters = sorted(promised.values(), reverse=True)
    half = cut.company.bit_count() // 2
    # In descending order this is the counter that half of the company and one more have reached.
    common = counters[half] if len(counters) > half else 0
    return min(max(common, bound.promised.counter) + BALLOT_AHEAD_MAX, COUNTER_MAX)


def may_accept(cut: Cut, bound: Voter, name: bytes) -> bool:
    """Return True if a seat may accept a proposal, which must be of the ballot it promised last.

    False if the proposal is not at hand or does not count, if the seat has left, and if it has
    accepted one in that ballot already.

    Textbook Paxos may also accept above its promise. Here a parting shows only what its seat had
    promised: if the seat had accepted something above that, the parting could still count in a
    quorum of a lower ballot.
    """
    proposal = cut.proposal(name)
    if proposal is None or cut.validity(name) is not Validity.COUNTS:
        return False
    is_promised = not bound.left and bound.promised == proposal.ballot
    return is_promised and bound.accepted_in != proposal.ballot


def takes_back(cut: Cut, proposal: Proposal, end: LogEnd) -> bool:
    """Return True if a proposal removes seats and stops the log before the due step of `end`.

    False if its value is forced: only a fresh value may be different in a higher ballot. All
    statements that it counts must be held.
    """
    return bool(proposal.goes) and proposal.step < end.step and cut.is_fresh(proposal)


def best_proposal(cut: Cut, ballot: Ballot) -> tuple[Value, tuple[bytes, ...]] | None:
    """Return the value to propose in a ballot, and the names of the statements to count for it.

    None without a quorum, or if two accepted values of the highest ballot are named. All partings
    are counted, and no promise of a seat that has parted. If any statement names an accepted
    proposal, all other promises are counted. If none does, the proposal is to remove as many seats
    as any quorum agrees on. It then counts all promises that name these seats, so that the furthest
    of their logs is kept.
    """
    partings = cut.partings(ballot)
    parted = seats_of(partings.values())
    promises = {n: p for n, p in cut.promises(ballot).items() if not bit(p.seat) & parted}

    def counting(names: Iterable[bytes]) -> Value | None:
        return cut.value(ballot, [*(promises[name] for name in names), *partings.values()])

    everybody: list[Promise | Parting] = [*promises.values(), *partings.values()]
    if any(each.accepted for each in everybody):
        value, names = counting(promises), sorted((*promises, *partings))
    else:
        least = (cut.company & ~parted).bit_count() // 2 + 1
        # This tries all smallest quorums: 3,003 if fourteen seats have promised.
        values = map(counting, combinations(sorted(promises), least))
        goes = max((each.goes for each in values if each), key=int.bit_count, default=None)
        if goes is None:
            return None
        # Voters that name all seats that go; nobody need name the parted.
        agreeing = sorted(n for n, p in promises.items() if not goes & ~parted & ~p.without)
        value, names = counting(agreeing), [*agreeing, *sorted(partings)]
    return None if value is None else (value, tuple(names))
