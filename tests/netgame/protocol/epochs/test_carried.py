"""Partings of earlier polls count in a later one, each for one seat."""

from netgame.protocol.epochs.cut import NO_LOG, Cut, carried
from netgame.protocol.epochs.voter import best_proposal
from netgame.wire.statements import NOTHING, Ballot, Parting, Promise, bit
from tests.netgame.protocol.epochs.small import Chain, Table, head

ID, BALLOT = bytes(64), Ballot(1, 0)


def test_a_seat_that_has_parted_in_two_epochs_stops_nobody():
    """A seat with partings in two other epochs stops nobody: the poll goes on without it.

    The ends of its logs in those epochs show nothing about this epoch.
    """
    cut = Cut(0b111, Chain(Table(3, (BALLOT,))))
    for name in (b"1", b"2"):
        parting = Parting(bytes(63) + name, 0, 1, Ballot(5, 1), 9, head(9), 8, b"accepted")
        cut.add(b"of " + name, carried(parting, 2, ID, 0))
    for seat in (0, 1):
        cut.add(b"%d" % seat, Promise(ID, 0, seat, BALLOT, 1, head(1), 0, 0, NOTHING))
    found = best_proposal(cut, BALLOT)
    value, counted = found
    assert value.goes == bit(2)
    assert value.step == 1, "where those epochs ended says nothing of this one"
    assert len(counted) == 3


def test_a_parting_of_another_poll_has_promised_and_accepted_nothing_in_this_one():
    """A parting carried over from another poll has promised and accepted nothing in this one.

    The end of its log counts only if it is of the same epoch.
    """
    parting = Parting(ID, 0, 1, Ballot(5, 1), 9, head(9), 8, b"accepted")
    for epoch, step in ((ID, 9), (bytes(63) + b"1", NO_LOG)):
        left = carried(parting, 2, epoch, 3)
        assert (left.id, left.poll, left.seat, left.step) == (epoch, 3, 2, step)
        assert (left.promised, left.accepted) == ((0, 0), NOTHING)
