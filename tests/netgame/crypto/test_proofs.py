"""Tokens with their proof: x times this A, at this position, here and now, or refused."""

from dataclasses import replace

import pytest

from netgame.crypto import proofs
from netgame.crypto.group import Q, add, mul, mul_base, multi_mul, neg
from netgame.crypto.proofs import prove_reveal, verify_reveal
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, flips, some_point

TABLE = dealt()
X_SECRET, X = TABLE.xs[1], TABLE.Xs[1]
POSITIONS = (4, 7, 0, 9)
AS = tuple(TABLE.deck[p].A for p in POSITIONS)
TOKENS, PROOF = prove_reveal(X_SECRET, CTX, POSITIONS, AS, fixed("reveal"))
CLAIM = {"X": X, "ctx": CTX, "positions": POSITIONS, "As": AS, "tokens": TOKENS, "proof": PROOF}


def accepts(**changes):
    """Whether the good claim still stands with `changes`."""
    return verify_reveal(**(CLAIM | changes))


@pytest.mark.parametrize("count", [1, 2, 4])
def test_an_honest_reveal_is_accepted(count):
    """One position or many, sent and received."""
    tokens, proof = prove_reveal(X_SECRET, CTX, POSITIONS[:count], AS[:count], fixed("r", count))
    octets = proofs.encode_reveal_proof(proof)
    assert len(octets) == proofs.REVEAL_PROOF_BYTES == 98
    assert proofs.decode_reveal_proof(octets) == proof
    received = proofs.decode_tokens(proofs.encode_tokens(tokens), count)
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
    octets = proofs.encode_reveal_proof(PROOF)
    for bit in range(8 * len(octets)):
        bad = (int.from_bytes(octets, "big") ^ 1 << bit).to_bytes(len(octets), "big")
        try:
            proof = proofs.decode_reveal_proof(bad)
        except Malformed:
            continue
        assert not verify_reveal(X, CTX, POSITIONS, AS, TOKENS, proof)


def test_any_flipped_octet_of_the_tokens_is_refused():
    """Tokens, octet by octet."""
    for bad in flips(proofs.encode_tokens(TOKENS)):
        try:
            tokens = proofs.decode_tokens(bad, len(TOKENS))
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
    assert not accepts(proof=replace(PROOF, s=(PROOF.s + 1) % Q))
    assert not accepts(proof=replace(PROOF, T2=neg(PROOF.T2)))


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
    _, rho = proofs._statement(X, CTX, POSITIONS, AS, TOKENS)
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
    forged = proofs.RevealProof(T1, T2, s)
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
        proofs.decode_reveal_proof(bytes(length))
    with pytest.raises(Malformed):
        proofs.decode_tokens(proofs.encode_tokens(TOKENS), 3)
