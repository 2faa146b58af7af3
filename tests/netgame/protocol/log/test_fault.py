"""Findings on several entries whose proofs are judged together."""

import pytest

from netgame.crypto import masking
from netgame.crypto.group import mul_base, require_point
from netgame.crypto.transcript import expand
from netgame.protocol.log.fault import CheckCode, Claim, Finding, PendingProof, judge_together

CTX = bytes(64)


def shares(seat, *, good):
    """Return the pending proof of a single share; it is false unless `good`."""
    x, A = 100 + seat, mul_base(7 + seat)
    tokens, proof = masking.prove_reveal(x, CTX, (seat,), (A,), expand(bytes(32), str(seat)))
    key = require_point(mul_base(x if good else x + 1))

    def holds(by):
        return masking.verify_reveal(key, CTX, (seat,), (A,), tokens, proof, by)

    return PendingProof(Claim(holds, f"seat {seat}"))


@pytest.mark.parametrize("false", [(), (0,), (2,), (1, 3), (0, 1, 2, 3)])
def test_who_is_wrong_is_named_and_nobody_else(false):
    """Each entry has its own finding, so only the authors of false proofs are named."""
    judgings = [shares(seat, good=seat not in false) for seat in range(4)]
    assert judge_together(judgings, expand(bytes(32), "factors")) == [
        Finding(CheckCode.PROOF, f"seat {seat}") if seat in false else None for seat in range(4)
    ]
