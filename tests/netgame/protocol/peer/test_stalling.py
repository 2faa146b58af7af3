"""Somebody has all decide who goes on, again and again, for nothing."""

from netgame.wire.statements import Ballot
from tests.netgame.protocol.happenings import go_on
from tests.netgame.simtable import full_table, standard


def open_for_nothing(table, liar):
    """Have a seat open a ballot without a reason, and leave it at that."""
    polls, ledger = liar.parts.polls, liar.ledger
    number = len(ledger.decisions)

    def lie(parts):
        voter = parts.journal.bound(parts.place.seat)
        polls._sign(polls._promise_of(voter, Ballot(1, voter.seat), frozenset()))

    table.act(liar, lie)
    polls._say_next = lambda seat: False
    others = [each for each in table.sitters if each is not liar]
    table.run(lambda: all(len(each.ledger.decisions) > number for each in others))
    del polls._say_next
    table.run(lambda: len(ledger.decisions) > number)


def test_who_opens_ballots_for_nothing_can_be_named_after_the_third():
    """Others decide that nobody goes, each time; then people may go on without the one."""
    table = full_table(("Ann", "Ben", "Cy"), standard(9), bots=False)
    table.run(lambda: any(each.view.can_move for each in table.sitters))
    ann, ben, cy = table.sitters
    for _ in range(2):
        open_for_nothing(table, cy)
    assert not ann.core.is_missed(cy.key, table.now)
    open_for_nothing(table, cy)
    assert ann.core.is_missed(cy.key, table.now)
    assert not ann.core.is_missed(ben.key, table.now)
    go_on(table, (ann, ben), cy)
    table.run(lambda: all(each.state.gone for each in (ann, ben)))
    assert not any(each.faults() for each in table.sitters)
