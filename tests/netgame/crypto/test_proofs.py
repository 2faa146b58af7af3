"""Properties that all proofs share: a proof is exactly its octets, and every octet counts.

The vectors and the forgeries show that a proof hashes the right things and that every equation
is checked.
"""

import pytest

from netgame.crypto import blanks, keys, rebuild, shuffle
from netgame.crypto.masking import Masked
from netgame.crypto.signing import make_signing_key
from netgame.errors import Malformed
from tests.netgame.crypto.proved import PROOFS, Case, encoded, read
from tests.netgame.crypto.table import OTHER_CTX, SEED, fixed, flips

SAMPLES = [
    (PROOFS[name], Case(read(name)["accepted"][at]))
    for name, at in (
        ("keys", 0),
        ("shuffle", 2),
        ("reveal", 1),
        ("hand", 0),
        ("hand", 1),
        ("handover", 0),
        ("rebuild", 0),
        ("leave", 0),
    )
]
every_proof = pytest.mark.parametrize(("way", "v"), SAMPLES, ids=[v["name"] for _, v in SAMPLES])


def accepts(way, v, octets, **changes):
    """Return True if these octets from a peer are accepted as this proof."""
    try:
        return way.verify(Case(v | changes), way.decode(v, octets))
    except Malformed:
        return False


@every_proof
def test_an_honest_proof_comes_back_as_it_was(way, v):
    """An honest proof encodes back to its octets; one octet more or less is malformed."""
    assert encoded(way.decode(v, v.octets)) == v.octets
    for bad in (b"", v.octets[:-1], v.octets + b"\0"):
        with pytest.raises(Malformed):
            way.decode(v, bad)


@every_proof
def test_any_flipped_octet_is_refused(way, v):
    """A proof is refused if a bit of it, or of its context, is flipped."""
    assert accepts(way, v, v.octets)
    assert not any(accepts(way, v, bad) for bad in flips(v.octets))
    ctx = bytes.fromhex(v[way.ctx])
    for other in (OTHER_CTX, *flips(ctx, 8)):
        assert not accepts(way, v, v.octets, **{way.ctx: other.hex()})


@every_proof
def test_lists_of_another_length_and_infinity_are_refused(way, v):
    """A proof is refused if one of its lists is empty, has a wrong length, or contains O.

    No octets decode to such a list, so the test changes the decoded proof.
    """
    proof = way.decode(v, v.octets)
    for name, members in proof._asdict().items():
        if not isinstance(members, tuple) or hasattr(members, "_fields"):
            continue
        wrong = [members[:-1], (*members, members[0] if members else 0), ()]
        for other in filter(members.__ne__, wrong):
            assert not way.verify(v, proof._replace(**{name: other}))
        first, *rest = members or (0,)
        if isinstance(first, Masked):
            holes = [first._replace(A=None), first._replace(B=None)]
        else:
            holes = [None] * isinstance(first, bytes)
        for hole in holes:
            assert not way.verify(v, proof._replace(**{name: (hole, *rest)}))


@pytest.mark.parametrize("n", [0, 1, 3])
def test_octets_for_another_number_of_tiles_are_malformed(n):
    """Octets for a different number of tiles are malformed: the log gives the number of tiles."""
    for name, decode in (
        ("shuffle", shuffle.decode_shuffle_proof),
        ("leave", blanks.decode_blinding),
        ("rebuild", lambda octets, n: rebuild.decode_rebuild(octets, n + 1)),
    ):
        octets = bytes.fromhex(read(name)["accepted"][1]["octets"])
        with pytest.raises(Malformed):
            decode(octets, 2 * n)


def test_secrets_do_not_print():
    """The `repr` of a round's key, a permutation or a signing key hides the secret."""
    assert repr(keys.make_round_secret(fixed("round"))) == "RoundSecret()"
    assert repr(shuffle.make_shuffle_secret(3, fixed("repr"))) == "ShuffleSecret()"
    key = make_signing_key(SEED)
    assert SEED.hex() not in repr(key)
    assert repr(SEED) not in repr(key)
