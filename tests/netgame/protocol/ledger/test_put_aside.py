"""Polls decided with statements that a peer has put aside, as half of a pair or as false."""

import pytest
from msgspec.structs import replace

from netgame.protocol.ledger.binding import binds
from netgame.protocol.ledger.poll import Decision, Reception
from netgame.protocol.log.entry import read_statement
from netgame.protocol.log.fault import Fault, FaultKind
from netgame.wire.statements import bit
from tests.vectors.by_hand import PLAIN, ByHand
from tests.vectors.log_cases import entropy

ANN, BEN, CY, DEE, EVE = range(5)
FIRST = (1, ANN)


@pytest.fixture(scope="module")
def table():
    """A table of three whose seats must now commit to a round key."""
    return ByHand("put aside", replace(PLAIN, seats=3)).sit().form()


@pytest.fixture
def log(table):
    """A copy of that table, which a test may continue."""
    return table.fork()


def hear(log, *signed):
    """Hear these statements; return the reception of the last, and the last decision or None."""
    heard, decided = None, None
    for each in signed:
        heard = log.ledger.hear(read_statement(each))
        decided = log.ledger.decide() or decided
    return heard, decided[0] if decided else None


def is_pair(heard):
    """Return True if what was heard is a pair of statements that convicts somebody."""
    return isinstance(heard, Fault) and heard.kind is FaultKind.PAIR


def test_a_parting_of_the_poll_before_that_comes_late_decides_for_who_has_heard_otherwise(log):
    """A late parting that is half of a pair still counts in a poll that others decide with it.

    The others heard Cy part in the first poll. This peer heard Cy promise in the second, and only
    then the parting.
    """
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
    """A parting put aside is remembered for the next poll too.

    The poll in which it arrived is decided without it, and the next one counts it.
    """
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
    """A parting that names the proposal accepted in its own poll still counts in the next poll."""
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
    """If one proposal exposes both a pair and a false promise, the pair is reported first.

    Ben's promise hides that he accepted the proposal. Cy's promise says that Cy accepted it, but
    is of a lower ballot than the proposal.
    """
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


def follows(reader, other, certificate):
    """Let `reader` hear a certificate three times.

    Return True if it has then decided as often as `other`, and at least once.
    """
    for _ in range(3):
        hear(reader, *certificate)
    return len(reader.ledger.decisions) == len(other.ledger.decisions) > 0


def test_a_parting_that_is_put_aside_drives_no_accept_out(log):
    """A parting put aside does not push out its seat's accept, which decides the poll."""
    ann, ben, ballot = log.fork(), log.fork(), (2, CY)
    other, opened = log.promise(CY, ballot, bit(ANN)), log.promise(CY, ballot)
    second = log.promise(BEN, ballot)
    made = log.proposal(ballot, 0, [opened, second])
    accepts = [log.accept(CY, made), log.accept(BEN, made)]
    hear(ben, second, opened, made, *accepts)
    hear(ann, other, second, opened, made, accepts[0], log.parting(CY, ballot))
    assert follows(ann, ben, [second, opened, made, *accepts])


def test_of_partings_put_aside_the_one_that_counts_is_taken():
    """Of several partings put aside, the one that counts is used.

    The others name accepted proposals that nobody has.
    """
    log = ByHand("several partings", replace(PLAIN, seats=4)).sit().form()
    ann, ben, ballot = log.fork(), log.fork(), (2, ANN)
    promises = [log.promise(seat, ballot) for seat in (ANN, BEN, DEE)]
    made = log.proposal(ballot, 0, promises)
    certificate = [log.parting(CY), *promises, made, *(log.accept(s, made) for s in (ANN, BEN))]
    hear(ben, *certificate)
    hear(ann, *(log.parting(CY, accepted=bytes([number]) * 64) for number in (0, 1)))
    assert follows(ann, ben, certificate)


def test_a_false_parting_that_others_count_as_it_came_late_is_followed(log):
    """A parting that is false in its own poll still counts in the next, if others count it there.

    It names a promise as the proposal that its author accepted. Ann heard it during its poll, and
    Ben only afterwards.
    """
    ann, ben = log.fork(), log.fork()
    first = log.decided(voters=[ANN, BEN])
    parting = log.parting(CY, accepted=log.name_of(first[0]))
    hear(ben, *first, parting)
    hear(ann, parting, *first)
    promises = [ben.promise(seat, FIRST) for seat in (ANN, BEN)]
    made = ben.proposal(FIRST, bit(CY), [*promises, parting])
    certificate = [parting, *promises, made, *(ben.accept(s, made) for s in (ANN, BEN))]
    hear(ben, *certificate)
    assert follows(ann, ben, certificate)


@pytest.mark.parametrize("is_accept", [True, False])
def test_a_flood_of_halves_takes_no_place_from_the_one_that_decides(log, is_accept):
    """A flood of half pairs does not displace the accept or parting that decides."""
    ann, ben = log.fork(), log.fork()
    promises = [log.promise(seat, FIRST) for seat in (ANN, CY)]
    made = log.proposal(FIRST, 0, promises)
    certificate = [*promises, made, *(log.accept(seat, made) for seat in (ANN, CY))]
    hear(ben, *certificate)
    hear(ann, *([log.parting(CY)] if is_accept else []), *promises, made)
    hear(ann, *(log.promise(CY, FIRST, head=n.to_bytes(64)) for n in range(100)))
    assert follows(ann, ben, certificate)


def test_two_decisions_bind_though_one_half_of_the_pair_is_of_the_poll_before():
    """Two contradictory decisions stop a peer, even if half of a pair is from the poll before.

    Of five seats, Dee and Eve part in one poll, but Cy does not hear it. In the next poll Ann and
    Ben decide that Dee and Eve leave, while Cy, Dee and Eve decide that nobody leaves.
    """
    base = ByHand("two decisions", replace(PLAIN, seats=5)).sit().form()
    some, alone = base.fork(), base.fork()
    partings = [base.parting(DEE), base.parting(EVE)]
    nobody = base.decided(voters=[ANN, BEN, CY])
    hear(some, *partings, *nobody)
    hear(alone, *nobody)
    second = (2, ANN)
    promises = [some.promise(seat, second) for seat in (ANN, BEN)]
    made = some.proposal(second, bit(DEE) | bit(EVE), [*promises, *partings])
    hear(some, *promises, made, *(some.accept(seat, made) for seat in (ANN, BEN)))
    first = (1, DEE)
    theirs = [alone.promise(seat, first) for seat in (CY, DEE, EVE)]
    kept = alone.proposal(first, 0, theirs)
    others = [*theirs, kept, *(alone.accept(seat, kept) for seat in (CY, DEE, EVE))]
    hear(alone, *others)
    assert some.state.head != alone.state.head or some.state.log_id != alone.state.log_id
    heard = [some.ledger.hear(read_statement(each)) for each in others]
    faults = [each for each in heard if isinstance(each, Fault)]
    assert faults
    keys = frozenset(each.key for each in faults)
    own = some.state.seats[ANN].key
    assert all(binds(some.ledger, each, keys, own, entropy()) for each in faults)
