"""Reveal proofs: tokens that really are x times A, many at once (protocol.md 5.6).

    A_p, D_p     first half of position p and its token D_p = x A_p
    rho_p        128-bit factors that fold all positions into A* = sum rho_p A_p
    T1, T2       wG and wA*             c, s     challenge and answer s = w + cx

Chaum and Pedersen 1992 for the folded pair, with the whole statement in the hash before rho.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from netgame.crypto.entropy import hedge
from netgame.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    Element,
    Entropy,
    Point,
    Q,
    decode_point,
    decode_points,
    decode_scalar,
    encode_scalar,
    mul_base,
    mul_secret,
    multi_mul,
    random_scalar,
    require_point,
)
from netgame.crypto.masking import reveal_token
from netgame.crypto.transcript import (
    TAG_REVEAL,
    TAG_REVEAL_CHALLENGE,
    TAG_REVEAL_WEIGHT,
    challenge,
    digest,
    weight,
)
from netgame.errors import LocalMisuse, Malformed

Position: TypeAlias = int | tuple[int, int]
"""Where a tile is: a number, or the number of its chain and its index there."""

REVEAL_PROOF_BYTES: Final = 2 * POINT_BYTES + SCALAR_BYTES


@dataclass(frozen=True, slots=True)
class RevealProof:
    """That every token of a batch was made with the secret behind one public key."""

    T1: Point
    T2: Point
    s: int


def _statement(
    X: Point,
    ctx: bytes,
    positions: Sequence[Position],
    As: Sequence[Element],
    tokens: Sequence[Element],
) -> tuple[bytes, list[int]]:
    """Give v and the factors rho_p."""
    v = digest(TAG_REVEAL, ctx, X, positions, As, tokens)
    return v, [weight(TAG_REVEAL_WEIGHT, v, position) for position in positions]


def prove_reveal(
    x: int, ctx: bytes, positions: Sequence[Position], As: Sequence[Element], entropy: Entropy
) -> tuple[tuple[Point, ...], RevealProof]:
    """Give the tokens for all `positions` and one proof; LocalMisuse for none or for A = O.

    Publish the result as an entry and resend those bytes; never call this again for the same slot.
    """
    if not positions or len(positions) != len(As):
        raise LocalMisuse("a reveal needs at least one position and an A for each")
    X = require_point(mul_base(x))
    tokens = tuple(reveal_token(x, A) for A in As)
    v, rho = _statement(X, ctx, positions, As, tokens)
    w = random_scalar(hedge(entropy, TAG_REVEAL_CHALLENGE, encode_scalar(x), v))
    T1 = require_point(mul_base(w))
    T2 = require_point(mul_secret(w, multi_mul(rho, As)))
    c = challenge(TAG_REVEAL_CHALLENGE, v, T1, T2)
    return tokens, RevealProof(T1, T2, (w + c * x) % Q)


def _well_formed(
    positions: Sequence[Position], As: Sequence[Element], tokens: Sequence[Element]
) -> bool:
    """Whether the lists fit each other and no token is O, which alone is the token of A = O."""
    sizes_fit = 0 < len(positions) == len(As) == len(tokens) == len(set(positions))
    return sizes_fit and None not in tokens


def verify_reveal(
    X: Point,
    ctx: bytes,
    positions: Sequence[Position],
    As: Sequence[Element],
    tokens: Sequence[Element],
    proof: RevealProof,
) -> bool:
    """Whether each token is x times its A, for the x behind X.

    sG = T1 + cX and sA* = T2 + c sum rho_p D_p.

    All arguments may be hostile; none is secret. Refuses an empty batch, O, and a position twice.
    """
    if not _well_formed(positions, As, tokens):
        return False
    v, rho = _statement(X, ctx, positions, As, tokens)
    c = challenge(TAG_REVEAL_CHALLENGE, v, proof.T1, proof.T2)
    if mul_base(proof.s) != multi_mul((1, c), (proof.T1, X)):
        return False
    folded = (multi_mul(rho, As), proof.T2, multi_mul(rho, tokens))
    return multi_mul((proof.s, -1, -c), folded) is None


def encode_reveal_proof(proof: RevealProof) -> bytes:
    """Give T1 || T2 || s: 98 octets."""
    return proof.T1 + proof.T2 + encode_scalar(proof.s)


def decode_reveal_proof(octets: bytes) -> RevealProof:
    """Take a proof from elsewhere; Malformed unless it is exactly 98 good octets."""
    if len(octets) != REVEAL_PROOF_BYTES:
        raise Malformed(f"a reveal proof must be {REVEAL_PROOF_BYTES} octets")
    return RevealProof(
        decode_point(octets[:33]), decode_point(octets[33:66]), decode_scalar(octets[66:])
    )


def encode_tokens(tokens: Sequence[Element]) -> bytes:
    """Give the tokens one after the other, 33 octets each."""
    return b"".join(map(require_point, tokens))


def decode_tokens(octets: bytes, n: int) -> tuple[Point, ...]:
    """Take exactly n tokens from elsewhere; else Malformed."""
    return decode_points(octets, n)
