"""Vectors of shuffles, reveals, hands and a whole deal, each with every intermediate value."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import Q, add, base, hashed, mul, neg, octets, sums, tile_point
from tests.vectors.writing import (
    CTX,
    NO_POINT,
    NO_SCALAR,
    OTHER_CTX,
    SEED,
    flipped,
    joined,
    malformed,
    refused,
    sent,
    stream,
)

SHUFFLE = ("c", "c_hat", "t_hat", "t", "s", "s_hat", "s_prime")
REVEAL = ("T1", "T2", "s")
HAND = (*REVEAL, "s_t")
"""The parts of each proof that are sent, in order."""


def shuffle_case(name, X, deck, label):
    """Return a shuffle with every value of its proof, and the resulting deck."""
    draw = stream(label + "/psi")
    psi = oracle.permutation(len(deck), draw)
    rp = [oracle.scalar(draw) for _ in deck]
    after = oracle.reencrypt(deck, X, psi, rp)
    d = hashed("sh", CTX, X, deck, after)
    fresh = stream(label + "/proof")
    nonces = oracle.expand(fresh(32), "sh", joined(rp), d)
    values = oracle.shuffle_values(CTX, X, deck, after, psi, rp, nonces)
    case = {
        "name": name,
        "entropy": label,
        "ctx": CTX,
        "X": X,
        "deck": deck,
        "psi": psi,
        "r_prime": rp,
        "shuffled": after,
        "shuffled_octets": joined(after),
        **values,
        "octets": sent(values, *SHUFFLE),
    }
    return case, after


def _shuffle_refusals(case, x_other):
    deck, after, n = case["deck"], case["shuffled"], len(case["deck"])
    points_end = (3 * n + 5) * 33
    parts = {
        "c_0 begins with 06": (0, b"\x06"),
        "t1 is 33 zeros": (3 * n * 33, NO_POINT),
        "last scalar is Q": (-32, NO_SCALAR),
    }
    places = {
        "s1 differs": points_end + 31,
        "s4 differs": points_end + 127,
        "last s' differs": -1,
        "c_0 negated": 0,
    }
    others = {
        "another context": {"ctx": OTHER_CTX},
        "another key": {"X": base(x_other)},
        "input in another order": {"deck": [deck[1], deck[0], *deck[2:]]},
        "output in another order": {"shuffled": [*after[1:], after[0]]},
        "a tile twice": {"shuffled": [after[0], after[0], *after[2:]]},
    }
    shapes = {
        "a tile missing": {"shuffled": after[:-1]},
        "O in the output": {"shuffled": [[None, after[0][1]], *after[1:]]},
    }
    return [
        *malformed(case, parts),
        *flipped(case, "equation", places),
        *refused(case, "binding", others),
        *refused(case, "shape", shapes),
    ]


def shuffles():
    """Return a chain of two shuffles of three tiles, one of a single tile, and some to refuse."""
    draw = stream("shuffle/keys")
    x1, x2 = oracle.scalar(draw), oracle.scalar(draw)
    X = add(base(x1), base(x2))
    tiles = [(0, 0), (0, 1), (1, 1)]
    first_deck = [(None, tile_point(tile)) for tile in tiles]
    first, deck = shuffle_case("first of a chain", X, first_deck, "shuffle/first")
    second, _ = shuffle_case("second of the chain", X, deck, "shuffle/second")
    single, _ = shuffle_case("a single tile", X, deck[:1], "shuffle/single")
    return {
        "about": "protocol.md 5.5: each value of three shuffle proofs; octets is what is sent. "
        "Entropy is expand(seed, entropy || '/psi') for psi and r', '/proof' for the proof",
        "seed": SEED,
        "tiles": tiles,
        "accepted": [first, second, single],
        "refused": _shuffle_refusals(first, x1) + _shuffle_refusals(second, x2),
    }


def _reveal_case(name, x, positions, As, label):
    values = revealed(x, CTX, positions, As, stream(label))
    return {
        "name": name,
        "entropy": label,
        "ctx": CTX,
        "x": x,
        "positions": positions,
        "As": As,
        **values,
        "tokens_octets": joined(values["tokens"]),
        "octets": sent(values, *REVEAL),
    }


def revealed(x, ctx, positions, As, fresh):
    """Return tokens and their proof, with all intermediate values."""
    v = hashed("rho", ctx, base(x), positions, As, [mul(x, A) for A in As])
    w = oracle.scalar(oracle.expand(fresh(32), "dleq", octets(x), v))
    return oracle.reveal_values(x, ctx, positions, As, w)


def reveals():
    """Return tokens of one position, tokens of three, and some to refuse."""
    draw = stream("reveal/keys")
    x = oracle.scalar(draw)
    As = [base(oracle.scalar(draw)) for _ in range(3)]
    single = _reveal_case("one position", x, [5], As[:1], "reveal/single")
    three = _reveal_case("three positions", x, [5, 2, 9], As, "reveal/three")
    tokens = three["tokens"]
    parts = {
        "T1 begins with 05": (0, b"\x05"),
        "T2 is 33 zeros": (33, NO_POINT),
        "s is Q": (66, NO_SCALAR),
    }
    others = {
        "another context": {"ctx": OTHER_CTX},
        "another key": {"X": base(oracle.scalar(draw))},
        "another position": {"positions": [5, 2, 8]},
        "positions exchanged": {"positions": [2, 5, 9]},
        "another A": {"As": [As[1], *As[1:]]},
        "tokens exchanged": {"tokens": [tokens[1], tokens[0], tokens[2]]},
    }
    shapes = {
        "a token missing": {"tokens": tokens[:2]},
        "a token is O": {"tokens": [None, *tokens[1:]]},
        "a position twice": {"positions": [5, 5, 9]},
        "no positions": {"positions": [], "As": [], "tokens": []},
    }
    return {
        "about": "protocol.md 5.6: tokens with their proof; entropy is expand(seed, entropy)",
        "seed": SEED,
        "accepted": [single, three],
        "refused": [
            *malformed(three, parts, more=None),
            *flipped(three, "equation", {"s differs": 97, "T2 negated": 33}),
            *refused(three, "binding", others),
            *refused(three, "shape", shapes),
        ],
    }


def _hand_case(name, x, residuals, tiles, held, label):
    fresh, positions = stream(label), [3, 7]
    nonces = oracle.expand(
        fresh(32), "hand", octets(x), CTX, base(x), positions, *sums(residuals), tiles
    )
    values = oracle.hand_values(CTX, x, positions, residuals, tiles, held, nonces)
    return {
        "name": name,
        "entropy": label,
        "ctx": CTX,
        "x": x,
        "positions": positions,
        "residuals": residuals,
        "tiles": tiles,
        "held": held,
        **values,
        "octets": sent(values, *HAND),
    }


def masked(r, x, tile):
    """Return a tile masked under the key of `x`, with randomness `r`."""
    return [base(r), add(mul(r, base(x)), tile_point(tile))]


def hands():
    """Return claims over a hand of two, one of them with SA = O, and some to refuse."""
    draw = stream("hand/keys")
    x, r1, r2 = (oracle.scalar(draw) for _ in range(3))
    held = [(0, 1), (2, 2)]
    residuals = [masked(r, x, tile) for r, tile in zip((r1, r2), held, strict=True)]
    tiles = [(0, 0), (0, 1), (0, 2), (2, 2)]

    def proved(name, residuals=residuals, tiles=tiles, held=held, label=None):
        label = f"hand/{label or name}"
        return _hand_case(name, x, residuals, tiles, held, label)

    cancelling = [masked(r1, x, held[0]), masked(Q - r1, x, held[1])]
    passing = proved("pass")
    at_infinity = proved("SA is O", residuals=cancelling, label="infinity")
    lie = proved("lie", tiles=tiles[:3], held=held[:1])
    parts = {"T1 begins with 07": (0, b"\x07"), "s is Q": (66, NO_SCALAR)}
    others = {
        "another context": {"ctx": OTHER_CTX},
        "another key": {"X": base(r1)},
        "another position": {"positions": [3, 8]},
        "another residual": {"residuals": cancelling},
        "another Q": {"tiles": [(0, 0), (0, 1), (1, 2), (2, 2)]},
    }
    outside = {"tiles": tiles[:3], "octets": lie["octets"]}
    shapes = {
        "Q not ascending": {"tiles": tiles[::-1]},
        "Q with a tile twice": {"tiles": [tiles[0], *tiles[:3]]},
        "a position twice": {"positions": [3, 3]},
        "empty hand": {"positions": [], "residuals": []},
        "empty Q": {"tiles": [], "octets": passing["octets"][:98]},
    }
    return {
        "about": "protocol.md 5.7: claims over a hidden hand; entropy is expand(seed, entropy)",
        "seed": SEED,
        "accepted": [passing, at_infinity],
        "refused": [
            *malformed(passing, parts, bytes(32), "a scalar too many"),
            *flipped(passing, "equation", {"s differs": 97, "last s_t differs": -1}),
            *refused(passing, "binding", others),
            *refused(passing, "equation", {"a held tile outside Q": outside}),
            *refused(passing, "shape", shapes),
        ],
    }


def deal():
    """Return a deal of two seats and three tiles, from the round keys to the tiles in hand."""
    xs = [oracle.scalar(stream(f"deal/x/{k}")) for k in range(2)]
    X = add(*map(base, xs))
    tiles = [(0, 0), (0, 1), (1, 1)]
    named = {tile_point(tile): list(tile) for tile in tiles}
    decks = [[(None, point) for point in named]]
    shuffles_ = []
    for k in range(2):
        draw = stream(f"deal/psi/{k}")
        psi, rp = oracle.permutation(3, draw), [oracle.scalar(draw) for _ in range(3)]
        shuffles_.append({"psi": psi, "r_prime": rp})
        decks.append(oracle.reencrypt(decks[-1], X, psi, rp))
    positions = []
    for p, (A, B) in enumerate(decks[-1]):
        tokens = [mul(x, A) for x in xs]
        drawer = p % 2
        left = add(B, neg(tokens[1 - drawer]))
        point = add(left, neg(tokens[drawer]))
        positions.append(
            {
                "drawer": drawer,
                "tokens": tokens,
                "residual": [A, left],
                "point": point,
                "tile": named[point],
            }
        )
    return {
        "about": "protocol.md 5.4 to 5.6: two seats, three tiles, positions 0 and 2 to seat 0",
        "seed": SEED,
        "x": xs,
        "X": X,
        "tiles": tiles,
        "shuffles": shuffles_,
        "decks": decks,
        "deck_digests": [hashed("deck", deck) for deck in decks],
        "positions": positions,
    }
