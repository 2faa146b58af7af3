"""Random walks at a small table: whenever the remaining seats meet as a quorum, they decide."""

import random
from functools import reduce
from operator import or_

from netgame.protocol.epochs import cut as rules
from netgame.protocol.epochs import voter as votes
from netgame.wire.statements import Accept, Ballot, Parting, Proposal, Statement, bit, seats_in
from tests.netgame.protocol.epochs.search import ID, Search
from tests.netgame.protocol.epochs.small import Broken, Chain, head


def heal(search: Search, state: int) -> int:
    """Let all honest seats that have not left meet and, if they are a quorum, open one more ballot.

    Return the state after that. Raise `Broken` if they decide nothing.
    """
    here = [
        s for s in search.honest if not search.bound(s, state & search.of_seat.get(s, 0))[0].left
    ]
    at_hand = rules.Cut(search.table.company, Chain(search.table))
    for number in seats_in(state):
        if number in search.names:
            at_hand.add(search.names[number], search.items[number])
    partings = [search.items[n] for n in search.each(state, Parting)]
    parted = reduce(or_, (bit(each.seat) for each in partings), 0)
    up = reduce(or_, map(bit, here), 0)
    if not rules.is_quorum(search.table.company, up, parted):
        return state
    ballot = Ballot(max((b.counter for b in search.table.ballots), default=0) + 1, here[0])
    reach = search.reach(state)
    for seat in here:
        voter, _, written = search.bound(seat, state & search.of_seat.get(seat, 0))
        end = votes.LogEnd(reach, head(reach), bool(written & bit(reach)))
        assert votes.may_promise(at_hand, voter, ballot)
        *_, last = end.of(voter)
        state = _say(search, state, at_hand, search.promise(voter, ballot, end, last, 0))
    best = votes.best_proposal(at_hand, ballot)
    proposal = Proposal(ID, 0, ballot, *best[0], best[1])
    state = _say(search, state, at_hand, proposal)
    for seat in here:
        voter, _, written = search.bound(seat, state & search.of_seat.get(seat, 0))
        end = votes.LogEnd(reach, head(reach), bool(written & bit(reach)))
        name = search.cut_name(proposal)
        assert votes.may_accept(at_hand, voter, name)
        assert not votes.takes_back(at_hand, proposal, end)
        state = _say(search, state, at_hand, Accept(ID, 0, seat, name))
    if at_hand.decided() is None:
        raise Broken("a quorum that is here decides nothing")
    return state


def _say(search: Search, state: int, at_hand: rules.Cut, statement: Statement) -> int:
    number = search.number(statement)
    at_hand.add(search.names[number], statement)
    return search.step(state, number)


def walk(search: Search, chance: random.Random, most: int = 200) -> int:
    """Sign at most `most` items at random; return the state.

    At a table without a liar, check now and then that the remaining seats would decide (`heal`).
    """
    state = 0
    for _ in range(most):
        options = [n for n in set(search.moves(state)) if not state >> n & 1]
        if not options:
            break
        state = search.step(state, chance.choice(sorted(options)))
        if search.table.liar is None and chance.random() < 0.1:
            heal(search, state)
    return state
