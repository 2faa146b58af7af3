"""The checks of protocol.md 5 on octets, over the second implementation of its equations."""

from functools import cache
from itertools import pairwise

from coincurve import PublicKey
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.conformance.octets import Malformed
from tests.netgame.crypto import oracle, oracle_moving
from tests.netgame.crypto.oracle import Q, add, base, combine, hashed, mul, neg, number

SMALL = (
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
    2**255 - 19 - 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
    0,
    1,
    2**255 - 20,
)


# ---- signatures -------------------------------------------------------------------------------


def is_key(octets):
    """Whether 32 octets may be an identity key (5.2)."""
    y = int.from_bytes(octets, "little") % 2**255
    return len(octets) == 32 and y < 2**255 - 19 and y not in SMALL


@cache
def signed(key, domain, octets, signature):
    """Whether a signature counts; the library's equation is the cofactorless one."""
    if not is_key(key) or len(signature) != 64:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, domain.encode() + b"\0" + octets)
    except (InvalidSignature, ValueError):
        return False
    return True


# ---- decoding ---------------------------------------------------------------------------------


@cache
def point(octets):
    """Read a point."""
    if len(octets) != 33 or octets[0] not in (2, 3):
        raise Malformed("no point")
    try:
        PublicKey(octets)
    except ValueError as problem:
        raise Malformed("no point") from problem
    return octets


def scalar(octets):
    """Read a scalar."""
    value = int.from_bytes(octets, "big")
    if len(octets) != 32 or value >= Q:
        raise Malformed("no scalar")
    return value


class Cursor:
    """Octets read from the front, all of which must be used."""

    def __init__(self, octets, size):
        if len(octets) != size:
            raise Malformed("another length")
        self.rest = octets

    def take(self, size):
        """Give the next octets."""
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def point(self):
        """Give the next point."""
        return point(self.take(33))

    def points(self, n):
        """Give the next points."""
        return [self.point() for _ in range(n)]

    def scalars(self, n):
        """Give the next scalars."""
        return [scalar(self.take(32)) for _ in range(n)]


@cache
def deck(octets, n):
    """Read a deck of n entries (5.4)."""
    cursor = Cursor(octets, 66 * n)
    return tuple((cursor.point(), cursor.point()) for _ in range(n))


def points(octets, n):
    """Read n tokens."""
    return tuple(Cursor(octets, 33 * n).points(n))


# ---- keys -------------------------------------------------------------------------------------


def key_opening(octets):
    """Read X, T, rand, s (5.3)."""
    cursor = Cursor(octets, 130)
    X, T = cursor.points(2)
    return X, T, cursor.take(32), *cursor.scalars(1)


def key_holds(commitment, commit_ctx, opening, open_ctx):
    """Whether an opening is what was committed to, and its key's secret is known."""
    X, T, rand, s = opening
    c = number("pop", open_ctx, X, T) % Q
    return hashed("key", commit_ctx, X, rand) == commitment and base(s) == add(T, mul(c, X))


# ---- shuffles ---------------------------------------------------------------------------------


@cache
def shuffle_proof(octets, n):
    """Read the proof of a shuffle (5.5)."""
    cursor = Cursor(octets, 163 * n + 293)
    read = {"c": cursor.points(n), "c_hat": cursor.points(n), "t_hat": cursor.points(n)}
    read |= {"t": cursor.points(5), "s": cursor.scalars(4)}
    return read | {"s_hat": cursor.scalars(n), "s_prime": cursor.scalars(n)}


@cache
def _shuffled(ctx, X, given, made, octets):
    proof = shuffle_proof(octets, len(given))
    return oracle.shuffle_holds(ctx, X, given, made, proof)


def shuffle_holds(ctx, X, given, made, octets):
    """Whether one link is proved."""
    return 1 <= len(given) <= 190 and _shuffled(ctx, X, given, made, octets)


# ---- tokens -----------------------------------------------------------------------------------


def reveal_proof(octets):
    """Read T1, T2, s (5.6)."""
    cursor = Cursor(octets, 98)
    return *cursor.points(2), *cursor.scalars(1)


@cache
def _revealed(X, ctx, positions, As, tokens, proof):
    T1, T2, s = proof
    v = hashed("rho", ctx, X, positions, As, tokens)
    rho = [number("rho-p", v, position) % 2**128 for position in positions]
    c = number("dleq", v, T1, T2) % Q
    folded, opened = combine(*zip(rho, As, strict=True)), combine(*zip(rho, tokens, strict=True))
    return base(s) == add(T1, mul(c, X)) and mul(s, folded) == add(T2, mul(c, opened))


def reveal_holds(X, ctx, positions, As, tokens, proof):
    """Whether tokens are those of X."""
    positions, As = tuple(positions), tuple(As)
    good = positions and len(set(positions)) == len(positions) and None not in As
    return bool(good) and _revealed(X, ctx, positions, As, tuple(tokens), proof)


def residual(masked, tokens):
    """Take tokens off."""
    A, B = masked
    return A, add(B, *map(neg, tokens))


# ---- claims -----------------------------------------------------------------------------------


@cache
def tile(t):
    """Give M_t."""
    low, high = t
    return oracle.hash_to_group(f"tile/{low}-{high}")


def hand_proof(octets, n):
    """Read T1, T2, s, s_t (5.7)."""
    cursor = Cursor(octets, 98 + 32 * n)
    return *cursor.points(2), *cursor.scalars(1), tuple(cursor.scalars(n))


@cache
def hand_holds(ctx, X, positions, residuals, tiles, proof):
    """Whether a hand is proved to lie among these tiles."""
    T1, T2, s, s_t = proof
    ascending = all(low < high for low, high in pairwise(tiles))
    if not (tiles and ascending and positions and len(set(positions)) == len(positions)):
        return False
    SA, SB = add(*(A for A, _ in residuals)), add(*(B for _, B in residuals))
    c = number("hand", ctx, "nothing-playable", X, positions, SA, SB, tiles, [], T1, T2) % Q
    left = add(mul(s, SA), *(mul(k, tile(t)) for k, t in zip(s_t, tiles, strict=True)))
    return base(s) == add(T1, mul(c, X)) and left == add(T2, mul(c, SB))


# ---- tiles that move, seats that leave --------------------------------------------------------


def hand_over(octets):
    """Read a hand-over (5.9)."""
    cursor = Cursor(octets, 229)
    names = ("C1", "C2", "T1", "T2", "T3")
    read = dict(zip(names, cursor.points(5), strict=True))
    read["s"], read["s_r"] = cursor.scalars(2)
    return read


@cache
def _handed(X, ctx, Y, left, octets):
    over = hand_over(octets)
    masked = over["C1"], over["C2"]
    return left[0] is not None and oracle_moving.hand_over_holds(X, ctx, Y, left, masked, over)


def hand_over_holds(X, ctx, Y, left, octets):
    """Whether what lies under Y now is what lay under X."""
    return _handed(X, ctx, Y, left, octets)


@cache
def rebuild(octets, n):
    """Read a contribution to a rebuilt deck (5.10)."""
    cursor = Cursor(octets, 146 * n + 80)
    entries = [tuple(cursor.points(2)) for _ in range(n)]
    c = int.from_bytes(cursor.take(16), "big")
    e0 = [int.from_bytes(cursor.take(16), "big") for _ in range(n)]
    read = {"c": c, "e0": e0, "z0": cursor.scalars(n), "z1": cursor.scalars(n)}
    read["s_r"], read["s_x"] = cursor.scalars(2)
    return entries, read


@cache
def rebuild_holds(ctx, P, X, positions, residuals, tiles, octets):
    """Whether a contribution withholds exactly this hand."""
    n = len(tiles)
    ascending = all(low < high for low, high in pairwise(tiles))
    if not (1 <= n <= 190 and ascending and len(set(positions)) == len(positions) <= n):
        return False
    entries, proof = rebuild(octets, n)
    return oracle_moving.rebuild_holds(ctx, P, X, positions, residuals, tiles, entries, proof)


def blinding(octets, n):
    """Read Z, the entries, the proof (5.10)."""
    if n < 1:
        raise Malformed("an empty deck")
    cursor = Cursor(octets, 66 * n + 131)
    Z = cursor.point()
    entries = tuple(tuple(cursor.points(2)) for _ in range(n))
    return Z, entries, reveal_proof(cursor.rest)


def blinding_holds(ctx, given, read):
    """Whether every half is one factor times the deck's."""
    Z, entries, proof = read
    halves = [A for A, _ in given] + [B for _, B in given]
    made = [A for A, _ in entries] + [B for _, B in entries]
    return reveal_holds(Z, ctx, range(len(halves)), halves, made, proof)


def joint(keys):
    """Give the sum of keys; None if two are equal or it is O."""
    return add(*keys) if len(set(keys)) == len(keys) else None


def links_of_seed(seed, ctx, X, given):
    """Give the deck that a seed makes of another (5.8)."""
    return tuple(tuple(pair) for pair in oracle_moving.seeded(seed, ctx, X, list(given))[2])
