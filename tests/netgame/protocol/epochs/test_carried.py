"""Partings of before a poll: they count in it, each seat once."""

from netgame.protocol.epochs.cut import Carried, Cut
from netgame.protocol.epochs.voter import best_proposal
from netgame.wire.statements import NO_BALLOT, NOTHING, Ballot, Parting, Promise, bit
from tests.netgame.protocol.epochs.small import Chain, Table, head

ID, BALLOT = bytes(64), Ballot(1, 0)


def test_a_seat_that_has_parted_in_two_epochs_stops_nobody():
    """It is a liar's, and whoever holds both goes on without that seat."""
    early = Parting(bytes(63) + b"1", 0, 2, NO_BALLOT, 1, head(1), 0, NOTHING)
    late = Parting(bytes(63) + b"2", 0, 2, NO_BALLOT, 1, head(1), 0, NOTHING)
    carried = {early: Carried(2, in_epoch=False), late: Carried(2, in_epoch=False)}
    cut = Cut(0b111, Chain(Table(3, (BALLOT,))), carried)
    cut.add(b"early", early)
    cut.add(b"late", late)
    for seat in (0, 1):
        cut.add(b"%d" % seat, Promise(ID, 0, seat, BALLOT, 1, head(1), 0, 0, NOTHING))
    found = best_proposal(cut, BALLOT)
    value, counted = found
    assert value.goes == bit(2)
    assert len(counted) == 3
