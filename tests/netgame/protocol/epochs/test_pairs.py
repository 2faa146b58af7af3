"""Which pairs of statements convict their seat, and what a proposal not at hand means for them."""

import pytest
from msgspec.structs import replace

from netgame.protocol.epochs.pairs import Pair, Written, convicting, went_on
from netgame.wire.statements import NOTHING, Accept, Ballot, Parting, Promise, Proposal
from tests.netgame.protocol.epochs.small import head

ID, LOW, HIGH = bytes(64), Ballot(1, 0), Ballot(2, 1)
ONE, OTHER = bytes(63) + b"1", bytes(63) + b"2"
HELD = {ONE: Proposal(ID, 0, LOW, 0, 1, head(1), (bytes(64),))}


@pytest.mark.parametrize(("accepted", "pair"), [(NOTHING, Pair.FORGOT), (ONE, None), (OTHER, None)])
def test_only_what_is_at_hand_shows_that_a_seat_has_forgotten(accepted, pair):
    """A promise that names no proposal convicts its seat of forgetting one it had accepted.

    A promise that names a proposal not at hand does not: its ballot may be higher, and nobody here
    has seen it.
    """
    accept = Accept(ID, 0, 2, ONE)
    promise = Promise(ID, 0, 2, HIGH, 1, head(1), 0, 0, accepted)
    assert convicting(accept, promise, HELD.get) is pair
    assert convicting(promise, accept, HELD.get) is pair


OTHER_ID, TWO = bytes(63) + b"9", bytes(63) + b"4"
ALSO_HELD = HELD | {TWO: Proposal(ID, 0, LOW, 1, 1, head(1), (bytes(64),))}
PROMISE = Promise(ID, 0, 2, LOW, 5, head(5), 4, 0, NOTHING)
HIGHER = replace(PROMISE, ballot=HIGH)
PARTING = Parting(ID, 0, 2, LOW, 5, head(5), 4, NOTHING)


@pytest.mark.parametrize(
    ("one", "other", "pair"),
    [
        (PROMISE, replace(PROMISE, without=1), Pair.TWICE),
        (PROMISE, replace(PROMISE, without=1, id=OTHER_ID), None),
        (PROMISE, replace(PROMISE, without=1, seat=1), None),
        (PROMISE, replace(PROMISE, without=1, poll=1), None),
        (PROMISE, HIGHER, None),
        (PROMISE, replace(HIGHER, step=6, head=head(6)), None),
        (PROMISE, replace(HIGHER, step=4, head=head(4)), Pair.TOOK_BACK),
        (PROMISE, replace(HIGHER, last=3), Pair.TOOK_BACK),
        (PROMISE, replace(HIGHER, last=5), Pair.TOOK_BACK),
        (HIGHER, replace(PROMISE, step=6, head=head(6)), Pair.TOOK_BACK),
        (replace(PROMISE, step=6, head=head(6)), PARTING, Pair.TOOK_BACK),
        (PROMISE, PARTING, None),
        (HIGHER, PARTING, Pair.CAME_BACK),
        (replace(PROMISE, poll=1), PARTING, Pair.CAME_BACK),
        (replace(PROMISE, step=9, last=9), replace(PARTING, poll=1), None),
        (PARTING, replace(PARTING, poll=1), Pair.TWICE),
        (Accept(ID, 0, 2, ONE), PROMISE, None),
        (Accept(ID, 0, 2, ONE), HIGHER, Pair.FORGOT),
        (Accept(ID, 0, 2, ONE), PARTING, Pair.FORGOT),
        (Accept(ID, 0, 2, ONE), replace(HIGHER, accepted=ONE), None),
        (Accept(ID, 0, 2, ONE), replace(HIGHER, accepted=TWO), Pair.FORGOT),
        (Accept(ID, 0, 2, ONE), Accept(ID, 0, 2, TWO), Pair.TWICE),
        (Accept(ID, 0, 2, ONE), Accept(ID, 0, 2, OTHER), None),
    ],
)
def test_two_statements_of_one_seat_poll_and_epoch_are_a_pair(one, other, pair):
    """Two statements convict their seat if no honest seat would sign both, in either order."""
    find = {**ALSO_HELD, OTHER: None}.get
    assert convicting(one, other, find) is pair
    assert convicting(other, one, find) is pair


def test_accepts_of_two_ballots_are_no_pair():
    """Accepts in two ballots are not a pair, because an honest seat signs both."""
    high = Proposal(ID, 0, HIGH, 1, 1, head(1), (bytes(64),))
    assert convicting(Accept(ID, 0, 2, ONE), Accept(ID, 0, 2, TWO), {**HELD, TWO: high}.get) is None


@pytest.mark.parametrize(
    ("said", "entry", "pair"),
    [
        (PROMISE, Written(2, 0, 4, head(4)), None),
        (PROMISE, Written(2, 0, 5, head(5)), Pair.WENT_ON),
        (PROMISE, Written(1, 0, 5, head(5)), None),
        (PROMISE, Written(2, 1, 9, head(9)), None),
        (PARTING, Written(2, 1, 9, head(9)), Pair.CAME_BACK),
        (replace(PROMISE, last=5), Written(2, 0, 5, head(5)), None),
        (replace(PROMISE, last=5), Written(2, 0, 5, head(4)), Pair.WENT_ON),
    ],
)
def test_an_entry_goes_on_behind_a_promise_or_beside_its_head(said, entry, pair):
    """An entry after a promise or a parting, or at a different head, convicts its seat.

    An honest seat signs its last entry before the promise, and its next one in a later poll. After
    a parting it signs none.
    """
    assert went_on(said, entry) is pair
