"""Claims over a hidden hand: what is true can be shown, what is false cannot, and no tile shows."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netgame.crypto import group, hand
from netgame.crypto.group import Q, add, mul, mul_base, neg
from netgame.crypto.hand import HandProof, HandStatement, Line, prove_hand, verify_hand
from netgame.crypto.masking import Masked, sum_masked, tile_point
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, flips, full_set, some_point

TABLE = dealt()
SEAT, POSITIONS = 1, (3, 4, 5)
X_SECRET, X = TABLE.xs[SEAT], TABLE.Xs[SEAT]
RESIDUALS = TABLE.residuals(SEAT, POSITIONS)
HELD = TABLE.held(SEAT, POSITIONS)
OTHERS = tuple(tile for tile in TABLE.tiles if tile not in HELD)
PLAYABLE = OTHERS[:4]
UNPLAYABLE = tuple(tile for tile in TABLE.tiles if tile not in PLAYABLE)
PASS = HandStatement(CTX, X, POSITIONS, RESIDUALS, UNPLAYABLE)
PASS_PROOF = prove_hand(PASS, X_SECRET, HELD, fixed("pass"))
PIPS = tuple(low + high for low, high in TABLE.tiles)
TOTAL = sum(low + high for low, high in HELD)
SCORE = HandStatement(CTX, X, POSITIONS, RESIDUALS, TABLE.tiles, "pip-total", (Line(PIPS, TOTAL),))
SCORE_PROOF = prove_hand(SCORE, X_SECRET, HELD, fixed("score"))


def received(statement, octets):
    """Whether octets from a peer are accepted as the proof of `statement`."""
    try:
        proof = hand.decode_hand_proof(octets, len(statement.tiles), len(statement.lines))
    except Malformed:
        return False
    return verify_hand(statement, proof)


@pytest.mark.parametrize(("statement", "proof"), [(PASS, PASS_PROOF), (SCORE, SCORE_PROOF)])
def test_an_honest_claim_is_accepted(statement, proof):
    """Sent and received, for a pass and for a score."""
    octets = group.encode(proof)
    assert len(octets) == 98 + 32 * (len(statement.tiles) + len(statement.lines))
    assert hand.decode_hand_proof(octets, len(statement.tiles), len(statement.lines)) == proof
    assert verify_hand(statement, proof)


@pytest.mark.parametrize(("statement", "proof"), [(PASS, PASS_PROOF), (SCORE, SCORE_PROOF)])
def test_any_flipped_octet_of_a_proof_is_refused(statement, proof):
    """T1, T2, every scalar and W, octet by octet, and one octet too many or too few."""
    octets = group.encode(proof)
    assert not any(received(statement, bad) for bad in flips(octets))
    assert not received(statement, octets[:-1])
    assert not received(statement, octets + b"\x00")


def test_every_part_of_the_statement_counts():
    """Kind, context, key, positions, residuals, tiles and lines are all in the challenge."""
    other = TABLE.residuals(SEAT, (3, 4, 6))
    changes = [
        {"kind": "no-double"},
        {"ctx": OTHER_CTX},
        {"key": TABLE.Xs[0]},
        {"positions": (3, 4, 6)},
        {"residuals": other},
        {"residuals": (Masked(neg(RESIDUALS[0].A), RESIDUALS[0].B), *RESIDUALS[1:])},
        {"tiles": tuple(t for t in TABLE.tiles if t != OTHERS[4])},
        {"tiles": tuple(sorted((*UNPLAYABLE[1:], PLAYABLE[0])))},
        {"lines": (Line((1,) * len(UNPLAYABLE), 3),)},
    ]
    for change in changes:
        assert not verify_hand(replace(PASS, **change), PASS_PROOF), change
    assert not any(verify_hand(replace(PASS, ctx=bad), PASS_PROOF) for bad in flips(CTX, 4))


def test_false_pass_with_a_playable_tile_in_hand_is_refused():
    """Whoever holds a playable tile can neither prove honestly nor leave the tile out."""
    without = tuple(tile for tile in TABLE.tiles if tile != HELD[0])
    lie = replace(PASS, tiles=without)
    with pytest.raises(LocalMisuse, match="excludes"):
        prove_hand(lie, X_SECRET, HELD, fixed("lie"))
    for counts in (HELD[1:], {HELD[1]: 2, HELD[2]: 1}, {without[0]: 1, HELD[1]: 1, HELD[2]: 1}):
        assert not verify_hand(lie, prove_hand(lie, X_SECRET, counts, fixed("lie")))


def test_pass_over_a_part_of_the_hand_is_refused():
    """A proof for two of three positions is none for the hand the log gives the seat."""
    part = replace(PASS, positions=POSITIONS[1:], residuals=RESIDUALS[1:])
    proof = prove_hand(part, X_SECRET, HELD[1:], fixed("part"))
    assert verify_hand(part, proof)
    assert not verify_hand(PASS, proof)


def test_halves_of_tiles_cannot_be_traded():
    """{0-1, 2-3} and {0-2, 1-3} have the same pips but not the same sum."""
    held, swapped = ((0, 1), (2, 3)), ((0, 2), (1, 3))
    residuals = tuple(
        Masked(mul_base(r), add(mul(r, X), tile_point(t)))
        for r, t in zip((5, 6), held, strict=True)
    )
    honest = HandStatement(CTX, X, (0, 1), residuals, held)
    assert verify_hand(honest, prove_hand(honest, X_SECRET, held, fixed("halves")))
    lie = HandStatement(CTX, X, (0, 1), residuals, swapped)
    assert not verify_hand(lie, prove_hand(lie, X_SECRET, swapped, fixed("halves")))


def test_wrong_key_is_refused():
    """Another seat cannot prove anything about this hand, nor its holder under another key."""
    assert not verify_hand(PASS, prove_hand(PASS, TABLE.xs[0], HELD, fixed("thief")))
    stolen = replace(PASS, key=TABLE.Xs[0])
    assert not verify_hand(stolen, prove_hand(stolen, TABLE.xs[0], HELD, fixed("thief")))


@pytest.mark.parametrize("off", [-1, 1, 2**15])
def test_a_wrong_total_is_refused(off):
    """Neither the honest proof nor a new one shows any number but the sum of the pips."""
    lie = replace(SCORE, lines=(Line(PIPS, max(0, TOTAL + off)),))
    assert not verify_hand(lie, SCORE_PROOF)
    assert not verify_hand(lie, prove_hand(lie, X_SECRET, HELD, fixed("lie")))


def test_total_with_its_first_message_adjusted_is_refused():
    """W is in the challenge: outside it, W = sum weight s - c total would fit any total."""
    for total in (0, TOTAL + 1):
        lie = replace(SCORE, lines=(Line(PIPS, total),))
        proof = prove_hand(lie, X_SECRET, HELD, fixed("lie"))
        c = hand._challenge(lie, *sum_masked(lie.residuals), proof.W, proof.T1, proof.T2)
        W = (sum(a * b for a, b in zip(PIPS, proof.s_t, strict=True)) - c * total) % Q
        assert not verify_hand(lie, proof._replace(W=(W,)))


def test_scores_may_weigh_tiles_as_they_like():
    """The double blank counts 50 in many houses: the weights are part of the statement."""
    weights = (50, *PIPS[1:])
    total = sum(weights[TABLE.tiles.index(tile)] for tile in HELD)
    lines = (Line(weights, total), Line((1,) * len(PIPS), 3))
    statement = replace(SCORE, lines=lines)
    proof = prove_hand(statement, X_SECRET, HELD, fixed("house"))
    assert verify_hand(statement, proof)
    assert received(statement, group.encode(proof))
    swapped = replace(statement, lines=lines[::-1])
    assert not verify_hand(swapped, proof)


def test_an_empty_hand_has_nothing_to_prove():
    """No proof is made for it and none is accepted."""
    empty = replace(PASS, positions=(), residuals=())
    assert not hand.is_provable(empty)
    assert not verify_hand(empty, PASS_PROOF)
    with pytest.raises(LocalMisuse):
        prove_hand(empty, X_SECRET, (), fixed("empty"))


def test_a_wild_end_leaves_no_way_to_pass():
    """With every tile playable Q is empty: a hand that holds tiles has no proof and must play."""
    wild = HandStatement(CTX, X, POSITIONS, RESIDUALS, ())
    assert not hand.is_provable(wild)
    assert not verify_hand(wild, HandProof(PASS_PROOF.T1, PASS_PROOF.T2, PASS_PROOF.s, ()))
    with pytest.raises(LocalMisuse):
        prove_hand(wild, X_SECRET, HELD, fixed("wild"))


@pytest.mark.parametrize(
    "change",
    [
        {"tiles": UNPLAYABLE[::-1]},
        {"tiles": (UNPLAYABLE[0], *UNPLAYABLE)},
        {"positions": (3, 3, 5)},
        {"positions": (3, 4)},
        {"lines": (Line((1,), 3),)},
        {"lines": (Line((-1,) * len(UNPLAYABLE), 3),)},
        {"lines": (Line((1,) * len(UNPLAYABLE), 2**16),)},
    ],
)
def test_statements_out_of_order_or_bounds_are_refused(change):
    """A tile or position twice, another order, a line too short or a number too large: no."""
    statement = replace(PASS, **change)
    assert not verify_hand(statement, PASS_PROOF)
    with pytest.raises(LocalMisuse):
        prove_hand(statement, X_SECRET, HELD, fixed("bounds"))


def test_proofs_of_another_shape_are_refused():
    """Exactly one scalar for each tile of Q and each line."""
    assert not verify_hand(PASS, PASS_PROOF._replace(s_t=PASS_PROOF.s_t[:-1]))
    assert not verify_hand(PASS, PASS_PROOF._replace(s_t=(*PASS_PROOF.s_t, 0)))
    assert not verify_hand(PASS, PASS_PROOF._replace(W=(0,)))
    assert not verify_hand(SCORE, SCORE_PROOF._replace(W=()))


def test_sums_that_are_infinity_are_fine():
    """SA = O and SB = O are computed values: an honest claim holds, a lie does not."""
    tile, other = (1, 2), (0, 3)
    residuals = (
        Masked(mul_base(9), add(mul(9, X), tile_point(tile))),
        Masked(mul_base(Q - 9), mul(Q - 9, X)),
    )
    statement = HandStatement(CTX, X, (0, 1), residuals, (tile,))
    assert verify_hand(statement, prove_hand(statement, X_SECRET, (tile,), fixed("SA")))
    lie = replace(statement, tiles=(other,))
    assert not verify_hand(lie, prove_hand(lie, X_SECRET, (other,), fixed("SA")))

    A = some_point("A")
    gone = (Masked(A, mul(X_SECRET, A)), Masked(neg(A), neg(mul(X_SECRET, A))))
    nothing = HandStatement(CTX, X, (0, 1), gone, (tile,))
    assert verify_hand(nothing, prove_hand(nothing, X_SECRET, (), fixed("SB")))
    assert not verify_hand(nothing, prove_hand(nothing, X_SECRET, (tile,), fixed("SB")))


@settings(max_examples=15, deadline=None)
@given(held=st.sets(st.sampled_from(full_set(4)), min_size=1, max_size=6), data=st.data())
def test_a_claim_holds_exactly_when_the_hand_lies_within_q(held, data):
    """For any hand and any Q: provable and accepted if the hand is in Q, else not."""
    claimed = tuple(sorted(data.draw(st.sets(st.sampled_from(full_set(4)), min_size=1))))
    held = sorted(held)
    residuals = tuple(
        Masked(mul_base(r), add(mul(r, X), tile_point(tile)))
        for r, tile in enumerate(held, start=7)
    )
    statement = HandStatement(CTX, X, tuple(range(len(held))), residuals, claimed)
    inside = [tile for tile in held if tile in claimed]
    proof = prove_hand(statement, X_SECRET, inside, fixed("any"))
    assert verify_hand(statement, proof) == (len(inside) == len(held))


def test_a_second_proof_uses_another_nonce():
    """Even with entropy that repeats, two claims that differ anywhere never share T1."""
    totals = (replace(SCORE, lines=(Line(PIPS, total),)) for total in (1, 2))
    claims = (PASS, replace(PASS, ctx=OTHER_CTX), replace(PASS, kind="no-double"), SCORE, *totals)
    firsts = {prove_hand(claim, X_SECRET, HELD, lambda n: bytes(n)).T1 for claim in claims}
    assert len(firsts) == 6


@pytest.mark.parametrize("octets", [b"", bytes(97), bytes(98 + 32 * len(UNPLAYABLE))])
def test_octets_that_are_no_proof_are_malformed(octets):
    """Lengths are exact and points are points."""
    with pytest.raises(Malformed):
        hand.decode_hand_proof(octets, len(UNPLAYABLE))
