"""A poll that others have decided by a half which came second here, or counts for nobody here."""

import pytest
from msgspec.structs import replace

from netgame.protocol.ledger.poll import Decision, Reception
from netgame.protocol.log.entry import read_statement
from netgame.protocol.log.fault import Fault, FaultKind
from netgame.wire.statements import bit
from tests.vectors.by_hand import PLAIN, ByHand

ANN, BEN, CY = range(3)
FIRST = (1, ANN)


@pytest.fixture(scope="module")
def table():
    """A table of three, in which all are to commit to a round key."""
    return ByHand("put aside", replace(PLAIN, seats=3)).sit().form()


@pytest.fixture
def log(table):
    """The same, to go on with."""
    return table.fork()


def hear(log, *signed):
    """Give what becomes of the last of these, and the decision that they lead to, if any."""
    heard, decided = None, None
    for each in signed:
        heard = log.ledger.hear(read_statement(each))
        decided = log.ledger.decide() or decided
    return heard, decided[0] if decided else None


def is_pair(heard):
    """Whether two statements have convicted somebody."""
    return isinstance(heard, Fault) and heard.kind is FaultKind.PAIR


def test_a_parting_of_the_poll_before_that_comes_late_decides_for_who_has_heard_otherwise(log):
    """Cy has parted for all others, and promised in the next poll to one of them."""
    others, parting = log.fork(), log.parting(CY, (5, BEN))
    nobody = log.decided(voters=[ANN, BEN])
    hear(others, parting)
    hear(others, *nobody)
    hear(log, *nobody)
    assert hear(log, log.promise(CY, FIRST)) == (Reception.NEWS, None)
    certificate = others.decided(bit(CY), voters=[ANN, BEN], partings=[parting])
    hear(others, *certificate)
    assert is_pair(hear(log, parting)[0])
    heard, decision = hear(log, *certificate)
    assert isinstance(decision, Decision), heard
    assert decision.goes == bit(CY)
    assert log.state.head == others.state.head


def test_such_a_parting_is_remembered_though_it_has_come_in_an_earlier_poll_already(log):
    """The poll in which it came is decided without it, and the one behind that counts it."""
    others, parting = log.fork(), log.parting(CY)
    nobody = log.decided(voters=[ANN, BEN])
    hear(others, parting)
    for each in (others, log):
        hear(each, *nobody)
    hear(log, log.promise(CY, FIRST))
    assert is_pair(hear(log, parting)[0])
    again = others.decided(voters=[ANN, BEN])
    for each in (others, log):
        hear(each, *again)
    assert log.ledger.poll.number == 2
    certificate = others.decided(bit(CY), voters=[ANN, BEN], partings=[parting])
    hear(others, *certificate)
    _, decision = hear(log, parting, *certificate)
    assert isinstance(decision, Decision)
    assert log.state.head == others.state.head


def test_an_honest_parting_that_had_accepted_something_is_in_no_way_of_that(log):
    """The accepted proposal is of the poll before; here only the rest of the parting counts."""
    *promises, proposal, one, other = log.decided(voters=[ANN, CY])
    parting = log.parting(BEN, FIRST, accepted=log.name_of(proposal))
    hear(log, *promises, proposal, parting, one, other)
    assert log.ledger.poll.number == 1
    others = log.fork()
    certificate = others.decided(bit(BEN), voters=[ANN, CY], partings=[parting])
    hear(others, *certificate)
    hear(log, log.promise(CY, FIRST, without=bit(BEN)))
    assert hear(log, *certificate)[1] is not None
    assert log.state.head == others.state.head


def test_a_false_statement_is_told_after_a_pair_that_the_same_proposal_shows(log):
    """It is what Ben's promise has forgotten, and too high for that of Cy to name."""
    ballot, higher = (2, ANN), (3, ANN)
    promises = [log.promise(seat, ballot) for seat in (ANN, BEN)]
    made = log.proposal(ballot, 0, promises)
    forgot = log.promise(BEN, higher)
    low = log.promise(CY, FIRST, accepted=log.name_of(made))
    hear(log, *promises, log.accept(BEN, made), forgot, low)
    assert is_pair(hear(log, made)[0])
    told = hear(log, log.promise(ANN, higher))[0]
    assert isinstance(told, Fault)
    assert told.kind is FaultKind.FALSE_STATEMENT
    assert told.key == log.signer(CY).public_bytes
