"""Guests in polls: voters may go on without them, they may part, and a lie about them convicts."""

import pytest

from netgame.crypto.signing import make_signing_key
from netgame.protocol.epochs.company import Company
from netgame.protocol.epochs.cut import Value
from netgame.protocol.ledger.evidence import evidence_of
from netgame.protocol.ledger.poll import Poll, key_of, seat_now
from netgame.protocol.log.entry import sign_statement
from netgame.wire.statements import NO_BALLOT, Accept, Ballot, Parting, Promise, Proposal, bit
from tests.netgame.protocol.epochs.small import Chain, Table, head

TABLE, STEP = bytes([1]) * 64, 1
HEAD = head(STEP)
GUEST = 3


def test_a_proposal_that_lets_a_guest_stay_whom_all_named_convicts_by_its_evidence():
    """A proposal convicts its author if it keeps a guest whom all counted promises leave out.

    The statements that show this also convict the author as evidence.
    """
    signers = [make_signing_key(bytes([seat + 1]) * 32) for seat in range(GUEST + 1)]
    keys = tuple(signer.public_bytes for signer in signers)
    company = Company.of_table(TABLE).then(3, keys=keys, guests=frozenset({GUEST}))
    poll, ballot = Poll.begin(company, 0, Chain(Table(GUEST + 1, ()))), Ballot(1, 0)
    for seat in (0, 1):
        place = (STEP, HEAD, STEP - 1, bit(GUEST), b"")
        poll.add(sign_statement(signers[seat], Promise(TABLE, 0, seat, ballot, *place)))
    counted = tuple(poll.said)
    true = sign_statement(signers[0], Proposal(TABLE, 0, ballot, bit(GUEST), STEP, HEAD, counted))
    assert poll.why_false(true, keys[0]) is None
    lie = sign_statement(signers[0], Proposal(TABLE, 0, ballot, 0, STEP, HEAD, counted))
    fault = poll.why_false(lie, keys[0])
    proved = evidence_of(company, poll, fault.statements, ())
    assert proved.key == keys[0]


# ---- a guest parts ------------------------------------------------------------------------------

SID, NEXT = bytes([2]) * 64, bytes([3]) * 64


def _signer(seat):
    return make_signing_key(bytes([seat + 1]) * 32)


def _key(seat):
    return _signer(seat).public_bytes


def _with_guest(*newcomers):
    """Return a company of three voters, a guest that has thrown a coin, and newer guests if any."""
    company = Company.of_table(TABLE).then(
        1, id=SID, session=SID, keys=tuple(map(_key, range(GUEST)))
    )
    company = company.with_guests(2, (_key(GUEST),)).with_session(3, NEXT)
    return company.with_guests(9, newcomers) if newcomers else company


def _parting(seat, last=STEP - 1):
    return sign_statement(_signer(seat), Parting(NEXT, 0, seat, NO_BALLOT, STEP, HEAD, last, b""))


def _promise(seat, **more):
    facts = {"without": 0, **more}
    said = Promise(NEXT, 0, seat, Ballot(1, 0), STEP, HEAD, STEP - 1, facts["without"], b"")
    return sign_statement(_signer(seat), said)


def test_a_guest_may_part_once_it_has_thrown_a_coin_and_sign_nothing_else():
    """A guest that has thrown a coin may sign a parting in a poll, and nothing else.

    A guest that has just sat down may not: the other seats may not know it yet.
    """
    company = _with_guest()
    assert key_of(company, _parting(GUEST).statement) == _key(GUEST)
    assert not key_of(company, _promise(GUEST).statement)
    more = _with_guest(_key(GUEST + 1))
    assert key_of(more, _parting(GUEST).statement) == _key(GUEST)
    assert not key_of(more, _parting(GUEST + 1).statement)


def test_who_parts_without_a_vote_goes_with_the_next_decision_of_those_who_vote():
    """A guest that parts leaves with the voters' next decision, and does not count for a quorum."""
    poll = Poll.begin(_with_guest(), 0, Chain(Table(GUEST + 2, ())))
    for seat in (0, 1):
        poll.add(_promise(seat))
    promises = tuple(poll.said)
    assert poll.cut.value(Ballot(1, 0), [poll.cut.statements[n] for n in promises[:1]]) is None
    poll.add(_parting(GUEST))
    said = list(poll.cut.statements.values())
    assert poll.cut.value(Ballot(1, 0), said) == Value(bit(GUEST), STEP, HEAD)
    assert poll.cut.value(Ballot(1, 0), [said[0], said[2]]) is None, "one of three is no quorum"
    proposal = Proposal(NEXT, 0, Ballot(1, 0), bit(GUEST), STEP, HEAD, tuple(poll.said))
    signed = sign_statement(_signer(0), proposal)
    assert poll.why_false(signed, _key(0)) is None
    poll.add(signed)
    for seat in (0, 1):
        assert poll.cut.decided() is None
        poll.add(sign_statement(_signer(seat), Accept(NEXT, 0, seat, signed.name)))
    assert poll.cut.decided() == proposal


def test_a_guest_is_convicted_of_two_partings():
    """A guest that signs two different partings is convicted, like any other seat."""
    company = _with_guest()
    poll = Poll.begin(company, 0, Chain(Table(GUEST + 2, ())))
    one, two = _parting(GUEST), _parting(GUEST, STEP)
    poll.add(one)
    fault = poll.against(two, key_of(company, two.statement))
    assert fault.key == _key(GUEST)
    assert evidence_of(company, poll, fault.statements, ()).key == _key(GUEST)


def test_a_parting_of_a_guest_holds_in_later_polls_and_sessions():
    """A guest's parting counts in later polls and sessions, until its seat has gone."""
    company, parting = _with_guest(), _parting(GUEST)
    assert Poll.begin(company, 1, Chain(Table(GUEST + 2, ())), [parting]).cut.parted() == bit(GUEST)
    for voting in (frozenset(), frozenset({GUEST})):
        later = company.with_session(20, bytes([4]) * 64, voting)
        assert seat_now(later, parting) == GUEST
    gone = company.without(bit(GUEST), 20, HEAD)
    assert seat_now(gone, parting) is None
    assert seat_now(gone.with_guests(30, (_key(GUEST),)), parting) is None


@pytest.mark.parametrize("step", [STEP - 1, STEP + 7])
def test_a_guest_goes_wherever_its_log_ends(step):
    """A guest that parts leaves no matter where its log ends: the voters' logs decide the step."""
    company = _with_guest()
    poll = Poll.begin(company, 0, Chain(Table(GUEST + 2, ())))
    for seat in (0, 1):
        poll.add(_promise(seat))
    at = (NEXT, 0, GUEST, NO_BALLOT, step, bytes([9]) * 64, step)
    poll.add(sign_statement(_signer(GUEST), Parting(*at, b"")))
    assert poll.cut.parted() == bit(GUEST)
    said = list(poll.cut.statements.values())
    assert poll.cut.value(Ballot(1, 0), said) == Value(bit(GUEST), STEP, HEAD)
