"""The equations of protocol.md 5 written down a second time, slowly and plainly, over `coincurve`.

It imports nothing of `netgame`: it uses another binding, another hash routine and another map to
the curve. Points are 33 octets, or None for O. Proofs are dicts whose keys are the letters of
the protocol text, so that every intermediate value can go into a vector. Functions with
`equations` in their name return each verification equation separately: its formula as printed in
protocol.md, and True if it holds.
"""

from functools import cache
from hashlib import sha512
from math import prod

from tests.netgame.crypto import plain_curve

try:
    from coincurve import PrivateKey, PublicKey
except ImportError:
    PublicKey = None

Q = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
P = 2**256 - 2**32 - 977
G = bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")


def check_point(octets):
    """Raise ValueError unless these octets are a point."""
    plain_curve.decode(octets) if PublicKey is None else PublicKey(octets)


def mul(k, point):
    """Return k times a point."""
    if k % Q == 0 or point is None:
        return None
    if PublicKey is None:
        return plain_curve.encode(plain_curve.multiply(k % Q, plain_curve.decode(point)))
    return PublicKey(point).multiply((k % Q).to_bytes(32, "big")).format()


def base(k):
    """Return kG."""
    if PublicKey is None:
        return mul(k, G)
    return PrivateKey((k % Q).to_bytes(32, "big")).public_key.format() if k % Q else None


def neg(point):
    """Return the inverse of a point."""
    return None if point is None else bytes([5 - point[0]]) + point[1:]


def add(*points):
    """Return the sum of any number of points."""
    if PublicKey is None:
        total = plain_curve.O
        for point in points:
            if point is not None:
                total = plain_curve.add(total, plain_curve.decode(point))
        return plain_curve.encode(total)
    keys = [PublicKey(point) for point in points if point is not None]
    try:
        return PublicKey.combine_keys(keys).format() if keys else None
    except ValueError:
        return None  # the library has no O and raises instead


def combine(*terms):
    """Return the sum of k times point over (k, point) pairs."""
    return add(*(mul(k, point) for k, point in terms))


def _piece(part):
    if part is None:
        part = bytes(33)
    if isinstance(part, int):
        part = part.to_bytes(8, "big")
    if isinstance(part, str):
        part = part.encode("ascii")
    if isinstance(part, bytes):
        return len(part).to_bytes(4, "big") + part
    return len(part).to_bytes(4, "big") + b"".join(_piece(member) for member in part)


def hashed(tag, *parts):
    """Return H(tag, parts)."""
    return sha512(b"".join(_piece(part) for part in (tag, *parts))).digest()


def number(tag, *parts):
    """Return H(tag, parts) as a number."""
    return int.from_bytes(hashed(tag, *parts), "big")


def octets(k):
    """Return the 32 octets of a scalar."""
    return (k % Q).to_bytes(32, "big")


def root(square):
    """Return a square root modulo P, or None if there is none."""
    found = pow(square, (P + 1) // 4, P)
    return found if found * found % P == square % P else None


def swift(octets64):
    """Map 64 octets to a point: XSwiftEC of BIP 324, with y of the parity of t."""
    u = int.from_bytes(octets64[:32], "big") % P or 1
    t = int.from_bytes(octets64[32:], "big") % P
    odd, t = t & 1, t or 1
    if (u**3 + t * t + 7) % P == 0:
        t = 2 * t % P
    of_3 = pow(P - 3, (P + 1) // 4, P)
    of_3 = min(of_3, P - of_3)
    x_over = (u**3 + 7 - t * t) * pow(2 * t, -1, P) % P
    y_over = (x_over + t) * pow(of_3 * u, -1, P) % P
    ratio, half = x_over * pow(y_over, -1, P) % P, pow(2, -1, P)
    for x in ((u + 4 * y_over**2) % P, (-ratio - u) * half % P, (ratio - u) * half % P):
        if root(x**3 + 7) is not None:
            return bytes([2 + odd]) + x.to_bytes(32, "big")
    raise AssertionError("one of the three is on the curve")


@cache
def hash_to_group(label):
    """Return H2G(label)."""
    return swift(sha512(b"boneyard/v1/" + label.encode()).digest())


def tile_point(tile):
    """Return the point M of a tile."""
    low, high = tile
    return hash_to_group(f"tile/{low}-{high}")


def sums(masked):
    """Return the sum of the first halves, and the sum of the second halves."""
    return add(*(A for A, _ in masked)), add(*(B for _, B in masked))


def expand(seed, label, *parts):
    """Return a function that draws the next `size` octets of a stream.

    The stream is H("expand", seed, label, parts, counter) for counter = 0, 1 and so on.
    """
    stock, counter = b"", 0

    def draw(size):
        nonlocal stock, counter
        while len(stock) < size:
            stock += hashed("expand", seed, label, list(parts), counter)
            counter += 1
        taken, stock = stock[:size], stock[size:]
        return taken

    return draw


def scalar(draw):
    """Draw a scalar in 1..Q-1."""
    while not 0 < (k := int.from_bytes(draw(32), "big")) < Q:
        pass
    return k


def permutation(n, draw):
    """Draw a permutation of n indices, from the last index down."""
    places = list(range(n))
    for last in range(n - 1, 0, -1):
        limit = 2**32 // (last + 1) * (last + 1)
        while (v := int.from_bytes(draw(4), "big")) >= limit:
            pass
        places[last], places[v % (last + 1)] = places[v % (last + 1)], places[last]
    return places


def reencrypt(deck, X, psi, rp):
    """Return what a shuffle makes of `deck`: permuted by `psi` and remasked with `rp` under X."""
    return [
        (add(deck[at][0], base(r)), add(deck[at][1], mul(r, X)))
        for at, r in zip(psi, rp, strict=True)
    ]


def shuffle_values(ctx, X, deck, shuffled, psi, rp, nonces, bend=None):
    """Return the shuffle proof and every value that leads to it, in the order of protocol.md 5.5.

    A forger may `bend` the first messages t and t^ before the challenge is known.
    """
    n = len(deck)
    h, h_i = hash_to_group("shuffle/h"), [hash_to_group(f"shuffle/h/{i + 1}") for i in range(n)]
    r, rh, wh, wp = ([scalar(nonces) for _ in range(n)] for _ in range(4))
    w = [scalar(nonces) for _ in range(4)]
    d = hashed("sh", ctx, X, deck, shuffled)
    c = [None] * n
    for i in range(n):
        c[psi[i]] = add(base(r[psi[i]]), h_i[i])
    y = hashed("y", d, c)
    u = [number("u", y, i + 1) % 2**128 for i in range(n)]
    up = [u[at] for at in psi]
    ch, th, before = [], [], h
    for i in range(n):
        th.append(add(base(wh[i]), mul(wp[i], before)))
        before = add(base(rh[i]), mul(up[i], before))
        ch.append(before)
    t = [
        base(w[0]),
        base(w[1]),
        add(base(w[2]), *(mul(wp[i], h_i[i]) for i in range(n))),
        add(base(-w[3]), *(mul(wp[i], shuffled[i][0]) for i in range(n))),
        add(mul(-w[3], X), *(mul(wp[i], shuffled[i][1]) for i in range(n))),
    ]
    if bend is not None:
        t, th = bend(t, th)
    e = number("c", d, c, ch, t, th) % Q
    v = [1] * n
    for i in reversed(range(n - 1)):
        v[i] = v[i + 1] * up[i + 1] % Q
    s = [
        (w[0] + e * sum(r)) % Q,
        (w[1] + e * sum(rh[i] * v[i] for i in range(n))) % Q,
        (w[2] + e * sum(u[i] * r[i] for i in range(n))) % Q,
        (w[3] + e * sum(up[i] * rp[i] for i in range(n))) % Q,
    ]
    sh = [(wh[i] + e * rh[i]) % Q for i in range(n)]
    sp = [(wp[i] + e * up[i]) % Q for i in range(n)]
    return {
        "d": d, "r": r, "r_hat": rh, "w_hat": wh, "w_prime": wp, "w": w, "c": c, "y": y, "u": u,
        "u_prime": up, "c_hat": ch, "t_hat": th, "t": t, "e": e, "s": s, "s_hat": sh,
        "s_prime": sp,
    }  # fmt: skip


def shuffle_equations(ctx, X, deck, shuffled, proof):
    """Return each of the N + 5 equations of protocol.md 5.5 as printed, with True if it holds."""
    n = len(deck)
    h, h_i = hash_to_group("shuffle/h"), [hash_to_group(f"shuffle/h/{i + 1}") for i in range(n)]
    c, c_hat, t_hat, t = (proof[name] for name in ("c", "c_hat", "t_hat", "t"))
    (s1, s2, s3, s4), s_hat, sp = (proof[name] for name in ("s", "s_hat", "s_prime"))
    d = hashed("sh", ctx, X, deck, shuffled)
    y = hashed("y", d, c)
    u = [number("u", y, i + 1) % 2**128 for i in range(n)]
    ch = number("c", d, c, c_hat, t, t_hat) % Q
    product = prod(u) % Q

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


def key_equations(commitment, commit_ctx, opening, open_ctx):
    """Return the equations of 5.3: the key is as committed, and its sender knows the secret."""
    X, T, rand, s = (opening[name] for name in ("X", "T", "rand", "s"))
    c = number("pop", open_ctx, X, T) % Q
    return {
        "the opening gives the commitment": hashed("key", commit_ctx, X, rand) == commitment,
        "sG = T + c X_k": base(s) == add(T, mul(c, X)),
    }


def reveal_values(x, ctx, positions, As, w, *, X=None, tokens=None):
    """Return tokens and their proof, with every value that leads to them (protocol.md 5.6).

    A forger passes an X that is not that of x, or other tokens.
    """
    X, tokens = X or base(x), tokens or [mul(x, A) for A in As]
    v = hashed("rho", ctx, X, positions, As, tokens)
    rho = [number("rho-p", v, position) % 2**128 for position in positions]
    folded = combine(*zip(rho, As, strict=True))
    T1, T2 = base(w), mul(w, folded)
    c = number("dleq", v, T1, T2) % Q
    return {
        "X": X, "tokens": tokens, "v": v, "rho": rho, "folded": folded, "w": w, "T1": T1,
        "T2": T2, "c": c, "s": (w + c * x) % Q,
    }  # fmt: skip


def reveal_equations(X, ctx, positions, As, tokens, proof):
    """Return the equations of 5.6: the prover knows the secret of X, and it made all tokens."""
    T1, T2, s = (proof[name] for name in ("T1", "T2", "s"))
    v = hashed("rho", ctx, X, positions, As, tokens)
    rho = [number("rho-p", v, position) % 2**128 for position in positions]
    c = number("dleq", v, T1, T2) % Q
    folded, opened = (combine(*zip(rho, points, strict=True)) for points in (As, tokens))
    return {
        "sG = T1 + c X_k": base(s) == add(T1, mul(c, X)),
        "s A* = T2 + c sum rho_p D_p": mul(s, folded) == add(T2, mul(c, opened)),
    }


def hand_values(ctx, x, positions, residuals, tiles, held, nonces, *, X=None):
    """Return the hand proof and every value that leads to it (protocol.md 5.7).

    A forger passes an X that is not that of x, and any tiles as `held`.
    """
    X = X or base(x)
    SA, SB = sums(residuals)
    points = [*map(tile_point, tiles)]
    w = scalar(nonces)
    w_t = [scalar(nonces) for _ in tiles]
    k_t = [int(tile in held) for tile in tiles]
    T1, T2 = base(w), add(mul(w, SA), *(mul(k, M) for k, M in zip(w_t, points, strict=True)))
    c = number("hand", ctx, X, positions, SA, SB, tiles, T1, T2) % Q
    return {
        "X": X, "SA": SA, "SB": SB, "w": w, "w_t": w_t, "k_t": k_t, "T1": T1, "T2": T2, "c": c,
        "s": (w + c * x) % Q,
        "s_t": [(first + c * k) % Q for first, k in zip(w_t, k_t, strict=True)],
    }  # fmt: skip


def hand_equations(ctx, X, positions, residuals, tiles, proof):
    """Return the equations of 5.7, for the key and for the sum of the hand."""
    T1, T2, s, s_t = (proof[name] for name in ("T1", "T2", "s", "s_t"))
    SA, SB = sums(residuals)
    points = [*map(tile_point, tiles)]
    c = number("hand", ctx, X, positions, SA, SB, tiles, T1, T2) % Q
    return {
        "sG = T1 + cX": base(s) == add(T1, mul(c, X)),
        "s SA + sum s_t M_t = T2 + c SB": add(mul(s, SA), combine(*zip(s_t, points, strict=True)))
        == add(T2, mul(c, SB)),
    }
