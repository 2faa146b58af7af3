"""Small tables for the tests, made from one seed: seats with keys, and a shuffled deck."""

from dataclasses import dataclass
from functools import cache

from netgame.crypto.group import Q, add, mul, mul_base, neg, random_scalar, require_point
from netgame.crypto.keys import joint_key, make_round_secret, public_key
from netgame.crypto.masking import (
    Masked,
    initial_deck,
    residual,
    reveal_token,
    tile_point,
    tile_points,
    unmask,
)
from netgame.crypto.shuffle import ShuffleLink, make_shuffle_secret, prove_shuffle, shuffle
from netgame.crypto.transcript import expand

SEED = bytes(range(32))
CTX = b"\x5a" * 64
OTHER_CTX = b"\x5a" * 63 + b"\x5b"


def fixed(label, *parts):
    """Return entropy that is the same in every run."""
    return expand(SEED, label, *parts)


def full_set(pips):
    """Return the tiles of a double-`pips` set in canonical order."""
    return tuple((low, high) for low in range(pips + 1) for high in range(low, pips + 1))


def some_point(label="some", index=0):
    """Return a point without a meaning, always the same for the same label and index."""
    return require_point(mul_base(random_scalar(fixed(label, index))))


def tile_under(X, r, tile):
    """Return a tile masked with r under the key X."""
    return Masked(mul_base(r), add(mul(r, X), tile_point(tile)))


def sums_of_infinity(x, tile):
    """Return two hands, each with the tiles whose points it adds up to when opened.

    The first halves of each hand add up to O; so do the second halves of the second hand.
    """
    A, X = some_point("A"), require_point(mul_base(x))
    gone = (Masked(A, mul(x, A)), Masked(neg(A), neg(mul(x, A))))
    one = (tile_under(X, 9, tile), Masked(mul_base(Q - 9), mul(Q - 9, X)))
    return (one, (tile,)), (gone, ())


@dataclass(frozen=True)
class Dealt:
    """A table with its keys and a chain of proved shuffles."""

    tiles: tuple
    xs: tuple
    Xs: tuple
    X: bytes
    links: tuple

    @property
    def deck(self):
        """Return the last deck of the chain."""
        return self.links[-1].shuffled

    def residuals(self, seat, positions):
        """Return the tiles at `positions`, with the tokens of all seats but `seat` taken off."""
        others = [x for k, x in enumerate(self.xs) if k != seat]
        return tuple(
            residual(self.deck[p], [reveal_token(x, self.deck[p].A) for x in others])
            for p in positions
        )

    def held(self, seat, positions):
        """Return the tiles that `seat` finds at `positions`."""
        named = tile_points(self.tiles)
        return tuple(
            named[unmask(left, reveal_token(self.xs[seat], left.A))]
            for left in self.residuals(seat, positions)
        )


@cache
def dealt(seats=3, pips=3):
    """Return a table of `seats` with a double-`pips` set, every seat's shuffle done and proved."""
    tiles = full_set(pips)
    secrets = [make_round_secret(fixed("round", k)) for k in range(seats)]
    Xs = tuple(map(public_key, secrets))
    X = joint_key(Xs)
    deck, links = initial_deck(tiles), []
    for k in range(seats):
        secret = make_shuffle_secret(len(tiles), fixed("psi", k))
        after = shuffle(deck, X, secret)
        ctx = bytes([k]) * 64
        proof = prove_shuffle(ctx, X, deck, after, secret, fixed("proof", k))
        links.append(ShuffleLink(ctx, deck, after, proof))
        deck = after
    return Dealt(tiles, tuple(s.x for s in secrets), Xs, X, tuple(links))


def flips(octets, step=1):
    """Yield a copy of `octets` for every `step`-th octet, with one bit of that octet flipped."""
    for at in range(0, len(octets), step):
        yield octets[:at] + bytes([octets[at] ^ (1 << at % 8)]) + octets[at + 1 :]
