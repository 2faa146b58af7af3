"""The linear proof over a hidden hand: what it cannot hold, what it adds up to (protocol.md 5.7).

    A_p, B_p   residual of position p: under the holder's key X = xG alone
    SA, SB     their sums over the whole hand         Q      the tiles the hand may consist of
    k_t        how often tile t is in the hand        M_t    the point of tile t
    w, w_t     nonces      T1 = wG, T2 = w SA + sum w_t M_t      W = sum weight_t w_t for each line
    c          challenge   s = w + cx, s_t = w_t + c k_t

Shows X = xG and SB = x SA + sum over Q of k_t M_t (Maurer 2009, the proof for a homomorphism). The
shuffle proof makes the hand a sum of true tiles; another representation, without a tile outside Q
that is held, would be a relation among the M_t, which nobody knows. A line shows in the same
breath that sum weight_t k_t is a public number. Nothing else about the hand is shown.

An empty hand has nothing to prove: no proof is made and none accepted. If Q is empty and the hand
is not, no proof exists: such a seat must play.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
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
    decode_scalars,
    encode_scalar,
    mul_base,
    multi_mul,
    random_scalar,
    require_point,
    secret_multi_mul,
)
from netgame.crypto.masking import Masked, TileLike, sum_masked, tile_point
from netgame.crypto.proofs import Position
from netgame.crypto.transcript import TAG_HAND, Part, challenge
from netgame.errors import LocalMisuse, Malformed
from netgame.limits import CLAIM_NUMBER_MAX

NOTHING_PLAYABLE: Final = "nothing-playable"
"""Kind of the proof behind a draw or a pass: Q is every unseen tile without a legal lay."""
PIP_TOTAL: Final = "pip-total"
"""Kind of the proof behind a score: Q is every unseen tile, with one line of the tiles' worth."""

Held: TypeAlias = Mapping[TileLike, int] | Iterable[TileLike]
"""The tiles of a hand, or how often each is in it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A claim that the hand's tiles, each times its weight, add up to `total`."""

    weights: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class HandStatement:
    """What is claimed: the hand at `positions` consists of `tiles`, and the lines hold.

    `tiles` is Q, ascending; the weights of a line stand in the same order. `ctx` binds the place in
    the log, `key` is the holder's X, `residuals` belong to `positions` one by one.
    """

    kind: str
    ctx: bytes
    key: Point
    positions: tuple[Position, ...]
    residuals: tuple[Masked, ...]
    tiles: tuple[TileLike, ...]
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class HandProof:
    """The proof of a `HandStatement`: `s_t` has a scalar for each tile of Q, `W` for each line."""

    T1: Point
    T2: Point
    s: int
    s_t: tuple[int, ...]
    W: tuple[int, ...] = ()


def nothing_playable(
    ctx: bytes,
    key: Point,
    positions: Iterable[Position],
    residuals: Iterable[Masked],
    unplayable: Iterable[TileLike],
) -> HandStatement:
    """State that the whole hand lies among `unplayable` (the set's unseen tiles less P)."""
    return HandStatement(
        NOTHING_PLAYABLE,
        ctx,
        key,
        tuple(positions),
        tuple(residuals),
        tuple(sorted((low, high) for low, high in unplayable)),
    )


def is_provable(statement: HandStatement) -> bool:
    """Whether a proof can exist: tiles in hand, Q ascending and not empty, lines in bounds."""
    tiles = statement.tiles
    return (
        0 < len(statement.positions) == len(statement.residuals)
        and len(set(statement.positions)) == len(statement.positions)
        and len(tiles) > 0
        and all(low < high for low, high in pairwise(tiles))
        and all(_line_fits(line, len(tiles)) for line in statement.lines)
    )


def _line_fits(line: Line, tiles: int) -> bool:
    return len(line.weights) == tiles and all(
        0 <= number <= CLAIM_NUMBER_MAX for number in (*line.weights, line.total)
    )


def _claim(statement: HandStatement, SA: Element, SB: Element) -> tuple[Part, ...]:
    return (
        statement.ctx,
        statement.kind,
        statement.key,
        statement.positions,
        SA,
        SB,
        statement.tiles,
    )


def _challenge(
    statement: HandStatement, SA: Element, SB: Element, W: Sequence[int], T1: Point, T2: Point
) -> int:
    lines: list[Part] = [
        [line.weights, line.total, encode_scalar(first)]
        for line, first in zip(statement.lines, W, strict=True)
    ]
    return challenge(TAG_HAND, *_claim(statement, SA, SB), lines, T1, T2)


def _weighted(line: Line, scalars: Sequence[int]) -> int:
    return sum(weight * scalar for weight, scalar in zip(line.weights, scalars, strict=True)) % Q


def _counts(tiles: Sequence[TileLike], held: Held) -> list[int]:
    counts: dict[TileLike, int] = dict.fromkeys(tiles, 0)
    pairs = held.items() if isinstance(held, Mapping) else ((tile, 1) for tile in held)
    for tile, count in pairs:
        if tile not in counts:
            raise LocalMisuse(f"the hand holds {tile[0]}-{tile[1]}, which the claim excludes")
        counts[tile] += count
    return list(counts.values())


def prove_hand(statement: HandStatement, x: int, held: Held, entropy: Entropy) -> HandProof:
    """Prove `statement` with the round secret `x` and the tiles `held` (each once, or counted).

    LocalMisuse if no proof can exist: an empty hand, an empty Q, a held tile outside Q. Publish the
    result as an entry and resend those bytes; never prove the same slot twice.
    """
    if not is_provable(statement):
        raise LocalMisuse("there is nothing to prove about this hand, or no way to")
    counts = _counts(statement.tiles, held)
    SA, SB = sum_masked(statement.residuals)
    lines = [(line.weights, line.total) for line in statement.lines]
    nonces = hedge(entropy, TAG_HAND, encode_scalar(x), *_claim(statement, SA, SB), lines)
    w = random_scalar(nonces)
    w_t = [random_scalar(nonces) for _ in counts]
    T1 = require_point(mul_base(w))
    points = [tile_point(tile) for tile in statement.tiles]
    T2 = require_point(secret_multi_mul(0, (w, *w_t), (SA, *points)))
    W = tuple(_weighted(line, w_t) for line in statement.lines)
    c = _challenge(statement, SA, SB, W, T1, T2)
    s_t = tuple((first + c * count) % Q for first, count in zip(w_t, counts, strict=True))
    return HandProof(T1, T2, (w + c * x) % Q, s_t, W)


def verify_hand(statement: HandStatement, proof: HandProof) -> bool:
    """Whether `proof` shows `statement`; both may be hostile.

    sG = T1 + cX, s SA + sum s_t M_t = T2 + c SB, and sum weight_t s_t = W + c total for each line.
    """
    if not is_provable(statement):
        return False
    if len(proof.s_t) != len(statement.tiles) or len(proof.W) != len(statement.lines):
        return False
    SA, SB = sum_masked(statement.residuals)
    c = _challenge(statement, SA, SB, proof.W, proof.T1, proof.T2)
    for line, first in zip(statement.lines, proof.W, strict=True):
        if (_weighted(line, proof.s_t) - first - c * line.total) % Q:
            return False
    if mul_base(proof.s) != multi_mul((1, c), (proof.T1, statement.key)):
        return False
    points = [tile_point(tile) for tile in statement.tiles]
    return multi_mul((proof.s, -1, -c, *proof.s_t), (SA, proof.T2, SB, *points)) is None


def encode_hand_proof(proof: HandProof) -> bytes:
    """Give T1 || T2 || s || s_t ... || W ...: 98 octets and 32 for each tile of Q and each line."""
    scalars = (proof.s, *proof.s_t, *proof.W)
    return proof.T1 + proof.T2 + b"".join(map(encode_scalar, scalars))


def decode_hand_proof(octets: bytes, tiles_count: int, lines_count: int = 0) -> HandProof:
    """Take a proof for |Q| tiles from elsewhere; Malformed unless every octet is accounted for."""
    first, count = 2 * POINT_BYTES, 1 + tiles_count + lines_count
    if len(octets) != first + count * SCALAR_BYTES:
        raise Malformed(f"this hand proof must be {first + count * SCALAR_BYTES} octets")
    T1, T2 = decode_point(octets[:33]), decode_point(octets[33:66])
    s, *rest = decode_scalars(octets[first:], count)
    return HandProof(T1, T2, s, tuple(rest[:tiles_count]), tuple(rest[tiles_count:]))
