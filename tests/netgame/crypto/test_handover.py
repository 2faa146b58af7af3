"""A hidden tile given away: the same tile under another key, or refused."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netgame.crypto import group, handover
from netgame.crypto.group import Q, add, mul, mul_base, neg
from netgame.crypto.hand import HandStatement, prove_hand, verify_hand
from netgame.crypto.handover import HandOver, prove_hand_over, verify_hand_over
from netgame.crypto.masking import (
    Masked,
    prove_reveal,
    residual,
    reveal_token,
    tile_point,
    unmask,
    verify_reveal,
)
from netgame.crypto.transcript import Tag, challenge
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto.oracle_moving import hand_over_holds
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, flips, some_point

TABLE = dealt()
GIVER, TAKER, POSITION = 1, 2, 4
X_SECRET, X, Y = TABLE.xs[GIVER], TABLE.Xs[GIVER], TABLE.Xs[TAKER]
(RESIDUAL,) = TABLE.residuals(GIVER, (POSITION,))
(TILE,) = TABLE.held(GIVER, (POSITION,))
OVER = prove_hand_over(X_SECRET, CTX, RESIDUAL, Y, fixed("over"))
MASKED, SENT = OVER.masked, group.encode(OVER)
CLAIM = {"X": X, "ctx": CTX, "Y": Y, "residual": RESIDUAL}


def accepts(over=OVER, **changes):
    """Whether the good hand-over still stands with `changes`; the plain equations must agree."""
    claim = CLAIM | changes
    verdict = verify_hand_over(**claim, over=over)
    assert verdict == hand_over_holds(**claim, masked=over.masked, proof=over._asdict())
    return verdict


def received(octets, **changes):
    """Whether octets from a peer are accepted."""
    try:
        over = handover.decode_hand_over(octets)
    except Malformed:
        return False
    return verify_hand_over(**(CLAIM | changes), over=over)


def test_an_honest_hand_over_is_accepted():
    """Sent and received: 229 octets."""
    assert len(SENT) == 229
    over = handover.decode_hand_over(SENT)
    assert over == OVER
    assert over.masked == MASKED
    assert accepts()


def test_the_taker_finds_the_tile_and_nobody_else_does():
    """Under the taker's key alone the tile is the one that was given."""
    assert unmask(MASKED, reveal_token(TABLE.xs[TAKER], MASKED.A)) == tile_point(TILE)
    for seat in (0, GIVER):
        opened = unmask(MASKED, reveal_token(TABLE.xs[seat], MASKED.A))
        assert opened not in map(tile_point, TABLE.tiles)


def test_the_taker_plays_it_and_passes_over_it():
    """The new position is a residual like any other: laid by a token, counted in a claim."""
    x = TABLE.xs[TAKER]
    tokens, proof = prove_reveal(x, CTX, (99,), (MASKED.A,), fixed("lay"))
    assert verify_reveal(Y, CTX, (99,), (MASKED.A,), tokens, proof)
    assert unmask(MASKED, tokens[0]) == tile_point(TILE)
    hand = (*TABLE.residuals(TAKER, (7,)), MASKED)
    held = (*TABLE.held(TAKER, (7,)), TILE)
    claim = HandStatement(CTX, Y, (7, 99), hand, tuple(sorted(held)))
    assert verify_hand(claim, prove_hand(claim, x, held, fixed("pass")))
    without = replace(claim, tiles=tuple(t for t in TABLE.tiles if t != TILE))
    assert not verify_hand(without, prove_hand(without, x, held[:1], fixed("pass")))


def test_it_may_be_handed_on():
    """A tile that was handed over can be handed over again, back to its giver too."""
    over = prove_hand_over(TABLE.xs[TAKER], OTHER_CTX, MASKED, X, fixed("back"))
    assert verify_hand_over(Y, OTHER_CTX, X, MASKED, over)
    assert unmask(over.masked, reveal_token(X_SECRET, over.masked.A)) == tile_point(TILE)


def test_a_tile_put_back_lies_under_every_key():
    """Handed over to the joint key it opens with all tokens and with none missing."""
    over = prove_hand_over(X_SECRET, CTX, RESIDUAL, TABLE.X, fixed("joint"))
    masked = over.masked
    assert verify_hand_over(X, CTX, TABLE.X, RESIDUAL, over)
    tokens = [reveal_token(x, masked.A) for x in TABLE.xs]
    assert tile_point(TILE) == residual(masked, tokens).B
    for missing in range(3):
        left = residual(masked, [t for k, t in enumerate(tokens) if k != missing])
        assert left.B not in map(tile_point, TABLE.tiles)


def test_any_flipped_bit_is_refused():
    """C1, C2, T1, T2, T3, s and s_r, bit by bit; and one octet more or less."""
    for bit in range(8 * len(SENT)):
        bad = (int.from_bytes(SENT, "big") ^ 1 << bit).to_bytes(len(SENT), "big")
        assert not received(bad)
    assert not received(SENT[:-1])
    assert not received(SENT + b"\x00")


def test_every_part_of_the_statement_counts():
    """Other giver, context, taker, residual or result: refused."""
    (other,) = TABLE.residuals(GIVER, (POSITION + 1,))
    assert not accepts(X=TABLE.Xs[0])
    assert not accepts(X=neg(X))
    assert not any(accepts(ctx=bad) for bad in flips(CTX, 4))
    assert not accepts(Y=TABLE.Xs[0])
    assert not accepts(Y=neg(Y))
    assert not accepts(residual=other)
    assert not accepts(residual=Masked(neg(RESIDUAL.A), RESIDUAL.B))
    assert not accepts(residual=Masked(RESIDUAL.A, neg(RESIDUAL.B)))
    assert not accepts(residual=Masked(RESIDUAL.A, None))
    assert not accepts(OVER._replace(masked=Masked(neg(MASKED.A), MASKED.B)))
    assert not accepts(OVER._replace(masked=Masked(MASKED.A, neg(MASKED.B))))
    assert not accepts(OVER._replace(masked=Masked(MASKED.B, MASKED.A)))
    for name in ("T1", "T2", "T3"):
        assert not accepts(OVER._replace(**{name: neg(getattr(OVER, name))}))
    for name in ("s", "s_r"):
        assert not accepts(OVER._replace(**{name: (getattr(OVER, name) + 1) % Q}))


def test_replayed_hand_over_at_another_step_is_refused():
    """The same tile at another place in the log needs another proof."""
    assert received(SENT)
    assert not received(SENT, ctx=OTHER_CTX)


def lying(x, masked, r, A=RESIDUAL.A, key=Y):
    """Prove, by the book, that `masked` is the residual's tile, whatever it is."""
    w, w_r = 111, 222
    T1, T2 = mul_base(w), mul_base(w_r)
    T3 = add(mul(w, A), mul(Q - w_r, key))
    c = challenge(Tag.HAND_OVER, CTX, X, key, *RESIDUAL, *masked, T1, T2, T3)
    return HandOver(masked, T1, T2, T3, (w + c * x) % Q, (w_r + c * r) % Q)


def test_another_tile_in_its_place_is_refused():
    """A giver who keeps the good tile and hands over some other one has no proof."""
    swap = add(MASKED.B, add(tile_point((0, 0)), neg(tile_point(TILE))))
    masked = Masked(mul_base(77), add(tile_point((0, 0)), mul(77, Y)))
    assert not accepts(lying(X_SECRET, masked, 77))
    assert not accepts(OVER._replace(masked=Masked(MASKED.A, swap)))
    honest = Masked(mul_base(77), add(tile_point(TILE), mul(77, Y)))
    assert accepts(lying(X_SECRET, honest, 77))


def test_a_tile_under_a_key_of_the_givers_choice_is_refused():
    """A taker who cannot open what it got would be out of the game: the key is in the proof."""
    masked = Masked(mul_base(77), add(tile_point(TILE), mul(77, X)))
    assert not accepts(lying(X_SECRET, masked, 77))
    assert not accepts(lying(X_SECRET, masked, 77, key=X))


def test_a_tile_that_is_somebody_elses_is_refused():
    """Only who can open a residual can give it away."""
    over = prove_hand_over(TABLE.xs[0], CTX, RESIDUAL, Y, fixed("thief"))
    assert not accepts(over)
    assert not accepts(over._replace(masked=MASKED), X=TABLE.Xs[0])
    rest = lying(TABLE.xs[0], MASKED, 77)
    assert not accepts(rest)


def test_an_unmasked_tile_is_refused():
    """Infinity has no place in a hand-over, and an open tile is not handed over."""
    for bad in (Masked(None, MASKED.B), Masked(MASKED.A, None)):
        assert not verify_hand_over(**CLAIM, over=OVER._replace(masked=bad))
    bare = Masked(None, tile_point(TILE))
    assert not verify_hand_over(**(CLAIM | {"residual": bare}), over=OVER)
    with pytest.raises(LocalMisuse):
        prove_hand_over(X_SECRET, CTX, bare, Y, fixed("bare"))


def test_simulated_proof_without_the_secrets_is_refused():
    """First messages solved for a challenge chosen first fail: it follows from them."""
    c, s, s_r = 12345, 67890, 13579
    masked = Masked(some_point("C1"), some_point("C2"))
    T1 = add(mul_base(s), mul(Q - c, X))
    T2 = add(mul_base(s_r), mul(Q - c, masked.A))
    moved = add(RESIDUAL.B, neg(masked.B))
    T3 = add(add(mul(s, RESIDUAL.A), mul(Q - s_r, Y)), mul(Q - c, moved))
    assert not accepts(HandOver(masked, T1, T2, T3, s, s_r))


def test_a_second_proof_uses_other_nonces():
    """Even with entropy that repeats, other statements share neither r nor a first message."""
    takers = (Y, TABLE.X, TABLE.Xs[0])
    made = [prove_hand_over(X_SECRET, CTX, RESIDUAL, key, lambda n: bytes(n)) for key in takers]
    made.append(prove_hand_over(X_SECRET, OTHER_CTX, RESIDUAL, Y, lambda n: bytes(n)))
    assert len({over.masked.A for over in made}) == 4
    assert len({over.T1 for over in made} | {over.T2 for over in made}) == 8


@settings(max_examples=20, deadline=None)
@given(st.integers(1, Q - 1), st.integers(1, Q - 1), st.integers(1, Q - 1), st.binary(max_size=9))
def test_any_tile_may_go_to_any_key(x, y, r, ctx):
    """Whatever the keys, the randomness and the context: accepted, opened, and by both ways."""
    residual_ = Masked(mul_base(r), add(tile_point((2, 3)), mul(r, mul_base(x))))
    key, giver = mul_base(y), mul_base(x)
    over = prove_hand_over(x, ctx, residual_, key, fixed("any", ctx))
    masked = over.masked
    assert verify_hand_over(giver, ctx, key, residual_, over)
    assert hand_over_holds(giver, ctx, key, residual_, masked, over._asdict())
    assert unmask(masked, reveal_token(y, masked.A)) == tile_point((2, 3))


@pytest.mark.parametrize("length", [0, 228, 230])
def test_wrong_lengths_are_malformed(length):
    """229 octets, no others."""
    with pytest.raises(Malformed):
        handover.decode_hand_over(SENT.ljust(length, b"\x00")[:length])
