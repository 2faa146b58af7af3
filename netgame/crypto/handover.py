"""A hidden tile given away: from under the giver's key to under another (protocol.md 5.9).

    A, B      residual of the tile, under X = xG of the giver
    Y         the taker's round key, or the joint key for a tile put back unseen
    C1, C2    the same tile under Y: C1 = rG, C2 = B - xA + rY
    w, w_r    nonces       T1 = wG, T2 = w_r G, T3 = wA - w_r Y
    c         challenge    s = w + cx, s_r = w_r + cr

Shows X = xG, C1 = rG and B - C2 = xA - rY (Maurer 2009, the proof for a homomorphism): the tile is
the one that was there, whatever it is. The giver goes on knowing it, as at a table.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from netgame.crypto import group
from netgame.crypto.entropy import hedge
from netgame.crypto.masking import MASKED_BYTES, Masked, encode_deck
from netgame.crypto.transcript import TAG_HAND_OVER, Part, challenge
from netgame.errors import LocalMisuse, Malformed

HAND_OVER_PROOF_BYTES: Final = 3 * group.POINT_BYTES + 2 * group.SCALAR_BYTES
HAND_OVER_BYTES: Final = MASKED_BYTES + HAND_OVER_PROOF_BYTES


@dataclass(frozen=True, slots=True)
class HandOverProof:
    """That a tile under one key is the tile that was under another."""

    T1: group.Point
    T2: group.Point
    T3: group.Point
    s: int
    s_r: int


class HandOver(NamedTuple):
    """What the giver sends: a residual of the taker, or an entry of the next chain; its proof."""

    masked: Masked
    proof: HandOverProof


def _claim(ctx: bytes, X: group.Point, Y: group.Point, residual: Masked) -> tuple[Part, ...]:
    return (ctx, X, Y, residual.A, residual.B)


def _challenge(
    claim: tuple[Part, ...], masked: Masked, T1: group.Point, T2: group.Point, T3: group.Point
) -> int:
    return challenge(TAG_HAND_OVER, *claim, masked.A, masked.B, T1, T2, T3)


def prove_hand_over(
    x: int, ctx: bytes, residual: Masked, Y: group.Point, entropy: group.Entropy
) -> HandOver:
    """Give the tile of `residual` under Y, with its proof; LocalMisuse if the residual's A is O.

    Publish the result as an entry and resend those bytes: a second hand-over of one tile would lie
    under another r, and a nonce used twice gives x away.
    """
    A, B = residual
    if A is None:
        raise LocalMisuse("a tile that lies open is not handed over")
    X = group.require_point(group.mul_base(x))
    claim = _claim(ctx, X, Y, residual)
    nonces = hedge(entropy, TAG_HAND_OVER, group.encode_scalar(x), *claim)
    r, w, w_r = (group.random_scalar(nonces) for _ in range(3))
    C2 = group.require_point(group.secret_multi_mul(0, (-x, r), (A, Y), plus=B))
    masked = Masked(group.require_point(group.mul_base(r)), C2)
    T1, T2 = group.require_point(group.mul_base(w)), group.require_point(group.mul_base(w_r))
    T3 = group.require_point(group.secret_multi_mul(0, (w, -w_r), (A, Y)))
    c = _challenge(claim, masked, T1, T2, T3)
    proof = HandOverProof(T1, T2, T3, (w + c * x) % group.Q, (w_r + c * r) % group.Q)
    return HandOver(masked, proof)


def verify_hand_over(
    X: group.Point,
    ctx: bytes,
    Y: group.Point,
    residual: Masked,
    masked: Masked,
    proof: HandOverProof,
) -> bool:
    """Whether `masked` is, under Y, the tile that `residual` is under X.

    sG = T1 + cX, s_r G = T2 + c C1, sA - s_r Y = T3 + c(B - C2).

    All arguments may be hostile; none is secret. Refuses O as A, C1 or C2.
    """
    A, B = residual
    C1, C2 = masked
    if A is None or C1 is None or C2 is None:
        return False
    c = _challenge(_claim(ctx, X, Y, residual), masked, proof.T1, proof.T2, proof.T3)
    if group.mul_base(proof.s) != group.multi_mul((1, c), (proof.T1, X)):
        return False
    if group.mul_base(proof.s_r) != group.multi_mul((1, c), (proof.T2, C1)):
        return False
    moved = (A, Y, proof.T3, group.sub(B, C2))
    return group.multi_mul((proof.s, -proof.s_r, -1, -c), moved) is None


def encode_hand_over(masked: Masked, proof: HandOverProof) -> bytes:
    """Give C1 || C2 || T1 || T2 || T3 || s || s_r: 229 octets."""
    points = encode_deck((masked,)) + proof.T1 + proof.T2 + proof.T3
    return points + group.encode_scalar(proof.s) + group.encode_scalar(proof.s_r)


def decode_hand_over(octets: bytes) -> HandOver:
    """Take a hand-over from elsewhere; Malformed unless it is exactly 229 good octets."""
    if len(octets) != HAND_OVER_BYTES:
        raise Malformed(f"a hand-over must be {HAND_OVER_BYTES} octets")
    C1, C2, T1, T2, T3 = group.decode_points(octets[: 5 * group.POINT_BYTES], 5)
    s, s_r = group.decode_scalars(octets[5 * group.POINT_BYTES :], 2)
    return HandOver(Masked(C1, C2), HandOverProof(T1, T2, T3, s, s_r))
