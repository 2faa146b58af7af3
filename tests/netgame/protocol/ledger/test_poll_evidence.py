"""Statements as evidence: each must be signed by its own author.

Anybody can make up evidence, so with a check missing an honest seat could lose its place.
"""

import pytest

from netgame.crypto.signing import make_signing_key
from netgame.protocol.epochs.company import Company
from netgame.protocol.ledger.evidence import evidence_of
from netgame.protocol.ledger.poll import Poll
from netgame.protocol.log.entry import read_entry, sign_entry, sign_statement
from netgame.wire import messages as wire
from netgame.wire.statements import Ballot, Promise, Proposal, bit
from tests.netgame.protocol.epochs.small import Chain, Table, head

pytestmark = pytest.mark.real_group

TABLE, LATER, STEP = bytes([1]) * 64, bytes([2]) * 64, 1
ANN, BEN, CY = range(3)
SIGNERS = [make_signing_key(bytes([seat + 1]) * 32) for seat in range(3)]
KEYS = tuple(signer.public_bytes for signer in SIGNERS)
LIAR = make_signing_key(bytes([9]) * 32)
COMPANY = Company.of_table(TABLE).then(3, keys=KEYS).then(9, id=LATER)
BALLOT = Ballot(1, ANN)


def the_poll():
    """Return the open poll of the seats' first epoch, before any statement."""
    return Poll.begin(Company(COMPANY.epochs[:2]), 0, Chain(Table(3, ())))


def promise(seat, without=0, by=None, **changes):
    """Return a promise in the first poll, signed by its seat, or with `by` if given."""
    place = {"id": TABLE, "poll": 0, "seat": seat, "ballot": BALLOT, "step": STEP}
    fields = {**place, "head": head(STEP), "last": STEP - 1, "without": without, "accepted": b""}
    return sign_statement(by or SIGNERS[seat], Promise(**{**fields, **changes}))


def entry(seat, by=None, **changes):
    """Return an entry at the promise's step, signed by its seat, or with `by` if given."""
    place = {"id": TABLE, "step": STEP, "prev": head(STEP), "seat": seat, "poll": 0}
    body = wire.Body(**{**place, **changes}, payload=wire.Checked(0))
    return read_entry(sign_entry(by or SIGNERS[seat], body))


def proved(*said, entries=(), company=COMPANY):
    """Return the key that these statements and entries convict, or None."""
    fault = evidence_of(company, the_poll(), tuple(each.signed for each in said), entries)
    return fault and fault.key


@pytest.mark.parametrize("forged", [None, 0, 1])
def test_a_pair_of_which_one_half_is_forged_convicts_nobody(forged):
    """A pair with a forged half convicts nobody: its other half may be honest."""
    halves = [
        promise(BEN, without, by=LIAR if forged == number else None)
        for number, without in enumerate((0, bit(CY)))
    ]
    assert proved(*halves) == (KEYS[BEN] if forged is None else None)
    assert proved(*reversed(halves)) == (KEYS[BEN] if forged is None else None)


@pytest.mark.parametrize("other", [promise(CY, bit(ANN)), promise(BEN, bit(CY), id=LATER)])
def test_statements_of_two_seats_or_epochs_convict_nobody(other):
    """Statements of two seats, or of two epochs, convict nobody."""
    assert proved(promise(BEN), other) is None
    assert proved(other, promise(BEN)) is None


@pytest.mark.parametrize("forged", [None, 0, 1, 2])
def test_a_proposal_is_false_by_statements_that_were_signed(forged):
    """A false proposal convicts only if it and all that it counts are signed by their authors.

    If one of them is forged, the author of the proposal may be honest.
    """
    said = [
        promise(seat, without, by=LIAR if forged == seat else None)
        for seat, without in ((ANN, bit(CY)), (BEN, 0))
    ]
    counted = tuple(each.name for each in said)
    false = Proposal(TABLE, 0, BALLOT, bit(CY), STEP, head(STEP), counted)
    said.append(sign_statement(LIAR if forged == len(said) else SIGNERS[ANN], false))
    assert proved(*said) == (KEYS[ANN] if forged is None else None)


@pytest.mark.parametrize(
    ("said", "beside", "convicts"),
    [
        (promise(BEN), entry(BEN), True),
        (promise(BEN), entry(BEN, by=LIAR), False),
        (promise(BEN, by=LIAR), entry(BEN), False),
        (promise(BEN), entry(BEN, id=LATER), False),
        (promise(BEN), entry(CY), False),
        (promise(BEN), entry(BEN, step=STEP - 1), False),
        (promise(BEN), entry(BEN, poll=1), False),
    ],
    ids=["both", "no entry", "no promise", "an epoch", "a seat", "before", "a later poll"],
)
def test_an_entry_beside_a_promise_convicts_by_both_signatures(said, beside, convicts):
    """An entry and a promise that rules it out convict their author, if both are really signed.

    They must be of the same epoch and poll, and the entry must come after the promise's `last`.
    """
    assert proved(said, entries=(beside,)) == (KEYS[BEN] if convicts else None)


def test_a_statement_too_many_beside_an_entry_convicts_nobody():
    """Evidence of an entry and a promise convicts nobody if there is a second promise."""
    assert proved(promise(BEN), promise(CY), entries=(entry(BEN),)) is None


@pytest.mark.parametrize(("gone", "guest"), [({BEN}, set()), (set(), {BEN})], ids=["gone", "guest"])
def test_who_has_no_vote_is_convicted_of_nothing_in_a_poll(gone, guest):
    """A seat that has gone or is a guest is not convicted by two promises: it has no vote."""
    company = Company.of_table(TABLE)
    company = company.then(3, keys=KEYS, gone=frozenset(gone), guests=frozenset(guest))
    assert proved(promise(BEN), promise(BEN, bit(CY)), company=company) is None
