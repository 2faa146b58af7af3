"""Moving a hidden tile from its holder's key to the joint key (protocol.md 5.9).

    A, B      residual of the tile, under X = xG of the giver
    Y         the joint key
    C1, C2    the same tile under Y: C1 = rG, C2 = B - xA + rY
    w, w_r    nonces       T1 = wG, T2 = w_r G, T3 = wA - w_r Y
    c         challenge    s = w + cx, s_r = w_r + cr

The proof shows X = xG, C1 = rG and B - C2 = xA - rY (Maurer 2009, the proof for a homomorphism):
the tile is the one that was there, whatever it is. The giver still knows it, as at a real table.
"""

from typing import NamedTuple

from netgame.crypto import group
from netgame.crypto.masking import Masked
from netgame.crypto.transcript import Tag, challenge, hedge
from netgame.errors import LocalMisuse


class HandOver(NamedTuple):
    """A tile handed back under the joint key, with the proof that it is the one the giver held.

    It is encoded in 229 octets: C1 || C2 || T1 || T2 || T3 || s || s_r.
    """

    masked: Masked
    """The tile under the joint key: an entry of the next deck to be shuffled."""
    T1: group.Point
    T2: group.Point
    T3: group.Point
    s: int
    s_r: int


def prove_hand_over(
    x: int, ctx: bytes, residual: Masked, Y: group.Point, entropy: group.Entropy
) -> HandOver:
    """Return the tile of `residual` under Y, with its proof; LocalMisuse if the residual's A is O.

    Publish the result as an entry, and send only those octets again: a second hand-over of one tile
    would have another r, and a nonce used twice gives x away.
    """
    A, B = residual
    if A is None:
        raise LocalMisuse("a tile that lies open is not handed over")
    X = group.base_point(x)
    claim = (ctx, X, Y, A, B)
    nonces = hedge(entropy, Tag.HAND_OVER, group.encode(x), *claim)
    r, w, w_r = (group.random_scalar(nonces) for _ in range(3))
    C2 = group.secret_multi_mul(0, (-x, r), (A, Y), plus=B)
    masked = Masked(group.base_point(r), C2)
    T1, T2 = group.base_point(w), group.base_point(w_r)
    T3 = group.secret_multi_mul(0, (w, -w_r), (A, Y))
    c = challenge(Tag.HAND_OVER, *claim, *masked, T1, T2, T3)
    return HandOver(masked, T1, T2, T3, (w + c * x) % group.Q, (w_r + c * r) % group.Q)


def verify_hand_over(
    X: group.Point, ctx: bytes, Y: group.Point, residual: Masked, over: HandOver
) -> bool:
    """Return True if `over.masked` is, under Y, the tile that `residual` is under X.

    The equations are sG = T1 + cX, s_r G = T2 + c C1 and sA - s_r Y = T3 + c(B - C2).

    All arguments may be hostile; none is secret. False if A, C1 or C2 is O.
    """
    (A, B), ((C1, C2), T1, T2, T3, s, s_r) = residual, over
    if A is None or C1 is None or C2 is None:
        return False
    c = challenge(Tag.HAND_OVER, ctx, X, Y, A, B, C1, C2, T1, T2, T3)
    if not group.is_answer(s, c, T1, X):
        return False
    if not group.is_answer(s_r, c, T2, C1):
        return False
    return group.multi_mul((s, -s_r, -1, -c), (A, Y, T3, group.sub(B, C2))) is None


def decode_hand_over(octets: bytes) -> HandOver:
    """Decode a hand-over; Malformed unless it is exactly 229 good octets."""
    (C1, C2, T1, T2, T3), _, (s, s_r) = group.decode(octets, "a hand-over", 5, 2)
    return HandOver(Masked(C1, C2), T1, T2, T3, s, s_r)
