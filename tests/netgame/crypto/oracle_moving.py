"""The equations for tiles that move and seats that leave, written a second time over `coincurve`.

Like `oracle`, which it builds on, this module imports nothing of `netgame`.
"""

from tests.netgame.crypto.oracle import Q, add, base, combine, mul, number, scalar, sums, tile_point


def hand_over_values(x, ctx, residual, Y, nonces):
    """Return a tile under Y and its proof, with every value that leads to it (protocol.md 5.9)."""
    (A, B), X = residual, base(x)
    r, w, w_r = (scalar(nonces) for _ in range(3))
    C1, C2 = base(r), add(B, mul(-x, A), mul(r, Y))
    T1, T2, T3 = base(w), base(w_r), combine((w, A), (-w_r, Y))
    c = number("over", ctx, X, Y, A, B, C1, C2, T1, T2, T3) % Q
    return {
        "X": X, "r": r, "w": w, "w_r": w_r, "C1": C1, "C2": C2, "T1": T1, "T2": T2, "T3": T3,
        "c": c, "s": (w + c * x) % Q, "s_r": (w_r + c * r) % Q,
    }  # fmt: skip


def hand_over_equations(X, ctx, Y, residual, masked, proof):
    """Return each equation of protocol.md 5.9 as printed, with True if it holds.

    They prove that the giver knows its key and the new randomness, and that the tile is the
    same.
    """
    (A, B), (C1, C2) = residual, masked
    T1, T2, T3, s, s_r = (proof[name] for name in ("T1", "T2", "T3", "s", "s_r"))
    c = number("over", ctx, X, Y, A, B, C1, C2, T1, T2, T3) % Q
    return {
        "sG = T1 + c X_f": base(s) == add(T1, mul(c, X)),
        "s_r G = T2 + c C1": base(s_r) == add(T2, mul(c, C1)),
        "s A - s_r X = T3 + c (B - C2)": combine((s, A), (-s_r, Y))
        == add(T3, mul(c, B), mul(-c, C2)),
    }


def open_points(deck, xs):
    """Return the point at each position of the deck after taking off the masks of the keys `xs`."""
    return [add(B, mul(-sum(xs), A)) for A, B in deck]


def other_challenge(c, e):
    """Return the challenge that, added to e modulo 2^128, gives c."""
    return (c - e) % 2**128


def rebuild_values(
    ctx,
    P,
    x,
    positions,
    residuals,
    tiles,
    held,
    nonces,
    multiples=None,
    *,
    X=None,
    bend=None,
    unmasked=None,
):
    """Return a contribution to a rebuilt deck and every value that leads to it (rebuilding.md 3).

    A cheater can withhold any `multiples` of the tiles and prove by the book that it holds
    `held`. It can claim an X that is not that of x, and `bend` the first messages before c is
    known. It can leave the tile at index `unmasked` without a mask.
    """
    X, (SA, SB) = X or base(x), sums(residuals)
    points = [*map(tile_point, tiles)]
    b = [int(list(tile) in [list(t) for t in held]) for tile in tiles]
    r, w, z, e = [], [], [], []
    for _ in tiles:
        for values in (r, w, z):
            values.append(scalar(nonces))
        e.append(int.from_bytes(nonces(16), "big"))
    if unmasked is not None:
        r[unmasked] = 0
    w_r, w_x = scalar(nonces), scalar(nonces)
    taken = multiples or b
    entries = [(base(r[t]), add(mul(r[t], P), mul(-taken[t], M))) for t, M in enumerate(points)]
    T = []
    for t, M in enumerate(points):
        C1, C2 = entries[t]
        true = [base(w[t]), mul(w[t], P)]
        other = C2 if b[t] else add(C2, M)
        false = [combine((z[t], base(1)), (-e[t], C1)), combine((z[t], P), (-e[t], other))]
        T += [*false, *true] if b[t] else [*true, *false]
    link = [base(w_r), base(w_x), combine((w_r, P), (w_x, SA))]
    if bend is not None:
        T, link = bend(T, link)
    c = rebuild_challenge(ctx, P, X, positions, residuals, tiles, entries, T, link)
    e0, z0, z1 = [], [], []
    for t in range(len(tiles)):
        rest = other_challenge(c, e[t])
        answer = (w[t] + rest * r[t]) % Q
        e0.append(e[t] if b[t] else rest)
        z0.append(z[t] if b[t] else answer)
        z1.append(answer if b[t] else z[t])
    return {
        "X": X, "SA": SA, "SB": SB, "b": b, "r": r, "w": w, "z": z, "e": e, "w_r": w_r, "w_x": w_x,
        "entries": entries, "T": T, "L": link, "c": c, "e0": e0, "z0": z0, "z1": z1,
        "s_r": (w_r + c * sum(r)) % Q, "s_x": (w_x + c * x) % Q,
    }  # fmt: skip


def rebuild_firsts(P, X, residuals, tiles, entries, proof):
    """Return the first messages that the answers of rebuilding.md 3 imply.

    They are T, with four points for each tile, and L, with three points.
    """
    c, s_r, s_x = proof["c"], proof["s_r"], proof["s_x"]
    (SA, SB), (S1, S2), T = sums(residuals), sums(entries), []
    for tile, (C1, C2), e0, z0, z1 in zip(
        tiles, entries, proof["e0"], proof["z0"], proof["z1"], strict=True
    ):
        M = tile_point(tile)
        for e, z, masked in ((e0, z0, C2), (other_challenge(c, e0), z1, add(C2, M))):
            T += [add(base(z), mul(-e, C1)), add(mul(z, P), mul(-e, masked))]
    last = combine((s_r, P), (s_x, SA), (-c, S2), (-c, SB))
    return T, [add(base(s_r), mul(-c, S1)), add(base(s_x), mul(-c, X)), last]


def rebuild_challenge(ctx, P, X, positions, residuals, tiles, entries, T, link):
    """Return c, the hash of the claim, the entries and the first messages, modulo 2^128."""
    at = (ctx, P, X, positions, *sums(residuals), tiles, entries)
    return number("rebuild", *at, T, link) % 2**128


def rebuild_holds(ctx, P, X, positions, residuals, tiles, entries, proof):
    """Return True if a contribution is good: the first messages that its answers imply give c."""
    firsts = rebuild_firsts(P, X, residuals, tiles, entries, proof)
    claim = (ctx, P, X, positions, residuals, tiles, entries)
    return rebuild_challenge(*claim, *firsts) == proof["c"]


def rebuild_equations(claim, entries, proof, T, link):
    """Return each equation of rebuilding.md 3, with True if it holds.

    An equation holds if the answers imply the first message that the sender hashed. First messages
    are not sent, so `T` (four for each tile) and `link` give them.
    """
    _, P, X, _, residuals, tiles = claim
    answered, linked = rebuild_firsts(P, X, residuals, tiles, entries, proof)
    names = [
        f"T_(t,j) = z_(t,j) (G, P) - e_(t,j) (C1, C2 + j M_t), tile {t + 1}, j = {j}, {over}"
        for t in range(len(tiles))
        for j in (0, 1)
        for over in "GP"
    ]
    names += ["L1 = s_r G - c S1", "L2 = s_x G - c X_k", "L3 = s_r P + s_x SA - c (S2 + SB)"]
    pairs = zip(names, (*T, *link), (*answered, *linked), strict=True)
    holds = {name: first == right for name, first, right in pairs}
    c = rebuild_challenge(*claim, entries, T, link)
    return holds | {"the hash gives c": c == proof["c"]}
