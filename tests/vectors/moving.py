"""Vectors of tiles that move: hand-overs, a mixed deck, a hand shuffled by its owner."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import Q, add, base, hash_to_group, mul, octets
from tests.netgame.crypto.oracle_moving import hand_over_values
from tests.vectors.proving import shuffle_case
from tests.vectors.writing import CTX, OTHER_CTX, SEED, changed, refused, scalars, stream

PROOF = ("T1", "T2", "T3", "s", "s_r")


def residual(r, x, tile):
    """Give a tile under the key of `x`."""
    return [base(r), add(mul(r, base(x)), hash_to_group(f"tile/{tile[0]}-{tile[1]}"))]


def _over(x, left, Y, label):
    """Give all values of a hand-over, scalars as numbers."""
    fresh = stream(label)
    nonces = oracle.expand(fresh(32), "over", octets(x), CTX, base(x), Y, *left)
    return hand_over_values(x, CTX, left, Y, nonces)


def _case(name, x, tile, left, y, Y, label):
    values = _over(x, left, Y, label)
    for key in ("r", "w", "w_r", "c", "s", "s_r"):
        values[key] = octets(values[key])
    return {
        "name": name,
        "entropy": label,
        "ctx": CTX,
        "x": octets(x),
        "tile": tile,
        "residual": left,
        "y": octets(y),
        "Y": Y,
        **values,
        "octets": b"".join(values[key] for key in ("C1", "C2", *PROOF)),
    }


def hand_overs():
    """Give a tile handed to a seat and the same put back under the joint key."""
    draw = stream("handover/keys")
    x, y, r, other = (oracle.scalar(draw) for _ in range(4))
    tile = [2, 5]
    left = residual(r, x, tile)
    given = _case("to a seat", x, tile, left, y, base(y), "handover/seat")
    back = _case("put back", x, tile, left, x + y, add(base(x), base(y)), "handover/joint")
    stolen = _case("stolen", other, tile, left, y, base(y), "handover/stolen")
    swapped = _case("swapped", x, [0, 0], residual(r, x, [0, 0]), y, base(y), "handover/swapped")
    sent = given["octets"]
    bad = [
        refused(given, "length", "one octet short", octets=sent[:-1]),
        refused(given, "length", "one octet too many", octets=sent + b"\x00"),
        refused(given, "point", "C1 begins with 06", octets=b"\x06" + sent[1:]),
        refused(given, "point", "C2 is 33 zeros", octets=sent[:33] + bytes(33) + sent[66:]),
        refused(given, "scalar", "s is Q", octets=sent[:165] + Q.to_bytes(32, "big") + sent[197:]),
        refused(given, "equation", "C1 negated", octets=changed(sent, 0)),
        refused(given, "equation", "C2 negated", octets=changed(sent, 33)),
        refused(given, "equation", "T3 negated", octets=changed(sent, 132)),
        refused(given, "equation", "s differs", octets=changed(sent, 196)),
        refused(given, "equation", "s_r differs", octets=changed(sent, 228)),
        refused(given, "binding", "another context", ctx=OTHER_CTX),
        refused(given, "binding", "another giver", X=base(other)),
        refused(given, "binding", "another taker", Y=back["Y"]),
        refused(given, "binding", "another residual", residual=residual(other, x, tile)),
        refused(given, "binding", "another tile", residual=residual(r, x, [0, 0])),
        refused(given, "equation", "given by who does not hold it", octets=stolen["octets"]),
        refused(given, "equation", "another tile given", octets=swapped["octets"]),
        refused(back, "binding", "put back, then taken", Y=given["Y"]),
        refused(given, "shape", "an open tile", residual=[None, left[1]]),
    ]
    return {
        "about": "protocol.md 5.9: hand-overs; y is the secret of Y, entropy expand(seed, entropy)",
        "seed": SEED,
        "accepted": [given, back],
        "refused": bad,
    }


def mixtures():
    """Give a shuffle of a mixed deck, one of a lone open tile, and a hand shuffled by its owner."""
    draw = stream("moving/keys")
    x1, x2, y = (oracle.scalar(draw) for _ in range(3))
    X = add(base(x1), base(x2))
    undrawn = [residual(oracle.scalar(draw), x1 + x2, tile) for tile in ([1, 2], [3, 3])]
    shown = [[0, 4], [2, 2]]
    hidden = residual(oracle.scalar(draw), x1, [4, 6])
    over = _over(x1, hidden, X, "moving/over")
    bare = [[None, hash_to_group(f"tile/{a}-{b}")] for a, b in shown]
    handed = [[over["C1"], over["C2"]]]
    mixed, _ = shuffle_case("mixed", X, [*undrawn, *bare, *handed], "moving/mixed")
    mixed |= {"undrawn": undrawn, "open_tiles": shown, "handed": handed}
    alone, _ = shuffle_case("a lone open tile", X, bare[:1], "moving/alone")
    hand = [residual(oracle.scalar(draw), y, tile) for tile in ([0, 1], [5, 6], [2, 3])]
    own, _ = shuffle_case("own hand", base(y), hand, "moving/own")
    small, _ = shuffle_case("own hand of one", base(y), hand[:1], "moving/small")
    swapped = [mixed["deck"][0], *mixed["deck"][2:], mixed["deck"][1]]
    bad = [
        refused(mixed, "binding", "another order", deck=swapped),
        refused(mixed, "binding", "another open tile", deck=[*undrawn, bare[0], bare[0], *handed]),
        refused(mixed, "binding", "not handed over", deck=[*undrawn, *bare, hidden]),
        refused(mixed, "shape", "a tile missing", deck=[*undrawn, *bare]),
        refused(own, "binding", "under the joint key", X=X),
        refused(own, "binding", "another residual", deck=[*hand[:2], hidden]),
        refused(own, "binding", "another context", ctx=OTHER_CTX),
        refused(own, "equation", "s1 differs", octets=changed(own["octets"], 14 * 33 + 31)),
    ]
    return {
        "about": "protocol.md 5.9: shuffles as in shuffle.json; the first deck is mixed from "
        "undrawn, open_tiles and handed, the last two lie under their owner's key",
        "seed": SEED,
        "keys": scalars([x1, x2, y]),
        "accepted": [mixed, alone, own, small],
        "refused": bad,
    }
