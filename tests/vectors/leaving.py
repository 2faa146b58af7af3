"""Vectors of seats that leave: contributions, the rebuilt deck, its blanks, a key taken off."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import Q, add, base, hash_to_group, hashed, mul, neg, octets
from tests.netgame.crypto.oracle_moving import rebuild_values
from tests.vectors.moving import residual
from tests.vectors.proving import shuffle_case
from tests.vectors.writing import CTX, OTHER_CTX, SEED, changed, refused, scalars, stream

TILES = [[0, 0], [0, 1], [0, 2], [1, 1]]
HELD = ([[0, 1], [1, 1]], [[0, 0]], [])
SCALARS = ("r", "w", "z", "z0", "z1")
SHORT = ("e", "e0")


def _short(e):
    return e.to_bytes(16, "big")


def _values(x, P, positions, residuals, tiles, held, label, multiples=None):
    """Give a contribution's values as numbers; `held` need not be what the residuals hold."""
    fresh = stream(label)
    SA, SB = add(*(A for A, _ in residuals)), add(*(B for _, B in residuals))
    nonces = oracle.expand(
        fresh(32), "rebuild", octets(x), CTX, P, base(x), positions, SA, SB, tiles
    )
    return rebuild_values(CTX, P, x, positions, residuals, tiles, held, nonces, multiples)


def _sent(values):
    """Give the octets of a contribution."""
    points = b"".join(A + B for A, B in values["entries"])
    short = b"".join(map(_short, (values["c"], *values["e0"])))
    answers = (*values["z0"], *values["z1"], values["s_r"], values["s_x"])
    return points + short + b"".join(scalars(answers))


def _case(name, x, P, positions, residuals, held, label):
    values = _values(x, P, positions, residuals, TILES, held, label)
    sent = _sent(values)
    values |= {key: scalars(values[key]) for key in SCALARS}
    values |= {key: list(map(_short, values[key])) for key in SHORT}
    values |= {key: octets(values[key]) for key in ("w_r", "w_x", "s_r", "s_x")}
    values["c"] = _short(values["c"])
    return {
        "name": name,
        "entropy": label,
        "ctx": CTX,
        "joint": P,
        "x": octets(x),
        "positions": positions,
        "residuals": residuals,
        "tiles": TILES,
        "held": held,
        **values,
        "octets": sent,
    }


def _table():
    """Give the keys of three who stay, their sum, and the three contributions."""
    draw = stream("rebuild/keys")
    xs = [oracle.scalar(draw) for _ in HELD]
    P = add(*map(base, xs))
    cases, position = [], 0
    for k, (x, held) in enumerate(zip(xs, HELD, strict=True)):
        residuals = [residual(oracle.scalar(draw), x, tile) for tile in held]
        positions = list(range(position, position + len(held)))
        position += len(held)
        label = f"rebuild/{k}"
        cases.append(_case(f"a hand of {len(held)}", x, P, positions, residuals, held, label))
    return xs, P, cases


def _refusals(cases, xs):
    first, other, empty = cases
    sent, n = first["octets"], len(TILES)
    c_at, e_at, z_at = 66 * n, 66 * n + 16, 82 * n + 16

    def lie(held, *, x=xs[0], P=first["joint"]):
        values = _values(x, P, first["positions"], first["residuals"], TILES, held, "rebuild/lie")
        return _sent(values)

    doubled = residual(5, xs[0], [0, 1])
    doubled[1] = add(doubled[1], hash_to_group("tile/0-1"))
    twice = _values(
        xs[0], first["joint"], [0], [doubled], TILES, [[0, 1]], "rebuild/lie", [0, 2, 0, 0]
    )
    return [
        refused(first, "length", "one octet short", octets=sent[:-1]),
        refused(first, "length", "one octet too many", octets=sent + b"\x00"),
        refused(first, "point", "C1 begins with 06", octets=b"\x06" + sent[1:]),
        refused(first, "point", "C2 is 33 zeros", octets=sent[:33] + bytes(33) + sent[66:]),
        refused(
            first, "scalar", "z0 is Q",
            octets=sent[:z_at] + Q.to_bytes(32, "big") + sent[z_at + 32 :],
        ),
        refused(first, "equation", "C1 negated", octets=changed(sent, 0)),
        refused(first, "equation", "C2 negated", octets=changed(sent, 33)),
        refused(
            first, "equation", "entries exchanged", octets=sent[66:132] + sent[:66] + sent[132:]
        ),
        refused(first, "equation", "c differs", octets=changed(sent, c_at + 15)),
        refused(first, "equation", "e0 differs", octets=changed(sent, e_at + 7)),
        refused(first, "equation", "z0 differs", octets=changed(sent, z_at + 31)),
        refused(first, "equation", "z1 differs", octets=changed(sent, len(sent) - 65)),
        refused(first, "equation", "s_r differs", octets=changed(sent, len(sent) - 33)),
        refused(first, "equation", "s_x differs", octets=changed(sent, len(sent) - 1)),
        refused(first, "binding", "replayed at another step", ctx=OTHER_CTX),
        refused(first, "binding", "replayed by another seat", octets=other["octets"]),
        refused(first, "binding", "another joint key", joint=add(base(xs[0]), base(xs[1]))),
        refused(first, "binding", "another key", X=base(xs[1])),
        refused(first, "binding", "other positions", positions=[0, 7]),
        refused(first, "binding", "another residual", residuals=[*first["residuals"][:1], doubled]),
        refused(first, "binding", "another tile", tiles=[[0, 0], [0, 1], [0, 2], [1, 2]]),
        refused(first, "equation", "a held tile omitted", octets=lie(HELD[0][:1])),
        refused(first, "equation", "a foreign tile withheld", octets=lie([*HELD[0], [0, 2]])),
        refused(first, "equation", "one tile for another", octets=lie([[0, 1], [0, 2]])),
        refused(first, "equation", "a stranger's proof", octets=lie(HELD[0], x=xs[1])),
        refused(first, "equation", "under another key", octets=lie(HELD[0], P=base(xs[0]))),
        refused(
            first, "equation", "non-binary", positions=[0], residuals=[doubled],
            octets=_sent(twice),
        ),
        refused(empty, "equation", "an empty hand withholds", octets=_empty_lie(empty, xs[2])),
        refused(first, "shape", "tiles not ascending", tiles=TILES[::-1]),
        refused(first, "shape", "a tile named twice", tiles=[TILES[0], *TILES[:3]]),
        refused(first, "shape", "a position twice", positions=[0, 0]),
        refused(first, "shape", "a residual missing", residuals=first["residuals"][:1]),
    ]  # fmt: skip


def _empty_lie(empty, x):
    return _sent(_values(x, empty["joint"], [], [], TILES, [[0, 2]], "rebuild/lie"))


def rebuilds():
    """Give the contributions of three who stay, one with an empty hand, and the deck they make."""
    xs, _, cases = _table()
    deck = [[None, hash_to_group(f"tile/{a}-{b}")] for a, b in TILES]
    for case in cases:
        deck = [
            [add(A, C1), add(B, C2)] for (A, B), (C1, C2) in zip(deck, case["entries"], strict=True)
        ]
    x = sum(xs)
    return {
        "about": "protocol.md 5.10: contributions of all who stay, and F; short numbers c, e, e0 "
        "are 16 octets; entropy is expand(seed, entropy)",
        "seed": SEED,
        "accepted": cases,
        "refused": _refusals(cases, xs),
        "rebuilt": deck,
        "points": [add(B, mul(-x, A)) for A, B in deck],
    }


def _blinding(deck, label, ctx):
    """Give a blinding with every value, as a reveal under Z."""
    fresh = stream(label)
    z = oracle.scalar(oracle.expand(fresh(32), "blind", ctx, hashed("deck", deck)))
    halves = [*(A for A, _ in deck), *(B for _, B in deck)]
    positions, Z = list(range(len(halves))), base(z)
    blinded = [mul(z, half) for half in halves]
    v = hashed("rho", ctx, Z, positions, halves, blinded)
    w = oracle.scalar(oracle.expand(fresh(32), "dleq", octets(z), v))
    values = oracle.reveal_values(z, ctx, positions, halves, w)
    n = len(deck)
    entries = [[blinded[i], blinded[n + i]] for i in range(n)]
    sent = Z + b"".join(A + B for A, B in entries)
    sent += values["T1"] + values["T2"] + octets(values["s"])
    return {
        "entropy": label, "ctx": ctx, "deck": deck, "z": octets(z), "Z": Z, "entries": entries,
        "v": v, "rho": scalars(values["rho"]), "w": octets(w), "T1": values["T1"],
        "T2": values["T2"], "c": octets(values["c"]), "s": octets(values["s"]), "octets": sent,
    }  # fmt: skip


def _blinding_refusals(case, other, x):
    sent, deck, n = case["octets"], case["deck"], len(case["deck"])
    cancelling = [
        [add(mul(7, a), neg(c)), add(mul(7, b), neg(d))]
        for (a, b), (c, d) in zip(deck, other["entries"], strict=True)
    ]
    forged = add(base(7), neg(other["Z"])) + b"".join(a + b for a, b in cancelling)
    twice = [[a, mul(2, b)] for a, b in case["entries"]]
    return [
        refused(case, "length", "one octet short", octets=sent[:-1]),
        refused(case, "point", "Z is 33 zeros", octets=bytes(33) + sent[33:]),
        refused(case, "scalar", "s is Q", octets=sent[:-32] + Q.to_bytes(32, "big")),
        refused(case, "equation", "s differs", octets=changed(sent, len(sent) - 1)),
        refused(case, "equation", "Z negated", octets=changed(sent, 0)),
        refused(case, "equation", "an entry negated", octets=changed(sent, 33)),
        refused(
            case, "equation", "another factor for second halves",
            octets=sent[:33] + b"".join(a + b for a, b in twice) + sent[33 + 66 * n :],
        ),
        refused(
            case, "equation", "cancels another's factor", octets=forged + sent[33 + 66 * n :]
        ),
        refused(case, "binding", "replayed at another step", ctx=OTHER_CTX),
        refused(case, "binding", "replayed by another seat", octets=other["octets"]),
        refused(case, "binding", "another deck", deck=[deck[1], deck[0], *deck[2:]]),
        refused(case, "binding", "another entry", deck=[residual(3, x, [0, 2]), *deck[1:]]),
        refused(case, "shape", "O in the deck", deck=[[None, deck[0][1]], *deck[1:]]),
    ]  # fmt: skip


def leaves():
    """Give the blanks of the rebuilt deck found, and the key of an open leaver taken off."""
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
    draw = stream("leave/keys")
    gone, mine = oracle.scalar(draw), oracle.scalar(draw)
    undrawn = [residual(oracle.scalar(draw), gone + mine, tile) for tile in TILES[:2]]
    return {
        "about": "protocol.md 5.10: the deck of rebuild.json shuffled once, blinded by its three "
        "seats; positions 0..2N-1 of each proof are all A, then all B. And a key taken off a deck",
        "seed": SEED,
        "accepted": cases,
        "refused": _blinding_refusals(cases[0], cases[1], xs[0]),
        "keys": scalars(xs),
        "blinded": blinded,
        "tokens": tokens,
        "left": left,
        "held": sum(map(len, HELD)),
        "blanks": [place for place, point in enumerate(left) if point is None],
        "graceful": {
            "x": octets(gone),
            "X": base(gone),
            "undrawn": undrawn,
            "without": [[A, add(B, mul(-gone, A))] for A, B in undrawn],
            "other_x": octets(mine),
            "tiles": TILES[:2],
        },
    }
