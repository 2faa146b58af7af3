"""The linear proof about a hidden hand: the tiles it cannot hold (protocol.md 5.7).

    A_p, B_p   residual of position p: under the holder's key X = xG alone
    SA, SB     their sums over the whole hand         Q      the tiles the hand may consist of
    k_t        how often tile t is in the hand        M_t    the point of tile t
    w, w_t     nonces      T1 = wG, T2 = w SA + sum w_t M_t
    c          challenge   s = w + cx, s_t = w_t + c k_t

The proof shows X = xG and SB = x SA + sum over Q of k_t M_t (Maurer 2009, the proof for a
homomorphism). By the shuffle proof the hand is a sum of real tiles. If a held tile were outside Q,
this would be a second representation of that sum, which gives a relation among the M_t; but nobody
knows one. The proof shows nothing else about the hand.

An empty hand has nothing to prove: no proof is made and none accepted. If Q is empty and the hand
is not, no proof exists: a seat with that hand must play.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from netgame.crypto import group
from netgame.crypto.batch import Batch, Weights
from netgame.crypto.group import Element, Entropy, Point
from netgame.crypto.masking import Masked, Position, TileLike, sum_masked, tile_point
from netgame.crypto.transcript import Part, Tag, challenge, hedge
from netgame.errors import LocalMisuse
from netgame.frozen import FrozenStruct


class HandStatement(FrozenStruct):
    """The claim that the hand at `positions` contains only tiles of Q."""

    ctx: bytes
    """Binds the proof to its place in the log."""
    key: Point
    """The holder's X."""
    positions: tuple[Position, ...]
    residuals: tuple[Masked, ...]
    """The residuals at `positions`, in their order."""
    tiles: tuple[TileLike, ...]
    """Q, ascending: the set's unseen tiles without those that the seat claims not to hold."""


class HandProof(NamedTuple):
    """The proof of a `HandStatement`: 98 octets, and 32 more for each tile of Q."""

    T1: Point
    T2: Point
    s: int
    s_t: tuple[int, ...]
    """A scalar for each tile of Q."""


def is_provable(statement: HandStatement) -> bool:
    """Return True if the statement is well formed; it may still be false.

    The hand and Q must not be empty, every position must occur once and have a residual, and Q must
    ascend.
    """
    tiles = statement.tiles
    return (
        0 < len(statement.positions) == len(statement.residuals)
        and len(set(statement.positions)) == len(statement.positions)
        and len(tiles) > 0
        and all(low < high for low, high in pairwise(tiles))
    )


def _claim(said: HandStatement, SA: Element, SB: Element) -> tuple[Part, ...]:
    return (said.ctx, said.key, said.positions, SA, SB, said.tiles)


def prove_hand(
    statement: HandStatement, x: int, held: Iterable[TileLike], entropy: Entropy
) -> HandProof:
    """Prove `statement` with the round secret `x` and `held`, the tiles or a count of each.

    LocalMisuse if the statement is not `is_provable`, or a held tile is outside Q. Nothing else is
    checked: a wrong `x` or `held` makes a proof that does not verify. Publish the result as an
    entry, and send only those octets again; never prove the same slot twice.
    """
    if not is_provable(statement):
        raise LocalMisuse("there is nothing to prove about this hand, or no way to")
    counted = Counter(held)
    for low, high in counted.keys() - set(statement.tiles):
        raise LocalMisuse(f"the hand holds {low}-{high}, which the claim excludes")
    counts = [counted[tile] for tile in statement.tiles]
    SA, SB = sum_masked(statement.residuals)
    claim = _claim(statement, SA, SB)
    nonces = hedge(entropy, Tag.HAND, group.encode(x), *claim)
    w = group.random_scalar(nonces)
    w_t = [group.random_scalar(nonces) for _ in counts]
    T1 = group.base_point(w)
    points = [tile_point(tile) for tile in statement.tiles]
    T2 = group.secret_multi_mul(0, (w, *w_t), (SA, *points))
    c = challenge(Tag.HAND, *claim, T1, T2)
    s_t = tuple((first + c * count) % group.Q for first, count in zip(w_t, counts, strict=True))
    return HandProof(T1, T2, (w + c * x) % group.Q, s_t)


def verify_hand(statement: HandStatement, proof: HandProof, by: Weights | None = None) -> bool:
    """Return True if `proof` shows `statement`; both may be hostile.

    The equations are sG = T1 + cX and s SA + sum s_t M_t = T2 + c SB. If `by` is a `Batch`, they
    are only added to it, and True means only that `statement` is provable and `proof` has a scalar
    for each tile of Q.
    """
    if not is_provable(statement):
        return False
    if len(proof.s_t) != len(statement.tiles):
        return False
    SA, SB = sum_masked(statement.residuals)
    c = challenge(Tag.HAND, *_claim(statement, SA, SB), proof.T1, proof.T2)
    opened = (proof.s, -1, -c, *proof.s_t), (SA, proof.T2, SB, *map(tile_point, statement.tiles))
    if isinstance(by, Batch):
        return by.add(((proof.s, -1, -c), (group.G, proof.T1, statement.key)), opened)
    if not group.is_answer(proof.s, c, proof.T1, statement.key):
        return False
    return group.multi_mul(*opened, fixed=len(statement.tiles)) is None


def decode_hand_proof(octets: bytes, tiles: int) -> HandProof:
    """Decode T1 || T2 || s || s_t ... for |Q| tiles; Malformed for any other octets."""
    (T1, T2), _, (s, *s_t) = group.decode(octets, "this hand proof", 2, 1 + tiles)
    return HandProof(T1, T2, s, tuple(s_t))
