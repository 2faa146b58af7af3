"""Guests of a table may be named in its polls: whoever lies about that is convicted anywhere."""

from netgame.crypto.signing import make_signing_key
from netgame.protocol.epochs.company import Company
from netgame.protocol.ledger.evidence import evidence_of
from netgame.protocol.ledger.poll import Poll
from netgame.protocol.log.entry import sign_statement
from netgame.wire.statements import Ballot, Promise, Proposal, bit
from tests.netgame.protocol.epochs.small import Chain, Table, head

TABLE, STEP = bytes([1]) * 64, 1
HEAD = head(STEP)
GUEST = 3


def test_a_proposal_that_lets_a_guest_stay_whom_all_named_convicts_by_its_evidence():
    """The proof that convicts its author at the table convicts it in an evidence file, too."""
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
