"""Masked tiles: everybody's token is needed, and then the tile is the one that went in.

And tokens with their proof: x times this A, at this position, here and now, or refused.
"""

import pytest

from netgame.crypto import group, masking
from netgame.crypto.group import Q, add, mul, mul_base, multi_mul, neg
from netgame.crypto.masking import Masked, prove_reveal, verify_reveal
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, flips, full_set, some_point

TABLE = dealt()
X_SECRET, X = TABLE.xs[1], TABLE.Xs[1]
POSITIONS = (4, 7, 0, 9)
AS = tuple(TABLE.deck[p].A for p in POSITIONS)
TOKENS, PROOF = prove_reveal(X_SECRET, CTX, POSITIONS, AS, fixed("reveal"))
CLAIM = {"X": X, "ctx": CTX, "positions": POSITIONS, "As": AS, "tokens": TOKENS, "proof": PROOF}


def test_the_first_deck_shows_every_tile_in_order():
    """E_0 is (O, M_t) in the order given, and a look-up names each tile."""
    tiles = full_set(6)
    named = masking.tile_points(tiles)
    assert [named[masked.B] for masked in masking.initial_deck(tiles)] == list(tiles)
    assert all(masked.A is None for masked in masking.initial_deck(tiles))
    assert len(named) == 28


def test_a_shuffled_deck_opens_to_every_tile_once():
    """With all tokens off, the deck is a permutation of the set."""
    table = dealt()
    positions = range(len(table.tiles))
    assert sorted(table.held(1, positions)) == list(table.tiles)
    assert table.held(0, positions) == table.held(2, positions)


def test_without_one_token_no_tile_shows():
    """The residual of a position is no tile's point, whoever is missing."""
    table = dealt()
    named = masking.tile_points(table.tiles)
    for seat in range(3):
        assert not any(left.B in named for left in table.residuals(seat, range(10)))


def test_tokens_come_off_in_any_order():
    """A residual over two tokens is that of one after the other."""
    first, second = some_point("first"), some_point("second")
    masked = Masked(some_point("A"), some_point("B"))
    step = masking.residual(masking.residual(masked, [second]), [first])
    assert masking.residual(masked, [first, second]) == step
    assert masking.unmask(step, None) == step.B
    assert masking.unmask(masked, masked.B) is None


def test_taking_the_own_token_off_is_not_remembered():
    """Neither the token nor the tile that it opens: both are secret until they are shown."""
    left, x = TABLE.residuals(1, (4,))[0], TABLE.xs[1]
    group.forget_points()
    group.add(left.A, left.B)  # they are public
    before = dict(group._remembered)
    tile = masking.unmask(left, masking.reveal_token(x, left.A))
    assert group._remembered == before
    assert tile == masking.tile_point(TABLE.held(1, (4,))[0])


def test_a_deck_survives_the_wire():
    """66 octets a tile, and the same deck again."""
    deck = dealt().deck
    octets = group.encode(deck)
    assert len(octets) == 66 * len(deck)
    assert masking.decode_deck(octets, len(deck)) == deck
    assert masking.decode_deck(b"", 0) == ()


def test_a_deck_with_infinity_is_neither_sent_nor_taken():
    """O has no octets: neither zeros nor a missing entry stand for it."""
    deck = dealt().deck
    with pytest.raises(LocalMisuse):
        group.encode(masking.initial_deck(((0, 0),)))
    with pytest.raises(Malformed):
        masking.decode_deck(bytes(33) + group.encode(deck)[33:], len(deck))


@pytest.mark.parametrize("n", [9, 11])
def test_a_deck_of_another_size_is_malformed(n):
    """Every tile is there and none is added."""
    with pytest.raises(Malformed):
        masking.decode_deck(group.encode(dealt().deck), n)


def test_a_flipped_octet_of_a_deck_is_another_deck():
    """Encoding is one to one: what still decodes has another digest."""
    deck = dealt().deck[:2]
    seen = {masking.deck_digest(deck)}
    for bad in flips(group.encode(deck)):
        try:
            seen.add(masking.deck_digest(masking.decode_deck(bad, 2)))
        except Malformed:
            continue
    assert len(seen) > 50


def test_a_token_for_infinity_is_a_bug():
    """No seat gives a share of a tile that lies open."""
    with pytest.raises(LocalMisuse):
        masking.reveal_token(5, None)
    assert masking.reveal_token(1, some_point()) == some_point()
    assert masking.residual(Masked(None, some_point()), [neg(some_point())]).A is None


# ---- tokens with their proof ----------------------------------------------------------------


def accepts(**changes):
    """Whether the good claim still stands with `changes`."""
    return verify_reveal(**(CLAIM | changes))


@pytest.mark.parametrize("count", [1, 2, 4])
def test_an_honest_reveal_is_accepted(count):
    """One position or many, sent and received."""
    tokens, proof = prove_reveal(X_SECRET, CTX, POSITIONS[:count], AS[:count], fixed("r", count))
    octets = group.encode(proof)
    assert len(octets) == 98
    assert masking.decode_reveal_proof(octets) == proof
    received = group.decode_points(group.encode(tokens), count)
    assert received == tokens == tuple(mul(X_SECRET, A) for A in AS[:count])
    assert verify_reveal(X, CTX, POSITIONS[:count], AS[:count], received, proof)


def test_positions_may_name_their_chain():
    """A position is a number or a pair of chain and index: two different statements."""
    pairs = tuple((1, p) for p in POSITIONS)
    tokens, proof = prove_reveal(X_SECRET, CTX, pairs, AS, fixed("pairs"))
    assert verify_reveal(X, CTX, pairs, AS, tokens, proof)
    assert not verify_reveal(X, CTX, POSITIONS, AS, tokens, proof)
    assert not verify_reveal(X, CTX, tuple((2, p) for p in POSITIONS), AS, tokens, proof)


def test_any_flipped_bit_of_a_proof_is_refused():
    """T1, T2 and s, bit by bit: malformed or not accepted."""
    octets = group.encode(PROOF)
    for bit in range(8 * len(octets)):
        bad = (int.from_bytes(octets, "big") ^ 1 << bit).to_bytes(len(octets), "big")
        try:
            proof = masking.decode_reveal_proof(bad)
        except Malformed:
            continue
        assert not verify_reveal(X, CTX, POSITIONS, AS, TOKENS, proof)


def test_any_flipped_octet_of_the_tokens_is_refused():
    """Tokens, octet by octet."""
    for bad in flips(group.encode(TOKENS)):
        try:
            tokens = group.decode_points(bad, len(TOKENS))
        except Malformed:
            continue
        assert not verify_reveal(X, CTX, POSITIONS, AS, tokens, PROOF)


def test_any_flipped_octet_of_the_context_is_refused():
    """A proof made elsewhere in the log does not count here."""
    assert not any(verify_reveal(X, bad, POSITIONS, AS, TOKENS, PROOF) for bad in flips(CTX, 4))


def test_every_part_of_the_statement_counts():
    """Other key, context, positions, ciphertexts or tokens: refused."""
    assert accepts()
    assert not accepts(X=TABLE.Xs[0])
    assert not accepts(X=neg(X))
    assert not accepts(ctx=OTHER_CTX)
    assert not accepts(positions=(4, 7, 0, 8))
    assert not accepts(As=(*AS[:3], TABLE.deck[8].A))
    assert not accepts(tokens=(*TOKENS[:3], neg(TOKENS[3])))
    assert not accepts(proof=PROOF._replace(s=(PROOF.s + 1) % Q))
    assert not accepts(proof=PROOF._replace(T2=neg(PROOF.T2)))


def test_reveal_for_another_position_is_refused():
    """Tokens that are good, but each for the other's position."""
    assert not accepts(tokens=(TOKENS[1], TOKENS[0], *TOKENS[2:]))
    assert not accepts(positions=(7, 4, 0, 9))


def test_tokens_whose_errors_cancel_are_refused():
    """Adding D to one token and taking it from another keeps their sum, not the folded sum."""
    shift = some_point("shift")
    bad = (add(TOKENS[0], shift), add(TOKENS[1], neg(shift)), *TOKENS[2:])
    assert not accepts(tokens=bad)


def test_tokens_chosen_after_the_factors_are_refused():
    """Errors weighed against each other by the factors cancel in the folded sum.

    They could be chosen so if the factors did not depend on the tokens.
    """
    _, rho = masking._statement(X, CTX, POSITIONS, AS, TOKENS)
    first, second = some_point("first"), mul(rho[0] * pow(rho[1], -1, Q), some_point("first"))
    bad = (add(TOKENS[0], first), add(TOKENS[1], neg(second)), *TOKENS[2:])
    folded = multi_mul(rho, TOKENS)
    assert multi_mul(rho, bad) == folded
    assert not accepts(tokens=bad)


def test_an_empty_or_uneven_or_repeated_batch_is_refused():
    """Nothing is claimed by an empty list, and no position is shown twice in one entry."""
    assert not accepts(positions=(), As=(), tokens=())
    assert not accepts(positions=POSITIONS[:3])
    assert not accepts(tokens=TOKENS[:3])
    assert not accepts(As=AS[:3])
    tokens, proof = prove_reveal(X_SECRET, CTX, (1, 1), AS[:2], fixed("twice"))
    assert not accepts(positions=(1, 1), As=AS[:2], tokens=tokens, proof=proof)


def test_infinity_is_refused_as_token_and_as_ciphertext():
    """O times anything is O: a share of it says nothing about x."""
    assert not accepts(tokens=(None, *TOKENS[1:]))
    assert not accepts(As=(None, *AS[1:]))


def test_simulated_proof_without_the_secret_is_refused():
    """T1 and T2 solved for a challenge chosen first fail: the challenge follows from them."""
    c, s = 12345, 67890
    T1 = add(mul_base(s), mul(Q - c, X))
    T2 = add(mul(s, AS[0]), mul(Q - c, TOKENS[1]))
    forged = masking.RevealProof(T1, T2, s)
    assert not accepts(positions=(4,), As=AS[:1], tokens=(TOKENS[1],), proof=forged)


def test_wrong_key_holder_cannot_give_anothers_share():
    """A share made and proved with one key is none under another."""
    tokens, proof = prove_reveal(TABLE.xs[0], CTX, POSITIONS, AS, fixed("other"))
    assert not accepts(tokens=tokens, proof=proof)
    assert accepts(X=TABLE.Xs[0], tokens=tokens, proof=proof)


def test_a_second_proof_uses_another_nonce():
    """Even with entropy that repeats, two statements never share T1; else x would follow."""
    _, again = prove_reveal(X_SECRET, OTHER_CTX, POSITIONS, AS, fixed("reveal"))
    assert again.T1 != PROOF.T1


@pytest.mark.parametrize(("positions", "As"), [((), ()), ((1,), AS[:2]), ((1,), (None,))])
def test_a_reveal_of_nothing_is_a_bug(positions, As):
    """Our own code asks for at least one position, an A for each, and none that lies open."""
    with pytest.raises(LocalMisuse):
        prove_reveal(X_SECRET, CTX, positions, As, fixed("bug"))


@pytest.mark.parametrize("length", [0, 97, 99])
def test_wrong_lengths_are_malformed(length):
    """98 octets and 33 for each token, no others."""
    with pytest.raises(Malformed):
        masking.decode_reveal_proof(bytes(length))
    with pytest.raises(Malformed):
        group.decode_points(group.encode(TOKENS), 3)
