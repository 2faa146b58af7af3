"""The checks of protocol.md 5 on octets, using the second implementation of its equations."""

from functools import cache
from itertools import pairwise

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.conformance.edwards import ORDER_8, P
from tests.conformance.octets import Malformed
from tests.netgame.crypto import oracle, oracle_moving
from tests.netgame.crypto.oracle import Q, add, check_point, neg

SMALL = (ORDER_8, P - ORDER_8, 0, 1, P - 1)
"""The y coordinates of the points of small order."""

# ---- signatures -------------------------------------------------------------------------------


def is_key(octets):
    """Return True if these octets may be an identity key (5.2)."""
    y = int.from_bytes(octets, "little") % 2**255
    return len(octets) == 32 and y < P and y not in SMALL


@cache
def signed(key, domain, octets, signature):
    """Return True if the signature of these octets in a domain is good for a key.

    The library uses the equation without the cofactor.
    """
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
    """Return these octets if they encode a point; raise Malformed otherwise."""
    if len(octets) != 33 or octets[0] not in (2, 3):
        raise Malformed("no point")
    try:
        check_point(octets)
    except ValueError as problem:
        raise Malformed("no point") from problem
    return octets


def scalar(octets):
    """Return the scalar in these octets; raise Malformed if they do not encode one."""
    value = int.from_bytes(octets, "big")
    if len(octets) != 32 or value >= Q:
        raise Malformed("no scalar")
    return value


def number(octets):
    """Return the number in these octets, most significant first."""
    return int.from_bytes(octets, "big")


POINT, SCALAR, SHORT, RAW = (33, point), (32, scalar), (16, number), (32, bytes)


class Parts(dict):
    """The parts of some octets, by name; hashed by the octets, so that caches can use it."""

    def __init__(self, octets, layout):
        super().__init__()
        self.octets = octets
        for name, kinds in layout.items():
            found = []
            for size, make in kinds if isinstance(kinds, list) else [kinds]:
                found.append(make(octets[:size]))
                octets = octets[size:]
            self[name] = found if isinstance(kinds, list) else found[0]
        if octets:
            raise Malformed("octets too many")

    def __hash__(self):
        return hash(self.octets)


def read(octets, **layout):
    """Return the parts of octets that have this layout; a list stands for a sequence of parts.

    Raise Malformed if a part is wrong or octets are left over.
    """
    return Parts(octets, layout)


def points(octets, n):
    """Return the `n` points in these octets; raise Malformed if they are not exactly that."""
    return tuple(read(octets, points=[POINT] * n)["points"])


@cache
def deck(octets, n):
    """Return the deck of `n` entries in these octets, as pairs of points (5.4)."""
    return pairs(points(octets, 2 * n))


def pairs(several):
    """Return the points in pairs: the first and second, the third and fourth, and so on."""
    return tuple(zip(several[::2], several[1::2], strict=True))


@cache
def holds(equations, *claim):
    """Return True if all equations of a proof hold for a claim."""
    return all(equations(*claim).values())


def ascend(tiles):
    """Return True if there are 1 to 190 tiles, in strictly ascending order."""
    return 1 <= len(tiles) <= 190 and all(low < high for low, high in pairwise(tiles))


# ---- keys, shuffles, tokens, claims -----------------------------------------------------------


def key_opening(octets):
    """Return the parts of the opening of a round key (5.3)."""
    return read(octets, X=POINT, T=POINT, rand=RAW, s=SCALAR)


def key_holds(*claim):
    """Return True if an opening matches its commitment and proves knowledge of the secret."""
    return holds(oracle.key_equations, *claim)


@cache
def shuffle_proof(octets, n):
    """Return the parts of a shuffle proof for `n` entries (5.5)."""
    lists = {name: [POINT] * n for name in ("c", "c_hat", "t_hat")}
    answers = {name: [SCALAR] * n for name in ("s_hat", "s_prime")}
    return read(octets, **lists, t=[POINT] * 5, s=[SCALAR] * 4, **answers)


def shuffle_holds(ctx, X, given, made, octets):
    """Return True if the deck `made` is proved to be a shuffle of `given` under the key X."""
    n = len(given)
    claim = (ctx, X, given, made, shuffle_proof(octets, n))
    return 1 <= n <= 190 and holds(oracle.shuffle_equations, *claim)


def reveal_proof(octets):
    """Return the parts of a proof of tokens (5.6)."""
    return read(octets, T1=POINT, T2=POINT, s=SCALAR)


def reveal_holds(X, ctx, positions, As, tokens, proof):
    """Return True if the tokens are proved to be made with the secret of the key X."""
    positions, As = tuple(positions), tuple(As)
    good = positions and len(set(positions)) == len(positions) and None not in As
    claim = (X, ctx, positions, As, tuple(tokens), proof)
    return bool(good) and holds(oracle.reveal_equations, *claim)


def residual(masked, tokens):
    """Return a masked entry with these tokens removed."""
    A, B = masked
    return A, add(B, *map(neg, tokens))


tile = oracle.tile_point


def hand_proof(octets, n):
    """Return the parts of the proof of a claim over a hand, with `n` possible tiles (5.7)."""
    return read(octets, T1=POINT, T2=POINT, s=SCALAR, s_t=[SCALAR] * n)


def hand_holds(ctx, X, positions, residuals, tiles, proof):
    """Return True if a hand is proved to consist of some of these tiles."""
    if not (ascend(tiles) and positions and len(set(positions)) == len(positions)):
        return False
    claim = (ctx, X, positions, residuals, tiles, proof)
    return holds(oracle.hand_equations, *claim)


# ---- tiles that move, seats that leave --------------------------------------------------------


def hand_over(octets):
    """Return the parts of a hand-over (5.9)."""
    names = ("C1", "C2", "T1", "T2", "T3")
    return read(octets, **dict.fromkeys(names, POINT), s=SCALAR, s_r=SCALAR)


def hand_over_holds(X, ctx, Y, left, octets):
    """Return True if the tile under Y is proved to be the one that was under X."""
    over = hand_over(octets)
    claim = (X, ctx, Y, left, (over["C1"], over["C2"]), over)
    return left[0] is not None and holds(oracle_moving.hand_over_equations, *claim)


@cache
def rebuild(octets, n):
    """Return the parts of a contribution to a rebuilt deck of `n` tiles (rebuilding.md 3)."""
    answers = {"z0": [SCALAR] * n, "z1": [SCALAR] * n, "s_r": SCALAR, "s_x": SCALAR}
    found = read(octets, entries=[POINT] * (2 * n), c=SHORT, e0=[SHORT] * n, **answers)
    return found | {"entries": pairs(found["entries"])}


@cache
def rebuild_holds(ctx, P, X, positions, residuals, tiles, octets):
    """Return True if a contribution is proved to leave out exactly the tiles of this hand."""
    if not (ascend(tiles) and len(set(positions)) == len(positions) <= len(tiles)):
        return False
    proof = rebuild(octets, len(tiles))
    entries = proof["entries"]
    return oracle_moving.rebuild_holds(ctx, P, X, positions, residuals, tiles, entries, proof)


def blinding(octets, n):
    """Return the parts of a blinding of a deck of `n` entries (rebuilding.md 4).

    Raise Malformed for an empty deck.
    """
    if n < 1:
        raise Malformed("an empty deck")
    return read(octets, Z=POINT, entries=[POINT] * (2 * n), T1=POINT, T2=POINT, s=SCALAR)


def blinding_holds(ctx, given, said):
    """Return True if all points are proved to be those of the deck `given` times one factor."""
    halves = [half for which in (0, 1) for half in (each[which] for each in given)]
    made = [*said["entries"][::2], *said["entries"][1::2]]
    return reveal_holds(said["Z"], ctx, range(len(halves)), halves, made, said)


def joint(keys):
    """Return the sum of the keys, or None if two are equal or the sum is O."""
    return add(*keys) if len(set(keys)) == len(keys) else None
