"""Each verification equation of protocol.md 5 by itself: which hold, and which do not.

Plain and slow, over `oracle`; nothing of `netgame` is imported. The names are the formulas as they
stand in protocol.md, so that a test can look for them there.
"""

from tests.netgame.crypto.oracle import (
    Q,
    add,
    base,
    combine,
    hash_to_group,
    hashed,
    mul,
    neg,
    number,
    octets,
)
from tests.netgame.crypto.oracle_moving import short_difference, stretch

COMMITMENT = "the opening gives the commitment"


def key_opening(commitment, commit_ctx, opening, open_ctx):
    """5.3: the key committed to, by who knows its secret."""
    X, T, rand, s = (opening[name] for name in ("X", "T", "rand", "s"))
    c = number("pop", open_ctx, X, T) % Q
    return {
        COMMITMENT: hashed("key", commit_ctx, X, rand) == commitment,
        "sG = T + c X_k": base(s) == add(T, mul(c, X)),
    }


def shuffle(ctx, X, deck, shuffled, proof):
    """5.5: N + 5 equations."""
    n = len(deck)
    h, h_i = hash_to_group("shuffle/h"), [hash_to_group(f"shuffle/h/{i + 1}") for i in range(n)]
    c, c_hat, t_hat, t = (proof[name] for name in ("c", "c_hat", "t_hat", "t"))
    (s1, s2, s3, s4), s_hat, sp = (proof[name] for name in ("s", "s_hat", "s_prime"))
    d = hashed("sh", ctx, X, deck, shuffled)
    y = hashed("y", d, c)
    u = [number("u", y, i + 1) % 2**128 for i in range(n)]
    ch = number("c", d, c, c_hat, t, t_hat) % Q
    product = 1
    for factor in u:
        product = product * factor % Q

    def moved(half):
        given = combine(*((sp[i], shuffled[i][half]) for i in range(n)))
        return add(given, combine(*((-ch * u[i], deck[i][half]) for i in range(n))))

    holds = {
        "t1 = s1 G - ch (sum c_i - sum h_i)": t[0]
        == add(base(s1), mul(-ch, add(*c, *map(neg, h_i)))),
        "t2 = s2 G - ch (c^_N - (product of u_i) h)": t[1]
        == add(base(s2), mul(-ch, add(c_hat[-1], mul(-product, h)))),
        "t3 = s3 G + sum s'_i h_i - ch sum u_i c_i": t[2]
        == add(
            base(s3),
            combine(*zip(sp, h_i, strict=True)),
            combine(*((-ch * u[i], c[i]) for i in range(n))),
        ),
        "t4a = -s4 G + sum s'_i a'_i - ch sum u_i a_i": t[3] == add(base(-s4), moved(0)),
        "t4b = -s4 X + sum s'_i b'_i - ch sum u_i b_i": t[4] == add(mul(-s4, X), moved(1)),
    }
    for i in range(n):
        before = c_hat[i - 1] if i else h
        right = add(base(s_hat[i]), mul(sp[i], before), mul(-ch, c_hat[i]))
        holds[f"t^_i = s^_i G + s'_i c^_(i-1) - ch c^_i, i = {i + 1}"] = t_hat[i] == right
    return holds


def reveal(X, ctx, positions, As, tokens, proof):
    """5.6: one key behind all tokens, and they are its tokens."""
    T1, T2, s = (proof[name] for name in ("T1", "T2", "s"))
    v = hashed("rho", ctx, X, positions, As, tokens)
    rho = [number("rho-p", v, position) % 2**128 for position in positions]
    c = number("dleq", v, T1, T2) % Q
    folded = [combine(*zip(rho, points, strict=True)) for points in (As, tokens)]
    return {
        "sG = T1 + c X_k": base(s) == add(T1, mul(c, X)),
        "s A* = T2 + c sum rho_p D_p": mul(s, folded[0]) == add(T2, mul(c, folded[1])),
    }


def hand(claim, proof):
    """5.7: the key, the sum of the hand, and each line."""
    T1, T2, s, s_t, W = (proof[name] for name in ("T1", "T2", "s", "s_t", "W"))
    X, tiles, lines = claim["X"], claim["tiles"], claim["lines"]
    SA, SB = (add(*(masked[half] for masked in claim["residuals"])) for half in (0, 1))
    points = [hash_to_group(f"tile/{low}-{high}") for low, high in tiles]
    said = [[w, total, octets(first)] for (w, total), first in zip(lines, W, strict=True)]
    at = (claim["ctx"], claim["kind"], X, claim["positions"], SA, SB, tiles)
    c = number("hand", *at, said, T1, T2) % Q
    holds = {
        "sG = T1 + cX": base(s) == add(T1, mul(c, X)),
        "s SA + sum s_t M_t = T2 + c SB": add(mul(s, SA), combine(*zip(s_t, points, strict=True)))
        == add(T2, mul(c, SB)),
    }
    for number_, ((weights, total), first) in enumerate(zip(lines, W, strict=True), 1):
        left = sum(a * b for a, b in zip(weights, s_t, strict=True))
        name = f"sum weight_t s_t = W + c total mod q, line {number_}"
        holds[name] = (left - first - c * total) % Q == 0
    return holds


def hand_over(X, ctx, Y, residual, masked, proof):
    """5.9: the giver's key, the new randomness, the same tile."""
    (A, B), (C1, C2) = residual, masked
    T1, T2, T3, s, s_r = (proof[name] for name in ("T1", "T2", "T3", "s", "s_r"))
    c = number("over", ctx, X, Y, A, B, C1, C2, T1, T2, T3) % Q
    return {
        "sG = T1 + c X_f": base(s) == add(T1, mul(c, X)),
        "s_r G = T2 + c C1": base(s_r) == add(T2, mul(c, C1)),
        "s A - s_r Y = T3 + c (B - C2)": combine((s, A), (-s_r, Y))
        == add(T3, mul(c, B), mul(-c, C2)),
    }


def rebuild(claim, entries, proof, T, link):
    """5.10: first messages as they were hashed against those that the answers give.

    First messages are not sent; `T` (four for each tile) and `link` are what the sender hashed.
    """
    P, X, c, s_r, s_x = claim["P"], claim["X"], proof["c"], proof["s_r"], proof["s_x"]
    SA, SB = (add(*(masked[half] for masked in claim["residuals"])) for half in (0, 1))
    S1, S2 = (add(*(entry[half] for entry in entries)) for half in (0, 1))
    f, holds = stretch(c), {}
    for at, ((low, high), (C1, C2)) in enumerate(zip(claim["tiles"], entries, strict=True)):
        e0 = proof["e0"][at]
        branches = (
            (0, e0, proof["z0"][at], C2),
            (1, short_difference(c, e0), proof["z1"][at], add(C2, _tile(low, high))),
        )
        for j, e, z, second in branches:
            first = add(base(z), mul(-stretch(e), C1))
            other = add(mul(z, P), mul(-stretch(e), second))
            holds[f"{BRANCH}, tile {at + 1}, j = {j}, G"] = T[4 * at + 2 * j] == first
            holds[f"{BRANCH}, tile {at + 1}, j = {j}, P"] = T[4 * at + 2 * j + 1] == other
    right = {
        "L1 = s_r G - c S1": add(base(s_r), mul(-f, S1)),
        "L2 = s_x G - c X_k": add(base(s_x), mul(-f, X)),
        "L3 = s_r P + s_x SA - c (S2 + SB)": combine((s_r, P), (s_x, SA), (-f, S2), (-f, SB)),
    }
    holds |= {name: link[at] == right[name] for at, name in enumerate(right)}
    at = (claim["ctx"], P, X, claim["positions"], SA, SB, claim["tiles"])
    holds["the hash gives c"] = number("rebuild", *at, entries, T, link) % 2**128 == c
    return holds


BRANCH = "T_(t,j) = z_(t,j) (G, P) - e_(t,j) (C1, C2 + j M_t)"


def _tile(low, high):
    return hash_to_group(f"tile/{low}-{high}")
