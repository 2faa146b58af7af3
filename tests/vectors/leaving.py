"""Vectors of seats that leave: contributions, the rebuilt deck, and its blanks."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import add, base, hashed, mul, neg, octets, sums
from tests.netgame.crypto.oracle_moving import rebuild_values
from tests.vectors.proving import REVEAL, masked, revealed, shuffle_case, tile_point
from tests.vectors.writing import (
    CTX,
    NO_POINT,
    NO_SCALAR,
    OTHER_CTX,
    SEED,
    flipped,
    joined,
    malformed,
    put,
    refused,
    sent,
    stream,
)

TILES = [[0, 0], [0, 1], [0, 2], [1, 1]]
HELD = ([[0, 1], [1, 1]], [[0, 0]], [])
PROOF = ("entries", "c", "e0", "z0", "z1", "s_r", "s_x")
"""The parts of a contribution that are sent, in order."""


def _short(e):
    return e.to_bytes(16, "big")


def _values(x, P, positions, residuals, tiles, held, label, multiples=None):
    """Return a contribution's values; for a lie, `held` differs from the tiles in the residuals."""
    fresh = stream(label)
    nonces = oracle.expand(
        fresh(32), "rebuild", octets(x), CTX, P, base(x), positions, *sums(residuals), tiles
    )
    values = rebuild_values(CTX, P, x, positions, residuals, tiles, held, nonces, multiples)
    short = {key: list(map(_short, values[key])) for key in ("e", "e0")}
    return values | short | {"c": _short(values["c"])}


def _case(name, x, P, positions, residuals, held, label):
    values = _values(x, P, positions, residuals, TILES, held, label)
    return {
        "name": name,
        "entropy": label,
        "ctx": CTX,
        "joint": P,
        "x": x,
        "positions": positions,
        "residuals": residuals,
        "tiles": TILES,
        "held": held,
        **values,
        "octets": sent(values, *PROOF),
    }


def _table():
    """Return the secrets of three seats that stay, their joint key, and their contributions."""
    draw = stream("rebuild/keys")
    xs = [oracle.scalar(draw) for _ in HELD]
    P = add(*map(base, xs))
    cases, position = [], 0
    for k, (x, held) in enumerate(zip(xs, HELD, strict=True)):
        residuals = [masked(oracle.scalar(draw), x, tile) for tile in held]
        positions = list(range(position, position + len(held)))
        position += len(held)
        label = f"rebuild/{k}"
        cases.append(_case(f"a hand of {len(held)}", x, P, positions, residuals, held, label))
    return xs, P, cases


def _refusals(cases, xs):
    first, other, empty = cases
    octets_, n, P = first["octets"], len(TILES), first["joint"]
    c_at, e_at, z_at = 66 * n, 66 * n + 16, 82 * n + 16

    def lie(held, *, x=xs[0], P=P, like=first):
        at = like["positions"], like["residuals"]
        return sent(_values(x, P, *at, TILES, held, "rebuild/lie"), *PROOF)

    doubled = masked(5, xs[0], [0, 1])
    doubled[1] = add(doubled[1], tile_point([0, 1]))
    one = {"positions": [0], "residuals": [doubled]}
    twice = _values(xs[0], P, *one.values(), TILES, [[0, 1]], "rebuild/lie", [0, 2, 0, 0])
    parts = {
        "C1 begins with 06": (0, b"\x06"),
        "C2 is 33 zeros": (33, NO_POINT),
        "z0 is Q": (z_at, NO_SCALAR),
    }
    exchanged = put(octets_, 0, octets_[66:132] + octets_[:66])
    places = {
        "c differs": c_at + 15,
        "e0 differs": e_at + 7,
        "z0 differs": z_at + 31,
        "z1 differs": -65,
        "s_r differs": -33,
        "s_x differs": -1,
    }
    others = {
        "replayed at another step": {"ctx": OTHER_CTX},
        "replayed by another seat": other["octets"],
        "another joint key": {"joint": add(base(xs[0]), base(xs[1]))},
        "another key": {"X": base(xs[1])},
        "other positions": {"positions": [0, 7]},
        "another residual": {"residuals": [*first["residuals"][:1], doubled]},
        "another tile": {"tiles": [[0, 0], [0, 1], [0, 2], [1, 2]]},
    }
    lies = {
        "a held tile omitted": lie(HELD[0][:1]),
        "a foreign tile withheld": lie([*HELD[0], [0, 2]]),
        "one tile for another": lie([[0, 1], [0, 2]]),
        "a stranger's proof": lie(HELD[0], x=xs[1]),
        "under another key": lie(HELD[0], P=base(xs[0])),
        "non-binary": one | {"octets": sent(twice, *PROOF)},
    }
    empty_lie = lie([[0, 2]], x=xs[2], like=empty)
    shapes = {
        "tiles not ascending": {"tiles": TILES[::-1]},
        "a tile named twice": {"tiles": [TILES[0], *TILES[:3]]},
        "a position twice": {"positions": [0, 0]},
        "a residual missing": {"residuals": first["residuals"][:1]},
    }
    return [
        *malformed(first, parts),
        *flipped(first, "equation", {"C1 negated": 0, "C2 negated": 33}),
        *refused(first, "equation", {"entries exchanged": exchanged}),
        *flipped(first, "equation", places),
        *refused(first, "binding", others),
        *refused(first, "equation", lies),
        *refused(empty, "equation", {"an empty hand withholds": empty_lie}),
        *refused(first, "shape", shapes),
    ]


def rebuilds():
    """Return the deck rebuilt by three seats that stay, their contributions, and some to refuse."""
    xs, _, cases = _table()
    deck = [[None, tile_point(tile)] for tile in TILES]
    for case in cases:
        deck = [
            [add(A, C1), add(B, C2)] for (A, B), (C1, C2) in zip(deck, case["entries"], strict=True)
        ]
    x = sum(xs)
    return {
        "about": "rebuilding.md 3: contributions of all who stay, and F; numbers c, e, e0 "
        "of 16 octets; entropy is expand(seed, entropy)",
        "seed": SEED,
        "accepted": cases,
        "refused": _refusals(cases, xs),
        "rebuilt": deck,
        "points": [add(B, mul(-x, A)) for A, B in deck],
    }


def _blinding(deck, label, ctx):
    """Return a blinding of a deck with every value; its proof is a reveal proof for the key Z."""
    fresh = stream(label)
    z = oracle.scalar(oracle.expand(fresh(32), "blind", ctx, hashed("deck", deck)))
    halves = [*(A for A, _ in deck), *(B for _, B in deck)]
    values = revealed(z, ctx, list(range(len(halves))), halves, fresh)
    blinded = values.pop("tokens")
    shown = {
        "Z": values.pop("X"),
        "entries": list(zip(blinded, blinded[len(deck) :], strict=False)),
    }
    del values["folded"]
    case = {"entropy": label, "ctx": ctx, "deck": deck, "z": z, **shown, **values}
    return case | {"octets": sent(case, *shown, *REVEAL)}


def _blinding_refusals(case, other, x):
    octets_, deck = case["octets"], case["deck"]
    cancelling = [
        [add(mul(7, a), neg(c)), add(mul(7, b), neg(d))]
        for (a, b), (c, d) in zip(deck, other["entries"], strict=True)
    ]
    forged = [add(base(7), neg(other["Z"])), cancelling]
    twice = [[a, mul(2, b)] for a, b in case["entries"]]
    parts = {"Z is 33 zeros": (0, NO_POINT), "s is Q": (-32, NO_SCALAR)}
    factors = {
        "another factor for second halves": put(octets_, 33, joined(twice)),
        "cancels another's factor": put(octets_, 0, joined(forged)),
    }
    others = {
        "replayed at another step": {"ctx": OTHER_CTX},
        "replayed by another seat": other["octets"],
        "another deck": {"deck": [deck[1], deck[0], *deck[2:]]},
        "another entry": {"deck": [masked(3, x, [0, 2]), *deck[1:]]},
    }
    return [
        *malformed(case, parts, more=None),
        *flipped(case, "equation", {"s differs": -1, "Z negated": 0, "an entry negated": 33}),
        *refused(case, "equation", factors),
        *refused(case, "binding", others),
        *refused(case, "shape", {"O in the deck": {"deck": [[None, deck[0][1]], *deck[1:]]}}),
    ]


def leaves():
    """Return the blindings and tokens that find the rebuilt deck's blanks.

    Also return blindings to refuse.
    """
    xs, P, _ = _table()
    rebuilt = rebuilds()["rebuilt"]
    _, deck = shuffle_case("rebuilt", P, rebuilt, "blanks/shuffle")
    deck = [list(masked) for masked in deck]
    cases = []
    for k in range(len(xs)):
        case = _blinding(deck, f"blanks/{k}", hashed("vector", "blind", k))
        cases.append({"name": f"seat {k}", **case})
    columns = zip(*(case["entries"] for case in cases), strict=True)
    blinded = [[add(*(m[half] for m in column)) for half in (0, 1)] for column in columns]
    tokens = [[mul(x, A) for A, _ in blinded] for x in xs]
    left = [
        add(B, *map(neg, shares))
        for (_, B), shares in zip(blinded, zip(*tokens, strict=True), strict=True)
    ]
    return {
        "about": "rebuilding.md 4: the deck of rebuild.json shuffled once, blinded by its three "
        "seats; positions 0..2N-1 of each proof are all A, then all B",
        "seed": SEED,
        "accepted": cases,
        "refused": _blinding_refusals(cases[0], cases[1], xs[0]),
        "keys": xs,
        "blinded": blinded,
        "tokens": tokens,
        "left": left,
        "held": sum(map(len, HELD)),
        "blanks": [place for place, point in enumerate(left) if point is None],
    }
