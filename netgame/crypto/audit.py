"""The audit of a finished round: keys and seeds laid open, everything computed again (5.8).

    x_k, X_k   round key of seat k, X_k = x_k G        x      sum of all x_k
    seed_k     32 octets from which seat k drew every permutation and its randomness

Second layer: with all keys every position opens, each as a tile of the round, as the proofs of the
shuffles have shown. Third layer: with the seeds every link of every chain is recomputed, which
guards against a fault in those proofs themselves. Neither may begin before all have signed that the
round is over: a seat's key shows its hand. Everything here is public by then, so it need not take
constant time.

After a seat has left without its key, only what is masked by keys of those who stayed can be
opened: their hands and the last chain, in which a tile somebody held is a blank, an encryption of
O.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from netgame.crypto.group import Element, Point, Q, mul, mul_base, sub
from netgame.crypto.masking import Masked
from netgame.crypto.shuffle import derive_shuffle_secret, shuffle
from netgame.crypto.transcript import SEED_BYTES, Tag, digest
from netgame.limits import SHUFFLE_TILES_MAX


@dataclass(frozen=True, slots=True)
class SeededLink:
    """One seat's link of a chain once its seed is known: its context, and the deck it made."""

    ctx: bytes
    seed: bytes = field(repr=False)
    shuffled: tuple[Masked, ...]


def reveals_key(x: int, X: Point) -> bool:
    """Whether x, from a peer, is the secret behind X: 0 < x < Q and xG = X."""
    return 0 < x < Q and mul_base(x) == X


def seed_commitment(ctx: bytes, seed: bytes) -> bytes:
    """Give H("seed", ctx, seed): 64 octets, broadcast in the step that commits to the key."""
    return digest(Tag.SEED, ctx, seed)


def reveals_seed(commitment: bytes, ctx: bytes, seed: bytes) -> bool:
    """Whether `seed`, from a peer, is 32 octets, and those committed to in the step of `ctx`."""
    return len(seed) == SEED_BYTES and seed_commitment(ctx, seed) == commitment


def open_points(masked: Iterable[Masked], xs: Iterable[int]) -> tuple[Element, ...]:
    """Give the point under each masked tile, in order, O for a blank.

    `xs` are all the secrets that they are masked with.
    """
    x = sum(xs) % Q
    return tuple(sub(B, mul(x, A)) for A, B in masked)


def unrepeatable_links(
    X: Point, deck: Sequence[Masked], links: Sequence[SeededLink]
) -> tuple[int, ...]:
    """Give the indices of the links that their seeds do not reproduce, in order; () if all do.

    `deck` is the input of the first link; each further link is recomputed from the logged output of
    the one before, so only the culprit is named. Nothing is reproduced by a seed that is not 32
    octets, or from a deck that is not 1 to 190 tiles. Two multiplications a tile and link.
    """
    bad: list[int] = []
    for index, link in enumerate(links):
        if not _repeats(X, deck, link):
            bad.append(index)
        deck = link.shuffled
    return tuple(bad)


def _repeats(X: Point, deck: Sequence[Masked], link: SeededLink) -> bool:
    if len(link.seed) != SEED_BYTES or not 0 < len(deck) <= SHUFFLE_TILES_MAX:
        return False
    return shuffle(deck, X, derive_shuffle_secret(link.seed, link.ctx, deck)) == link.shuffled
