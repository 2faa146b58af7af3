"""Claims about a hidden hand: only true ones can be proved."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netgame.crypto.hand import HandStatement, is_provable, prove_hand, verify_hand
from netgame.errors import LocalMisuse
from tests.netgame.crypto.table import CTX, dealt, fixed, full_set, sums_of_infinity, tile_under

X_SECRET, X = dealt().xs[1], dealt().Xs[1]
TILES = full_set(4)
HELD = ((0, 2), (1, 1), (3, 4))


def claim(held, tiles):
    """Return the claim that a hand, masked under X, is within `tiles`; it may be false."""
    residuals = tuple(tile_under(X, r, tile) for r, tile in enumerate(held, start=7))
    return HandStatement(CTX, X, tuple(range(len(held))), residuals, tiles)


PASS = claim(HELD, TILES)


@settings(max_examples=15)
@given(
    held=st.sets(st.sampled_from(TILES), min_size=1, max_size=6).map(sorted),
    claimed=st.sets(st.sampled_from(TILES), min_size=1),
)
def test_a_claim_holds_exactly_when_the_hand_lies_within_q(held, claimed):
    """A proof that a hand is within a set of tiles is accepted exactly if that is true."""
    statement = claim(held, tuple(sorted(claimed)))
    inside = [tile for tile in held if tile in claimed]
    proof = prove_hand(statement, X_SECRET, inside, fixed("any"))
    assert verify_hand(statement, proof) == (len(inside) == len(held))


def test_whoever_holds_a_tile_outside_q_is_told_before_a_proof_is_made():
    """Proving a claim about a hand with a tile outside the claimed set raises LocalMisuse.

    The error names that tile.
    """
    with pytest.raises(LocalMisuse, match="holds 3-4, which the claim excludes"):
        prove_hand(claim(HELD, TILES[:-2]), X_SECRET, HELD, fixed("lie"))


@pytest.mark.parametrize("change", [{"positions": (), "residuals": ()}, {"positions": (3, 4)}])
def test_statements_without_a_hand_or_out_of_bounds_are_refused(change):
    """A claim is refused if its hand is empty, or if it has fewer positions than residuals."""
    proof, statement = prove_hand(PASS, X_SECRET, HELD, fixed("pass")), replace(PASS, **change)
    assert verify_hand(PASS, proof)
    assert not is_provable(statement)
    assert not verify_hand(statement, proof)
    with pytest.raises(LocalMisuse):
        prove_hand(statement, X_SECRET, HELD, fixed("bounds"))


def test_sums_that_are_infinity_are_fine():
    """An honest claim is accepted, and a false one refused, even if SA or SB is O.

    These are the sums of the first and of the second halves of the hand.
    """
    tile = (1, 2)
    for residuals, held in sums_of_infinity(X_SECRET, tile):
        statement = HandStatement(CTX, X, (0, 1), residuals, ((0, 3), tile))
        for said in ((), (tile,), ((0, 3),)):
            proof = prove_hand(statement, X_SECRET, said, fixed("sums"))
            assert verify_hand(statement, proof) == (said == held)
