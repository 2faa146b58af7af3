"""A search that takes the ballots one after the other: fast enough for tables of five seats.

It loses no decision. What a seat signs in a ballot depends on three things: its log, what it has
signed in lower ballots, and what others sign in this ballot. Take two neighbouring events, of which
the later belongs to the lower ballot. Two different seats signed them, and neither event needs the
other or rules it out. So the two can change places. In the end all statements of a ballot come
before those of the next, and the same statements have been signed. Such protocols are called
communication-closed (Elrad and Francez 1982, Damian et al. 2019). Entries and partings keep their
places.

The search forgets what no later event needs: a promise in a ballot that is over, unless it still
binds its seat; the seats that the promise names; and a proposal that nobody has accepted. A seat
that can accept in the last ballot does so at once, because that rules nothing out for any seat.

All this depends on the rules as they are. If a test removes a rule, it uses `Search`, which looks
at every order.
"""

from dataclasses import dataclass

from msgspec.structs import replace

from netgame.wire.statements import NO_BALLOT, Accept, Ballot, Promise, Proposal, bit, seats_in
from tests.netgame.protocol.epochs.search import Search, State


@dataclass
class SearchInOrder(Search):
    """A search in which no honest seat signs below the highest ballot of an honest promise."""

    def _open(self, state: State) -> Ballot:
        """Return the highest ballot that an honest seat has promised, or `NO_BALLOT`."""
        promises = (self.items[number] for number in self.each(state, Promise))
        honest = (each.ballot for each in promises if each.seat != self.table.liar)
        return max(honest, default=NO_BALLOT)

    def _ballot(self, number: int) -> Ballot | None:
        match self.items[number]:
            case Promise(ballot=ballot) | Proposal(ballot=ballot):
                return ballot
            case Accept(proposal=name):
                return self.cut.proposal(name).ballot
        return None

    def moves(self, state: State) -> list[int]:
        """Return the numbers of the items that can be signed next in this order.

        If signing one of them rules nothing out, return only that one.
        """
        open_one, found = self._open(state), list[int]()
        for number in super().moves(state):
            ballot = self._ballot(number)
            if ballot is None or ballot >= open_one:
                if self._rules_nothing_out(number, ballot) and not state >> number & 1:
                    return [number]
                found.append(number)
        return found

    def _rules_nothing_out(self, number: int, ballot: Ballot | None) -> bool:
        """Return True if this is an accept in the last ballot by an honest seat that cannot leave.

        Signing such an accept rules out nothing else.
        """
        item, table = self.items[number], self.table
        is_last = isinstance(item, Accept) and ballot == table.ballots[-1]
        return is_last and item.seat != table.liar and not bit(item.seat) & table.leavers

    def alike(self, state: State) -> State:
        """Return the state that stands for this one in the search.

        It lacks the items that no longer matter. Of the states that differ from it only by
        exchanging like seats, it is the least.
        """
        return super().alike(self._needed(state))

    def _needed(self, state: State) -> State:
        open_one = self._open(state)
        last: dict[int, Ballot] = {}
        for number in self.each(state, Promise):
            promise = self.items[number]
            last[promise.seat] = max(last.get(promise.seat, NO_BALLOT), promise.ballot)
        for number in tuple(self.each(state, Promise)):
            promise = self.items[number]
            if promise.ballot == open_one or promise.seat == self.table.liar:
                continue
            state &= ~(1 << number)
            if promise.ballot == last[promise.seat]:
                state |= 1 << self.number(replace(promise, without=0))
        if self.table.liar is None:
            state &= ~self._never_accepted(state, open_one)
        return state

    def _never_accepted(self, state: State, open_one: Ballot) -> State:
        """Return, as bits of a state, the proposals of past ballots that nobody has accepted."""
        accepted = {self.items[number].proposal for number in self.each(state, Accept)}
        proposals = seats_in(state & self.kinds[Proposal])
        over = (number for number in proposals if self.items[number].ballot < open_one)
        return sum(1 << number for number in over if self.names[number] not in accepted)
