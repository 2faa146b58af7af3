"""Two statements of one seat, of which one names a proposal that is not at hand."""

import pytest

from netgame.protocol.epochs.pairs import Pair, convicting
from netgame.wire.statements import NOTHING, Accept, Ballot, Promise, Proposal
from tests.netgame.protocol.epochs.small import head

ID, LOW, HIGH = bytes(64), Ballot(1, 0), Ballot(2, 1)
ONE, OTHER = bytes(63) + b"1", bytes(63) + b"2"
HELD = {ONE: Proposal(ID, 0, LOW, 0, 1, head(1), (bytes(64),))}


@pytest.mark.parametrize(("accepted", "pair"), [(NOTHING, Pair.FORGOT), (ONE, None), (OTHER, None)])
def test_only_what_is_at_hand_shows_that_a_seat_has_forgotten(accepted, pair):
    """It may have accepted something higher, which nobody here has seen."""
    accept = Accept(ID, 0, 2, ONE)
    promise = Promise(ID, 0, 2, HIGH, 1, head(1), 0, 0, accepted)
    assert convicting(accept, promise, HELD.get) is pair
    assert convicting(promise, accept, HELD.get) is pair
