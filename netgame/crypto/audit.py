"""The audit of a finished round: all keys laid open, and every tile with them (protocol.md 5.8).

    x_k, X_k   round key of seat k, X_k = x_k G        x      sum of all x_k

With all keys every position opens as a tile of the round, because the shuffles were proved. The
audit may not begin before all have signed that the round is over: a seat's key shows its hand.
Everything here is public by then, so it need not take constant time.

After a seat has left without laying its key open, only positions masked by the keys of those who
stayed can be opened: their hands and the last chain. In that chain a tile that somebody held is a
blank, an encryption of O.
"""

from collections.abc import Iterable

from netgame.crypto.group import Element, Point, Q, mul, mul_base, sub
from netgame.crypto.masking import Masked


def reveals_key(x: int, X: Point) -> bool:
    """Return True if x, from a peer, is the secret behind X: 0 < x < Q and xG = X."""
    return 0 < x < Q and mul_base(x) == X


def open_points(masked: Iterable[Masked], xs: Iterable[int]) -> tuple[Element, ...]:
    """Return the point under each masked tile, in order; O for a blank.

    `xs` are all the secrets with which they are masked.
    """
    x = sum(xs) % Q
    return tuple(sub(B, mul(x, A)) for A, B in masked)
