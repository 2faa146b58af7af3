"""A poll keeps few statements of each seat, never both halves of a pair, and no lies."""

import pytest
from msgspec.structs import replace

from netgame.crypto.signing import make_signing_key
from netgame.limits import STATEMENTS_PER_SEAT_MAX
from netgame.protocol.epochs.company import Company
from netgame.protocol.ledger.evidence import evidence_of
from netgame.protocol.ledger.poll import Poll, Reception
from netgame.protocol.log.entry import read_statement, sign_statement
from netgame.protocol.log.fault import FaultKind
from netgame.wire.statements import Ballot, Parting, Promise, Proposal, bit
from tests.netgame.protocol.epochs.small import Chain, Table, head
from tests.vectors.by_hand import PLAIN, ByHand

ANN, BEN, CY = range(3)
TABLE, LATER = bytes([1]) * 64, bytes([2]) * 64


@pytest.fixture(scope="module")
def table():
    """A table of three whose seats must now commit to a round key."""
    return ByHand("poll room", replace(PLAIN, seats=3)).sit().form()


@pytest.fixture
def log(table):
    """A copy of that table, which a test may continue."""
    return table.fork()


def hear(log, signed):
    """Let the ledger hear a statement; return its reception, or the fault that it shows."""
    return log.ledger.hear(read_statement(signed))


def test_a_poll_keeps_so_many_statements_of_a_seat_open_or_over(log):
    """A poll, open or over, keeps a bounded number of statements of a seat, plus its parting."""
    poll, over = log.ledger.poll, log.fork().ledger.poll
    key = log.signer(CY).public_bytes
    for number in range(STATEMENTS_PER_SEAT_MAX + 5):
        said = read_statement(log.promise(CY, (1, ANN), head=number.to_bytes(64)))
        poll.hold(said)
        over.hear_late(said, key)
    parting = read_statement(log.parting(CY))
    poll.hold(parting)
    over.hear_late(parting, key)
    for each in (poll, over):
        assert len(tuple(each.by(CY))) == STATEMENTS_PER_SEAT_MAX + 1
        assert parting.name in each.said


def test_a_proposal_that_comes_late_shows_what_was_forgotten(log):
    """A proposal that comes late shows that a promise hides an earlier accept of that proposal.

    The promise is dropped, so that no record has both halves of the pair.
    """
    promises = [
        log.promise(seat) if seat == ANN else log.promise(seat, (1, ANN)) for seat in (0, 1)
    ]
    made = log.proposal((1, ANN), 0, promises)
    forgot = log.promise(CY, (2, BEN))
    assert hear(log, log.accept(CY, made)) is Reception.NEWS
    assert hear(log, forgot) is Reception.NEWS
    for each in promises:
        assert hear(log, each) is Reception.NEWS
    fault = hear(log, made)
    assert (fault.kind, fault.key) == (FaultKind.PAIR, log.signer(CY).public_bytes)
    assert read_statement(forgot).name not in log.ledger.poll.said
    assert read_statement(made).name in log.ledger.poll.said


def test_a_false_parting_is_carried_into_no_later_poll(log):
    """A false parting is not carried into later polls: it does not make its author leave."""
    poll = log.ledger.poll
    false, good = log.parting(CY, last=log.state.step + 1), log.parting(BEN)
    for each in (false, good):
        poll.add(read_statement(each))
    assert [each.name for each in poll.partings()] == [read_statement(good).name]


# ---- evidence of any poll -----------------------------------------------------------------------


def promise(signers, seat, id_=TABLE, poll=0, without=0):
    """Return a seat's promise in Ann's first ballot."""
    at = (1, head(1), 0, without, b"")
    return sign_statement(signers[seat], Promise(id_, poll, seat, Ballot(1, ANN), *at))


def proposal(signers, counted, goes=0, id_=TABLE, poll=0):
    """Return Ann's proposal in her first ballot."""
    value = (goes, 1, head(1), tuple(each.name for each in counted))
    return sign_statement(signers[ANN], Proposal(id_, poll, Ballot(1, ANN), *value))


@pytest.fixture
def signers():
    """The keys of three seats."""
    return [make_signing_key(bytes([seat + 1]) * 32) for seat in range(3)]


def proved(company, poll, *said):
    """Return the key that these statements convict, or None."""
    fault = evidence_of(company, poll, tuple(each.signed for each in said), ())
    return fault and fault.key


def test_an_honest_proposal_of_an_epoch_that_is_over_convicts_nobody_in_this_one(signers):
    """An honest proposal of a past epoch convicts nobody, even if a voter in it has gone since."""
    keys = tuple(signer.public_bytes for signer in signers)
    company = Company.of_table(TABLE).then(3, keys=keys)
    said = [promise(signers, seat) for seat in range(3)]
    made = proposal(signers, said)
    ground = Chain(Table(3, ()))
    assert proved(company, Poll.begin(company, 0, ground), *said, made) is None
    later = company.then(9, id=LATER, gone=frozenset({CY}))
    assert proved(later, Poll.begin(later, 0, ground), *said, made) is None


def test_a_proposal_that_keeps_whoever_has_parted_before_is_false(signers):
    """A proposal is false if it keeps a seat that had parted in an earlier poll.

    The parting is part of the evidence. The higher ballot that the parting names belongs to the
    earlier poll, and does not excuse the proposal.
    """
    keys = tuple(signer.public_bytes for signer in signers)
    company, ground = Company.of_table(TABLE).then(3, keys=keys), Chain(Table(3, ()))
    gone = sign_statement(signers[CY], Parting(TABLE, 0, CY, Ballot(5, CY), 1, head(1), 0, b""))
    said = [gone, *(promise(signers, seat, poll=1) for seat in (ANN, BEN))]
    poll = Poll.begin(company, 1, ground)
    assert proved(company, poll, *said, proposal(signers, said, bit(CY), poll=1)) is None
    assert proved(company, poll, *said, proposal(signers, said, 0, poll=1)) == keys[ANN]
