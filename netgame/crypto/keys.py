"""Round keys: committed, then opened with a proof of possession (protocol.md 5.3).

    x     the seat's secret of this round      X = xG     its public half
    w     nonce of the proof                   T = wG     its first message
    c, s  challenge and answer                 rand       32 octets that hide X until it is opened

The proof prevents a key computed from others' keys; the commitment prevents choosing X after
seeing others'. Keys are fresh for every round and every redeal: never derive two rounds from one
secret. The nonce follows from x and the context of the opening, so two contexts never share one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from netgame.crypto import group
from netgame.crypto.transcript import Tag, challenge, digest, expand

RAND_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class RoundSecret:
    """A seat's secrets for one round: the secret half `x` of its key, and 32 octets that hide X."""

    x: int = field(repr=False)
    rand: bytes = field(repr=False)


class KeyOpening(NamedTuple):
    """A seat's public key of the round, and the proof that it knows the secret half: 130 octets."""

    X: group.Point
    T: group.Point
    rand: bytes
    s: int


def make_round_secret(entropy: group.Entropy) -> RoundSecret:
    """Draw the secret of a round from `entropy`: first x, then the 32 octets that hide X."""
    return RoundSecret(group.random_scalar(entropy), entropy(RAND_BYTES))


def public_key(secret: RoundSecret) -> group.Point:
    """Return X = xG."""
    return group.base_point(secret.x)


def key_commitment(ctx: bytes, secret: RoundSecret) -> bytes:
    """Return H("key", ctx, X, rand): 64 octets, broadcast before any key is seen."""
    return digest(Tag.KEY, ctx, public_key(secret), secret.rand)


def open_key(ctx: bytes, secret: RoundSecret) -> KeyOpening:
    """Return the opening of the key: X, rand, and the proof s = w + cx, c = H("pop", ctx, X, T).

    `ctx` is the context of the opening, not of the commitment. The same secret and context give the
    same opening.
    """
    X = public_key(secret)
    # Derived, not drawn: the same nonce for the same challenge gives nothing away, and a restart
    # makes the same octets.
    w = group.random_scalar(expand(group.encode(secret.x), Tag.POSSESSION, ctx, X))
    T = group.base_point(w)
    c = challenge(Tag.POSSESSION, ctx, X, T)
    return KeyOpening(X, T, secret.rand, (w + c * secret.x) % group.Q)


def decode_key_opening(octets: bytes) -> KeyOpening:
    """Decode X || T || rand || s; Malformed unless it is exactly 130 good octets."""
    (X, T), rand, (s,) = group.decode(octets, "a key opening", 2, 1, between=RAND_BYTES)
    return KeyOpening(X, T, rand, s)


def verify_key_opening(
    commitment: bytes, commit_ctx: bytes, opening: KeyOpening, open_ctx: bytes
) -> bool:
    """Return True if `commitment` is to this opening and the sender knows x: sG = T + cX."""
    X, T = opening.X, opening.T
    if digest(Tag.KEY, commit_ctx, X, opening.rand) != commitment:
        return False
    c = challenge(Tag.POSSESSION, open_ctx, X, T)
    return group.is_answer(opening.s, c, T, X)


def joint_key(keys: Sequence[group.Point]) -> group.Point | None:
    """Return the sum of all seats' keys, under which the deck is masked.

    None if there are no keys, two of them are equal, or the sum is O: the caller must then refuse
    the keys.
    """
    if len(set(keys)) != len(keys):
        return None
    return group.add(*keys)
