"""A verifiable shuffle of masked tiles, and many of them checked at once (protocol.md 5.5).

Terelius and Wikstrom 2010, in the form of Haenni, Locher, Koenig and Dubuis, "Pseudo-Code
Algorithms for Verifiable Re-Encryption Mix-Nets" (2017). Indices run from 0 here, from 1 in labels.

    e, e'      deck before and after, e'_i = (a_psi(i) + r'_i G, b_psi(i) + r'_i X)
    psi, rp    permutation and randomness of the shuffle            X       joint key
    h, h_i     fixed generators                                     u_i     challenges, 128 bits
    c          commitment to psi: c_psi(i) = r_psi(i) G + h_i       up_i    u_psi(i)
    ch (hat)   chain: ch_i = rh_i G + up_i ch_(i-1), ch_(-1) = h    = R_i G + U_i h
    t1..t4, th first messages, with nonces w1..w4, wh_i, wp_i       e       challenge
    s1..s4, sh, sp  answers
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import prod
from typing import Final

from netgame.crypto.entropy import expand, hedge
from netgame.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    Entropy,
    G,
    Point,
    Q,
    batch_factors,
    decode_points,
    decode_scalars,
    encode_scalar,
    hash_to_group,
    multi_mul,
    random_scalar,
    require_point,
    secret_multi_mul,
)
from netgame.crypto.masking import Masked, deck_digest
from netgame.crypto.transcript import (
    TAG_SHUFFLE,
    TAG_SHUFFLE_CHALLENGE,
    TAG_SHUFFLE_SEED,
    TAG_SHUFFLE_WEIGHT,
    challenge,
    digest,
    weight,
)
from netgame.errors import LocalMisuse, Malformed
from netgame.limits import SHUFFLE_TILES_MAX

SHUFFLE_LABEL: Final = "shuffle"
"""Label under which a seed is expanded into a permutation and its randomness."""


@dataclass(frozen=True, slots=True)
class ShuffleSecret:
    """How a seat shuffles one deck, and no second one: two results would print the permutation."""

    permutation: tuple[int, ...] = field(repr=False)
    randomness: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """That a deck is another re-encrypted in some order; N members each, but `t` 5 and `s` 4."""

    c: tuple[Point, ...]
    c_hat: tuple[Point, ...]
    t_hat: tuple[Point, ...]
    t: tuple[Point, ...]
    s: tuple[int, ...]
    s_hat: tuple[int, ...]
    s_prime: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShuffleLink:
    """One seat's part of a chain: the deck it took, the one it gave, the proof and its context."""

    ctx: bytes
    deck: tuple[Masked, ...]
    shuffled: tuple[Masked, ...]
    proof: ShuffleProof


def generators(n: int) -> tuple[Point, tuple[Point, ...]]:
    """Give h and h_1..h_n: H2G("shuffle/h"), H2G("shuffle/h/1"), ..."""
    h = hash_to_group("shuffle/h")
    return h, tuple(hash_to_group(f"shuffle/h/{i}") for i in range(1, n + 1))


def _below(bound: int, entropy: Entropy) -> int:
    """Draw a number in 0..bound-1, uniformly: four octets at a time until they fit."""
    limit = 2**32 - 2**32 % bound
    while (drawn := int.from_bytes(entropy(4), "big")) >= limit:
        pass
    return drawn % bound


def make_shuffle_secret(n: int, entropy: Entropy) -> ShuffleSecret:
    """Draw a permutation of n tiles (Fisher-Yates from the last place down), then n scalars."""
    places = list(range(n))
    for last in range(n - 1, 0, -1):
        other = _below(last + 1, entropy)
        places[last], places[other] = places[other], places[last]
    return ShuffleSecret(tuple(places), tuple(random_scalar(entropy) for _ in range(n)))


def derive_shuffle_secret(seed: bytes, ctx: bytes, deck: Sequence[Masked]) -> ShuffleSecret:
    """Draw the secret from expand(seed, "shuffle", ctx, H("deck", deck)).

    A restart finds the same one again, another place or input gives another one, and whoever is
    shown the seed after the round can recompute the link (protocol.md 5.8).
    """
    return make_shuffle_secret(len(deck), expand(seed, SHUFFLE_LABEL, ctx, deck_digest(deck)))


def shuffle(deck: Sequence[Masked], X: Point, secret: ShuffleSecret) -> tuple[Masked, ...]:
    """Give e'_i = (a_psi(i) + r'_i G, b_psi(i) + r'_i X), in constant time for psi's randomness.

    The input need not be verified yet: the result hides psi whatever it was.
    """
    if not 0 < len(deck) == len(secret.permutation) <= SHUFFLE_TILES_MAX:
        raise LocalMisuse("a shuffle needs 1 to 190 tiles and a secret for as many")
    taken = (deck[index] for index in secret.permutation)
    return tuple(
        Masked(
            require_point(secret_multi_mul(r, (), (), plus=A)),
            require_point(secret_multi_mul(0, (r,), (X,), plus=B)),
        )
        for (A, B), r in zip(taken, secret.randomness, strict=True)
    )


def _statement(ctx: bytes, X: Point, deck: Sequence[Masked], shuffled: Sequence[Masked]) -> bytes:
    return digest(TAG_SHUFFLE, ctx, X, deck, shuffled)


def _weights(d: bytes, c: Sequence[Point]) -> list[int]:
    y = digest(TAG_SHUFFLE_SEED, d, c)
    return [weight(TAG_SHUFFLE_WEIGHT, y, i) for i in range(1, len(c) + 1)]


def _committed(psi: Sequence[int], r: Sequence[int]) -> tuple[Point, ...]:
    """Give c: c_psi(i) = r_psi(i) G + h_i."""
    _, h_i = generators(len(psi))
    c = [G] * len(psi)
    for i, at in enumerate(psi):
        c[at] = require_point(secret_multi_mul(r[at], (), (), plus=h_i[i]))
    return tuple(c)


def _chained(
    u_prime: Sequence[int], r_hat: Sequence[int], w_hat: Sequence[int], w_prime: Sequence[int]
) -> tuple[tuple[Point, ...], tuple[Point, ...], int]:
    """Give ch, th and R_(N-1) = sum rh_i v_i; both through multiples of G and h alone."""
    h, _ = generators(0)
    c_hat: list[Point] = []
    t_hat: list[Point] = []
    R, U = 0, 1
    for up, rh, wh, wp in zip(u_prime, r_hat, w_hat, w_prime, strict=True):
        t_hat.append(require_point(secret_multi_mul(wh + wp * R, (wp * U,), (h,))))
        R, U = (rh + up * R) % Q, up * U % Q
        c_hat.append(require_point(secret_multi_mul(R, (U,), (h,))))
    return tuple(c_hat), tuple(t_hat), R


def _first_messages(
    X: Point, shuffled: Sequence[Masked], w: Sequence[int], w_prime: Sequence[int]
) -> tuple[Point, ...]:
    """Give t1, t2, t3 and both halves of t4."""
    w1, w2, w3, w4 = w
    _, h_i = generators(len(shuffled))
    elements = (
        secret_multi_mul(w1, (), ()),
        secret_multi_mul(w2, (), ()),
        secret_multi_mul(w3, w_prime, h_i),
        secret_multi_mul(-w4, w_prime, [masked.A for masked in shuffled]),
        secret_multi_mul(0, (-w4, *w_prime), (X, *(masked.B for masked in shuffled))),
    )
    return tuple(map(require_point, elements))


def prove_shuffle(
    ctx: bytes,
    X: Point,
    deck: Sequence[Masked],
    shuffled: Sequence[Masked],
    secret: ShuffleSecret,
    entropy: Entropy,
) -> ShuffleProof:
    """Prove that `shuffled` is `deck` under `secret`; resend the result, never prove again."""
    d = _statement(ctx, X, deck, shuffled)
    psi, rp, n = secret.permutation, secret.randomness, len(deck)
    nonces = hedge(entropy, TAG_SHUFFLE, b"".join(map(encode_scalar, rp)), d)
    r, r_hat, w_hat, w_prime = ([random_scalar(nonces) for _ in range(n)] for _ in range(4))
    w = [random_scalar(nonces) for _ in range(4)]

    c = _committed(psi, r)
    u = _weights(d, c)
    u_prime = [u[at] for at in psi]
    c_hat, t_hat, R = _chained(u_prime, r_hat, w_hat, w_prime)
    t = _first_messages(X, shuffled, w, w_prime)
    e = challenge(TAG_SHUFFLE_CHALLENGE, d, c, c_hat, t, t_hat)
    known = (sum(r), R, _dot(u, r), _dot(u_prime, rp))
    return ShuffleProof(
        c,
        c_hat,
        t_hat,
        t,
        s=_answers(w, e, known),
        s_hat=_answers(w_hat, e, r_hat),
        s_prime=_answers(w_prime, e, u_prime),
    )


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))


def _answers(nonces: Sequence[int], e: int, known: Sequence[int]) -> tuple[int, ...]:
    return tuple((nonce + e * k) % Q for nonce, k in zip(nonces, known, strict=True))


class _Combination:
    """A growing sum of factor times point, one factor for each distinct point; should come to O."""

    def __init__(self) -> None:
        self.factors: dict[Point, int] = {}

    def add(self, factor: int, point: Point | None) -> None:
        if point is not None:
            self.factors[point] = self.factors.get(point, 0) + factor

    def is_infinity(self) -> bool:
        return multi_mul(self.factors.values(), self.factors) is None


def _is_shaped(link: ShuffleLink) -> bool:
    """Whether all lengths agree and no point is O where only the input deck may hold it."""
    n, proof = len(link.deck), link.proof
    lengths = map(
        len, (link.shuffled, proof.c, proof.c_hat, proof.t_hat, proof.s_hat, proof.s_prime)
    )
    return (
        0 < n <= SHUFFLE_TILES_MAX
        and all(length == n for length in lengths)
        and (len(proof.t), len(proof.s)) == (5, 4)
        and None not in chain(*link.shuffled, proof.c, proof.c_hat, proof.t_hat, proof.t)
    )


def _add_link(total: _Combination, X: Point, link: ShuffleLink, entropy: Entropy) -> None:
    """Add every equation of a link, each times a local random factor.

    t1 = s1 G - e(sum c - sum h_i)            t2 = s2 G - e(ch_(N-1) - (prod u) h)
    t3 = s3 G + sum sp_i h_i - e sum u_i c_i  th_i = sh_i G + sp_i ch_(i-1) - e ch_i
    t4 = (-s4 G + sum sp_i a'_i - e sum u_i a_i, -s4 X + sum sp_i b'_i - e sum u_i b_i)
    """
    proof, n = link.proof, len(link.deck)
    h, h_i = generators(n)
    d = _statement(link.ctx, X, link.deck, link.shuffled)
    u = _weights(d, proof.c)
    e = challenge(TAG_SHUFFLE_CHALLENGE, d, proof.c, proof.c_hat, proof.t, proof.t_hat)
    z1, z2, z3, z4, z5, *z = batch_factors(entropy, 5 + n)
    s1, s2, s3, s4 = proof.s
    for factor, point in zip((z1, z2, z3, z4, z5), proof.t, strict=True):
        total.add(factor, point)
    e_mod, on_G, before, carried = e % Q, z4 * s4 - z1 * s1 - z2 * s2 - z3 * s3, h, 0
    e1, e3, e4, e5 = z1 * e_mod, z3 * e_mod % Q, z4 * e_mod % Q, z5 * e_mod % Q
    total.add(z5 * s4, X)
    total.add(-z2 * e * prod(u), h)
    total.add(z2 * e, proof.c_hat[-1])
    for i in range(n):
        sp, weight_i = proof.s_prime[i], u[i]
        total.add(e1 + e3 * weight_i, proof.c[i])
        total.add(-e1 - z3 * sp, h_i[i])
        total.add(e4 * weight_i, link.deck[i].A)
        total.add(e5 * weight_i, link.deck[i].B)
        total.add(-z4 * sp, link.shuffled[i].A)
        total.add(-z5 * sp, link.shuffled[i].B)
        total.add(z[i], proof.t_hat[i])
        total.add(carried - z[i] * sp, before)
        on_G -= z[i] * proof.s_hat[i]
        before, carried = proof.c_hat[i], z[i] * e
    total.add(carried, before)
    total.add(on_G, G)


def _holds(X: Point, links: Sequence[ShuffleLink], entropy: Entropy) -> bool:
    total = _Combination()
    for link in links:
        _add_link(total, X, link, entropy)
    return total.is_infinity()


def verify_shuffles(X: Point, links: Sequence[ShuffleLink], entropy: Entropy) -> tuple[int, ...]:
    """Give the indices of the links whose proof does not hold under X, in order; () if all do.

    One sum over all links first; if that is not O, each by itself. `entropy` must be secret and
    fresh: whoever could foresee the factors could make bad links cancel. Links may be hostile.
    """
    shaped = [link for link in links if _is_shaped(link)]
    if len(shaped) == len(links) and _holds(X, links, entropy):
        return ()
    return tuple(
        index
        for index, link in enumerate(links)
        if not (_is_shaped(link) and _holds(X, (link,), entropy))
    )


def encode_shuffle_proof(proof: ShuffleProof) -> bytes:
    """Give c, ch, th, t1..t4 (5 points), s1..s4, sh, sp in this order: 163 N + 293 octets."""
    points = chain(proof.c, proof.c_hat, proof.t_hat, proof.t)
    scalars = chain(proof.s, proof.s_hat, proof.s_prime)
    return b"".join(points) + b"".join(map(encode_scalar, scalars))


def decode_shuffle_proof(octets: bytes, n: int) -> ShuffleProof:
    """Take a proof for n tiles from elsewhere; Malformed unless every octet is accounted for."""
    points_end = (3 * n + 5) * POINT_BYTES
    if n < 1 or len(octets) != points_end + (2 * n + 4) * SCALAR_BYTES:
        raise Malformed(f"a shuffle proof for {n} tiles must be {163 * n + 293} octets")
    points = decode_points(octets[:points_end], 3 * n + 5)
    scalars = decode_scalars(octets[points_end:], 2 * n + 4)
    return ShuffleProof(
        c=points[:n],
        c_hat=points[n : 2 * n],
        t_hat=points[2 * n : 3 * n],
        t=points[3 * n :],
        s=scalars[:4],
        s_hat=scalars[4 : 4 + n],
        s_prime=scalars[4 + n :],
    )
