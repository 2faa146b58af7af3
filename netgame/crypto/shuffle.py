"""Proved shuffles of masked tiles, and checking many of them at once (protocol.md 5.5).

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
from typing import NamedTuple

from netgame.crypto import group
from netgame.crypto.batch import Batch, Weights
from netgame.crypto.group import Entropy, Point
from netgame.crypto.masking import Masked, deck_digest
from netgame.crypto.transcript import Tag, challenge, digest, expand, hedge, weight
from netgame.errors import LocalMisuse
from netgame.limits import SHUFFLE_TILES_MAX


@dataclass(frozen=True, slots=True)
class ShuffleSecret:
    """The secrets of one shuffle of one deck; using them twice would reveal the permutation.

    For each new place, `permutation` has the old place of its tile and `randomness` the scalar that
    remasks it.
    """

    permutation: tuple[int, ...] = field(repr=False)
    randomness: tuple[int, ...] = field(repr=False)


class ShuffleProof(NamedTuple):
    """Proof that a deck has the same tiles as another, remasked and in any order.

    Each field has N members, but `t` has 5 and `s` has 4; 163 N + 293 octets in all.
    """

    c: tuple[Point, ...]
    c_hat: tuple[Point, ...]
    t_hat: tuple[Point, ...]
    t: tuple[Point, ...]
    s: tuple[int, ...]
    s_hat: tuple[int, ...]
    s_prime: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShuffleLink:
    """One seat's link of a chain: the deck it was given, the deck it made, proof and context."""

    ctx: bytes
    deck: tuple[Masked, ...]
    shuffled: tuple[Masked, ...]
    proof: ShuffleProof


def generators(n: int) -> tuple[Point, tuple[Point, ...]]:
    """Return h and h_1..h_n: H2G("shuffle/h"), H2G("shuffle/h/1"), ..."""
    h = group.hash_to_group("shuffle/h")
    return h, tuple(group.hash_to_group(f"shuffle/h/{i}") for i in range(1, n + 1))


def _below(bound: int, entropy: Entropy) -> int:
    """Draw a number in 0..bound-1, uniformly: four octets at a time until they fit."""
    limit = 2**32 - 2**32 % bound
    # A mere remainder would favour low numbers.
    while (drawn := int.from_bytes(entropy(4), "big")) >= limit:
        pass
    return drawn % bound


def make_shuffle_secret(n: int, entropy: Entropy) -> ShuffleSecret:
    """Draw a permutation of n tiles (Fisher-Yates from the last place down), then n scalars."""
    places = list(range(n))
    for last in range(n - 1, 0, -1):
        other = _below(last + 1, entropy)
        places[last], places[other] = places[other], places[last]
    return ShuffleSecret(tuple(places), tuple(group.random_scalar(entropy) for _ in range(n)))


def derive_shuffle_secret(seed: bytes, ctx: bytes, deck: Sequence[Masked]) -> ShuffleSecret:
    """Draw the secret from expand(seed, "shuffle", ctx, H("deck", deck)).

    After a restart this gives the same secret; a different context or deck gives a different one.
    LocalMisuse unless the seed is 32 octets.
    """
    return make_shuffle_secret(len(deck), expand(seed, "shuffle", ctx, deck_digest(deck)))


def shuffle(deck: Sequence[Masked], X: Point, secret: ShuffleSecret) -> tuple[Masked, ...]:
    """Return e'_i = (a_psi(i) + r'_i G, b_psi(i) + r'_i X), i = 0..n-1, in constant time for r'.

    The input need not be verified yet: the result hides psi in any case. LocalMisuse unless the
    input has 1 to 190 tiles and the secret is for as many.
    """
    if not 0 < len(deck) == len(secret.permutation) <= SHUFFLE_TILES_MAX:
        raise LocalMisuse("a shuffle needs 1 to 190 tiles and a secret for as many")
    taken = (deck[index] for index in secret.permutation)
    return tuple(
        Masked(
            group.secret_multi_mul(r, (), (), plus=A), group.secret_multi_mul(0, (r,), (X,), plus=B)
        )
        for (A, B), r in zip(taken, secret.randomness, strict=True)
    )


def _weights(d: bytes, c: Sequence[Point]) -> list[int]:
    y = digest(Tag.SHUFFLE_SEED, d, c)
    return [weight(Tag.SHUFFLE_WEIGHT, y, i) for i in range(1, len(c) + 1)]


def _committed(psi: Sequence[int], r: Sequence[int]) -> tuple[Point, ...]:
    """Return c: c_psi(i) = r_psi(i) G + h_i."""
    _, h_i = generators(len(psi))
    c = [group.G] * len(psi)
    for i, at in enumerate(psi):
        c[at] = group.secret_multi_mul(r[at], (), (), plus=h_i[i])
    return tuple(c)


def _chained(
    u_prime: Sequence[int], r_hat: Sequence[int], w_hat: Sequence[int], w_prime: Sequence[int]
) -> tuple[tuple[Point, ...], tuple[Point, ...], int]:
    """Return ch, th, and R_(N-1), the factor of G in the last member of ch."""
    h, _ = generators(0)
    c_hat: list[Point] = []
    t_hat: list[Point] = []
    R, U = 0, 1
    for up, rh, wh, wp in zip(u_prime, r_hat, w_hat, w_prime, strict=True):
        t_hat.append(group.secret_multi_mul(wh + wp * R, (wp * U,), (h,)))
        R, U = (rh + up * R) % group.Q, up * U % group.Q
        c_hat.append(group.secret_multi_mul(R, (U,), (h,)))
    return tuple(c_hat), tuple(t_hat), R


def _first_messages(
    X: Point, shuffled: Sequence[Masked], w: Sequence[int], w_prime: Sequence[int]
) -> tuple[Point, ...]:
    """Return t1, t2, t3 and both halves of t4."""
    w1, w2, w3, w4 = w
    _, h_i = generators(len(shuffled))
    return (
        group.secret_multi_mul(w1, (), ()),
        group.secret_multi_mul(w2, (), ()),
        group.secret_multi_mul(w3, w_prime, h_i),
        group.secret_multi_mul(-w4, w_prime, [masked.A for masked in shuffled]),
        group.secret_multi_mul(0, (-w4, *w_prime), (X, *(masked.B for masked in shuffled))),
    )


def prove_shuffle(
    ctx: bytes,
    X: Point,
    deck: Sequence[Masked],
    shuffled: Sequence[Masked],
    secret: ShuffleSecret,
    entropy: Entropy,
) -> ShuffleProof:
    """Prove that `shuffled` is `deck` shuffled with `secret`.

    Nothing is checked: if `shuffled` is another deck, the proof does not verify. To send the proof
    again, send the same octets; never prove the same shuffle twice.
    """
    d = digest(Tag.SHUFFLE, ctx, X, deck, shuffled)
    psi, rp, n = secret.permutation, secret.randomness, len(deck)
    nonces = hedge(entropy, Tag.SHUFFLE, group.encode(rp), d)
    r, r_hat, w_hat, w_prime = ([group.random_scalar(nonces) for _ in range(n)] for _ in range(4))
    w = [group.random_scalar(nonces) for _ in range(4)]

    c = _committed(psi, r)
    u = _weights(d, c)
    u_prime = [u[at] for at in psi]
    c_hat, t_hat, R = _chained(u_prime, r_hat, w_hat, w_prime)
    t = _first_messages(X, shuffled, w, w_prime)
    e = challenge(Tag.SHUFFLE_CHALLENGE, d, c, c_hat, t, t_hat)
    known = (sum(r), R, group.dot(u, r), group.dot(u_prime, rp))
    s, s_hat = _answers(w, e, known), _answers(w_hat, e, r_hat)
    return ShuffleProof(c, c_hat, t_hat, t, s, s_hat, _answers(w_prime, e, u_prime))


def _answers(nonces: Sequence[int], e: int, known: Sequence[int]) -> tuple[int, ...]:
    return tuple((nonce + e * k) % group.Q for nonce, k in zip(nonces, known, strict=True))


def _is_shaped(link: ShuffleLink) -> bool:
    """Return True if there are 1 to 190 tiles, all lengths agree, and O occurs only in `deck`."""
    n, proof = len(link.deck), link.proof
    lists = (link.shuffled, proof.c, proof.c_hat, proof.t_hat, proof.s_hat, proof.s_prime)
    return (
        0 < n <= SHUFFLE_TILES_MAX
        and all(len(each) == n for each in lists)
        and (len(proof.t), len(proof.s)) == (5, 4)
        and None not in chain(*link.shuffled, proof.c, proof.c_hat, proof.t_hat, proof.t)
    )


def _add_link(batch: Batch, X: Point, link: ShuffleLink) -> None:
    """Add every equation of a link to a batch, each multiplied by its own random factor.

    t1 = s1 G - e(sum c - sum h_i)            t2 = s2 G - e(ch_(N-1) - (prod u) h)
    t3 = s3 G + sum sp_i h_i - e sum u_i c_i  th_i = sh_i G + sp_i ch_(i-1) - e ch_i
    t4 = (-s4 G + sum sp_i a'_i - e sum u_i a_i, -s4 X + sum sp_i b'_i - e sum u_i b_i)
    """
    proof, n, total = link.proof, len(link.deck), batch.total
    h, h_i = generators(n)
    d = digest(Tag.SHUFFLE, link.ctx, X, link.deck, link.shuffled)
    u = _weights(d, proof.c)
    e = challenge(Tag.SHUFFLE_CHALLENGE, d, proof.c, proof.c_hat, proof.t, proof.t_hat)
    z1, z2, z3, z4, z5, *z = group.batch_factors(batch.entropy, 5 + n)
    s1, s2, s3, s4 = proof.s
    for factor, point in zip((z1, z2, z3, z4, z5), proof.t, strict=True):
        total[point] += factor
    on_G = z4 * s4 - z1 * s1 - z2 * s2 - z3 * s3
    before = h
    carried = 0
    e1 = z1 * e
    # Reduced once here, since each is multiplied again for every tile.
    e3 = z3 * e % group.Q
    e4 = z4 * e % group.Q
    e5 = z5 * e % group.Q
    total[X] += z5 * s4
    total[h] -= z2 * e * prod(u)
    total[proof.c_hat[-1]] += z2 * e
    for i in range(n):
        sp, weight_i = proof.s_prime[i], u[i]
        total[proof.c[i]] += e1 + e3 * weight_i
        total[h_i[i]] -= e1 + z3 * sp
        total[link.deck[i].A] += e4 * weight_i
        total[link.deck[i].B] += e5 * weight_i
        total[link.shuffled[i].A] -= z4 * sp
        total[link.shuffled[i].B] -= z5 * sp
        total[proof.t_hat[i]] += z[i]
        # ch_(i-1) is in the equations of th_(i-1) and of th_i: both factors are added at once.
        total[before] += carried - z[i] * sp
        on_G -= z[i] * proof.s_hat[i]
        before, carried = proof.c_hat[i], z[i] * e
    total[before] += carried
    total[group.G] += on_G


def _holds(X: Point, links: Sequence[ShuffleLink], by: Weights) -> bool:
    """Return True if all links are well shaped and the sum of their equations is O.

    If `by` is a `Batch`, the equations of well-shaped links are only added to it, and the sum is
    not checked.
    """
    if not all(map(_is_shaped, links)):
        return False
    batch = by if isinstance(by, Batch) else Batch(by)
    for link in links:
        _add_link(batch, X, link)
    return batch is by or batch.holds()


def verify_shuffles(X: Point, links: Sequence[ShuffleLink], by: Weights) -> tuple[int, ...]:
    """Return the indices of the links whose proof does not hold under X, in order; () if all do.

    One sum over all links is checked first; if that is not O, each link by itself. If `by` is a
    `Batch`, the equations are only added to it and not yet checked. The result then lists only the
    links with a wrong length or an O. If `by` is entropy, it must be secret and fresh: anybody who
    can predict the factors can make the errors of bad links cancel out. Links may be hostile.
    """
    if _holds(X, links, by):
        return ()
    return tuple(index for index, link in enumerate(links) if not _holds(X, (link,), by))


def decode_shuffle_proof(octets: bytes, n: int) -> ShuffleProof:
    """Decode a proof for n tiles; Malformed for any other octets."""
    what = f"a shuffle proof for {n} tiles"
    points, _, scalars = group.decode(octets, what, 3 * n + 5, 2 * n + 4)
    c, c_hat, t_hat, t = points[:n], points[n : 2 * n], points[2 * n : 3 * n], points[3 * n :]
    s, s_hat, s_prime = scalars[:4], scalars[4 : 4 + n], scalars[4 + n :]
    return ShuffleProof(c, c_hat, t_hat, t, s, s_hat, s_prime)
