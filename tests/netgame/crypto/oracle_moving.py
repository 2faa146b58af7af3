"""The equations for tiles that move and seats that leave, written a second time over `coincurve`.

Like `oracle`, on which it builds, this imports nothing of `netgame`.
"""

from __future__ import annotations

from tests.netgame.crypto.oracle import (
    Q,
    add,
    base,
    combine,
    expand,
    hashed,
    mul,
    number,
    permutation,
    reencrypt,
    scalar,
)


def hand_over_values(x, ctx, residual, Y, nonces):
    """Give a tile under Y and its proof with all that leads to it (protocol.md 5.9)."""
    (A, B), X = residual, base(x)
    r, w, w_r = (scalar(nonces) for _ in range(3))
    C1, C2 = base(r), add(B, mul(-x, A), mul(r, Y))
    T1, T2, T3 = base(w), base(w_r), combine((w, A), (-w_r, Y))
    c = number("over", ctx, X, Y, A, B, C1, C2, T1, T2, T3) % Q
    return {
        "X": X, "r": r, "w": w, "w_r": w_r, "C1": C1, "C2": C2, "T1": T1, "T2": T2, "T3": T3,
        "c": c, "s": (w + c * x) % Q, "s_r": (w_r + c * r) % Q,
    }  # fmt: skip


def hand_over_holds(X, ctx, Y, residual, masked, proof):
    """Whether each equation of a hand-over holds, one after the other."""
    (A, B), (C1, C2) = residual, masked
    T1, T2, T3, s, s_r = (proof[key] for key in ("T1", "T2", "T3", "s", "s_r"))
    c = number("over", ctx, X, Y, A, B, C1, C2, T1, T2, T3) % Q
    return (
        base(s) == add(T1, mul(c, X))
        and base(s_r) == add(T2, mul(c, C1))
        and combine((s, A), (-s_r, Y)) == add(T3, mul(c, B), mul(-c, C2))
    )


def open_points(deck, xs):
    """Give the point at each position with all keys applied."""
    return [add(B, mul(-sum(xs), A)) for A, B in deck]


def seeded(seed, ctx, X, deck):
    """Give psi, r' and the deck that a seed makes of another (protocol.md 5.8)."""
    draw = expand(seed, "shuffle", ctx, hashed("deck", deck))
    psi = permutation(len(deck), draw)
    rp = [scalar(draw) for _ in deck]
    return psi, rp, reencrypt(deck, X, psi, rp)
