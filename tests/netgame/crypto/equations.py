"""Each verification equation of protocol.md 5 by itself: which hold, and which do not.

Plain and slow, over `oracle`, which has those of shuffles and hand-overs; nothing of `netgame` is
imported. The names are the formulas as they stand in protocol.md, so that a test can look for them
there.
"""

from tests.netgame.crypto.oracle import (
    Q,
    add,
    base,
    combine,
    hash_to_group,
    hashed,
    mul,
    number,
    octets,
)
from tests.netgame.crypto.oracle_moving import rebuild_challenge, rebuild_firsts

COMMITMENT = "the opening gives the commitment"
BRANCH = "T_(t,j) = z_(t,j) (G, P) - e_(t,j) (C1, C2 + j M_t)"


def key_opening(commitment, commit_ctx, opening, open_ctx):
    """5.3: the key committed to, by who knows its secret."""
    X, T, rand, s = (opening[name] for name in ("X", "T", "rand", "s"))
    c = number("pop", open_ctx, X, T) % Q
    return {
        COMMITMENT: hashed("key", commit_ctx, X, rand) == commitment,
        "sG = T + c X_k": base(s) == add(T, mul(c, X)),
    }


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
    for line, ((weights, total), first) in enumerate(zip(lines, W, strict=True), 1):
        left = sum(a * b for a, b in zip(weights, s_t, strict=True))
        name = f"sum weight_t s_t = W + c total mod q, line {line}"
        holds[name] = (left - first - c * total) % Q == 0
    return holds


def rebuild(claim, entries, proof, T, link):
    """5.10: first messages as they were hashed against those that the answers give.

    First messages are not sent; `T` (four for each tile) and `link` are what the sender hashed.
    """
    _, P, X, _, residuals, tiles = claim
    answered, linked = rebuild_firsts(P, X, residuals, tiles, entries, proof)
    names = [
        f"{BRANCH}, tile {t + 1}, j = {j}, {over}"
        for t in range(len(tiles))
        for j in (0, 1)
        for over in "GP"
    ]
    names += ["L1 = s_r G - c S1", "L2 = s_x G - c X_k", "L3 = s_r P + s_x SA - c (S2 + SB)"]
    pairs = zip(names, (*T, *link), (*answered, *linked), strict=True)
    holds = {name: first == right for name, first, right in pairs}
    c = rebuild_challenge(*claim, entries, T, link)
    return holds | {"the hash gives c": c == proof["c"]}
