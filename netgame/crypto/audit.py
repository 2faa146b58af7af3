"""The audit of a finished round: keys laid open, and every tile with them (5.8).

    x_k, X_k   round key of seat k, X_k = x_k G        x      sum of all x_k

With all keys every position opens, each as a tile of the round, as the proofs of the shuffles have
shown. This may not begin before all have signed that the round is over: a seat's key shows its
hand. Everything here is public by then, so it need not take constant time.

After a seat has left without its key, only what is masked by keys of those who stayed can be
opened: their hands and the last chain, in which a tile somebody held is a blank, an encryption of
O.
"""

from collections.abc import Iterable

from netgame.crypto.group import Element, Point, Q, mul, mul_base, sub
from netgame.crypto.masking import Masked


def reveals_key(x: int, X: Point) -> bool:
    """Whether x, from a peer, is the secret behind X: 0 < x < Q and xG = X."""
    return 0 < x < Q and mul_base(x) == X


def open_points(masked: Iterable[Masked], xs: Iterable[int]) -> tuple[Element, ...]:
    """Give the point under each masked tile, in order, O for a blank.

    `xs` are all the secrets that they are masked with.
    """
    x = sum(xs) % Q
    return tuple(sub(B, mul(x, A)) for A, B in masked)
