"""Round keys: nobody chooses a key after seeing another, nobody opens a key that is not theirs."""

import pytest

from netgame.crypto import group, keys
from netgame.crypto.group import Q, add, mul_base, neg, random_scalar, sub
from netgame.errors import Malformed
from tests.netgame.crypto.table import CTX, OTHER_CTX, fixed, flips, some_point

SECRET = keys.make_round_secret(fixed("round"))
COMMITMENT = keys.key_commitment(CTX, SECRET)
OPENING = keys.open_key(OTHER_CTX, SECRET)


def accepts(octets, commitment=COMMITMENT, commit_ctx=CTX, open_ctx=OTHER_CTX):
    """Whether octets from a peer are an opening of `commitment`."""
    try:
        opening = keys.decode_key_opening(octets)
    except Malformed:
        return False
    return keys.verify_key_opening(commitment, commit_ctx, opening, open_ctx)


def test_an_honest_key_is_accepted():
    """Commit, open, encode, decode, check."""
    octets = group.encode(OPENING)
    assert len(octets) == 130
    assert keys.decode_key_opening(octets) == OPENING
    assert accepts(octets)
    assert OPENING.X == keys.public_key(SECRET) == mul_base(SECRET.x)


def test_any_flipped_octet_of_an_opening_is_refused():
    """X, T, rand and s, octet by octet, and one octet too many or too few."""
    octets = group.encode(OPENING)
    assert not any(accepts(bad) for bad in flips(octets))
    assert not accepts(octets[:-1])
    assert not accepts(octets + b"\x00")


def test_any_flipped_octet_of_commitment_or_context_is_refused():
    """What was committed, and where both steps stand, is part of the statement."""
    octets = group.encode(OPENING)
    assert not any(accepts(octets, commitment=bad) for bad in flips(COMMITMENT))
    assert not any(accepts(octets, commit_ctx=bad) for bad in flips(CTX))
    assert not any(accepts(octets, open_ctx=bad) for bad in flips(OTHER_CTX))


def test_rogue_key_computed_from_the_others_cannot_be_opened():
    """X' = xG - X would make the joint key the attacker's own; it has no proof of possession."""
    honest, x = keys.public_key(SECRET), random_scalar(fixed("attacker"))
    rogue = sub(mul_base(x), honest)
    assert add(*(rogue, honest)) == mul_base(x)
    T, rand = some_point(), bytes(32)
    for s in (0, x, Q - x):
        opening = keys.KeyOpening(rogue, T, rand, s)
        commitment = keys.digest(keys.Tag.KEY, CTX, rogue, rand)
        assert not keys.verify_key_opening(commitment, CTX, opening, OTHER_CTX)


def test_replayed_opening_of_another_seat_is_refused():
    """A copied opening fails under the copier's context, even with the commitment copied too."""
    octets = group.encode(OPENING)
    assert not accepts(octets, commit_ctx=CTX, open_ctx=b"copier" * 8)


def test_equal_keys_and_keys_that_cancel_have_no_joint_key():
    """Duplicates and a sum of O are refused, and no keys at all."""
    X, Y = some_point("X"), some_point("Y")
    assert keys.joint_key([X, Y]) == add(*(X, Y))
    assert keys.joint_key([X, X]) is None
    assert keys.joint_key([X, neg(X)]) is None
    assert keys.joint_key([]) is None


def test_two_contexts_never_share_a_nonce():
    """A seat that opens one key on two branches of a log gives no equation for x away."""
    again = keys.open_key(CTX, SECRET)
    assert again.X == OPENING.X
    assert again.T != OPENING.T
    assert keys.open_key(OTHER_CTX, SECRET) == OPENING


def test_secrets_do_not_print():
    """The text of a round secret holds no field."""
    assert repr(SECRET) == "RoundSecret()"


@pytest.mark.parametrize("length", [0, 129, 131])
def test_wrong_lengths_are_malformed(length):
    """130 octets, no others."""
    with pytest.raises(Malformed):
        keys.decode_key_opening(bytes(length))
