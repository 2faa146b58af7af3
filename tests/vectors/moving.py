"""Vectors of tiles that move: hand-overs, a mixed deck, and a hand shuffled by its owner."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import add, base, octets
from tests.netgame.crypto.oracle_moving import hand_over_values
from tests.vectors.proving import masked, shuffle_case, tile_point
from tests.vectors.writing import (
    CTX,
    NO_POINT,
    NO_SCALAR,
    OTHER_CTX,
    SEED,
    flipped,
    malformed,
    refused,
    sent,
    stream,
)

PROOF = ("C1", "C2", "T1", "T2", "T3", "s", "s_r")


def _over(x, left, Y, label):
    """Return all values of a hand-over, scalars as numbers."""
    fresh = stream(label)
    nonces = oracle.expand(fresh(32), "over", octets(x), CTX, base(x), Y, *left)
    return hand_over_values(x, CTX, left, Y, nonces)


def _case(name, x, tile, left, y, Y, label):
    values = _over(x, left, Y, label)
    return {
        "name": name,
        "entropy": label,
        "ctx": CTX,
        "x": x,
        "tile": tile,
        "residual": left,
        "y": y,
        "Y": Y,
        **values,
        "octets": sent(values, *PROOF),
    }


def hand_overs():
    """Return hand-overs to the joint key of two seats and of three, and some to refuse."""
    draw = stream("handover/keys")
    x, y, r, other = (oracle.scalar(draw) for _ in range(4))
    tile, both = [2, 5], (x + y, add(base(x), base(y)))
    left = masked(r, x, tile)
    given = _case("by one of two", x, tile, left, *both, "handover/two")
    three = x + y + other, add(base(x), base(y), base(other))
    of_three = _case("by one of three", x, tile, left, *three, "handover/three")
    stolen = _case("stolen", other, tile, left, *both, "handover/stolen")
    swapped = _case("swapped", x, [0, 0], masked(r, x, [0, 0]), *both, "handover/swapped")
    parts = {
        "C1 begins with 06": (0, b"\x06"),
        "C2 is 33 zeros": (33, NO_POINT),
        "s is Q": (165, NO_SCALAR),
    }
    places = {
        "C1 negated": 0,
        "C2 negated": 33,
        "T3 negated": 132,
        "s differs": 196,
        "s_r differs": 228,
    }
    others = {
        "another context": {"ctx": OTHER_CTX},
        "another giver": {"X": base(other)},
        "another joint key": {"Y": of_three["Y"]},
        "a seat's key": {"Y": base(y)},
        "another residual": {"residual": masked(other, x, tile)},
        "another tile": {"residual": masked(r, x, [0, 0])},
    }
    lies = {
        "given by who does not hold it": stolen["octets"],
        "another tile given": swapped["octets"],
    }
    return {
        "about": "protocol.md 5.9: hand-overs; y is the secret of Y, entropy expand(seed, entropy)",
        "seed": SEED,
        "accepted": [given, of_three],
        "refused": [
            *malformed(given, parts),
            *flipped(given, "equation", places),
            *refused(given, "binding", others),
            *refused(given, "equation", lies),
            *refused(given, "shape", {"an open tile": {"residual": [None, left[1]]}}),
        ],
    }


def mixtures():
    """Return shuffles to accept and some to refuse.

    Those to accept are of a deck, of one open tile, and of two hands by their owner.
    """
    draw = stream("moving/keys")
    x1, x2, y = (oracle.scalar(draw) for _ in range(3))
    X = add(base(x1), base(x2))
    undrawn = [masked(oracle.scalar(draw), x1 + x2, tile) for tile in ([1, 2], [3, 3])]
    shown = [[0, 4], [2, 2]]
    hidden = masked(oracle.scalar(draw), x1, [4, 6])
    over = _over(x1, hidden, X, "moving/over")
    bare = [[None, tile_point(tile)] for tile in shown]
    handed = [[over["C1"], over["C2"]]]
    mixed, _ = shuffle_case("mixed", X, [*undrawn, *bare, *handed], "moving/mixed")
    mixed |= {"undrawn": undrawn, "open_tiles": shown, "handed": handed}
    alone, _ = shuffle_case("a lone open tile", X, bare[:1], "moving/alone")
    hand = [masked(oracle.scalar(draw), y, tile) for tile in ([0, 1], [5, 6], [2, 3])]
    own, _ = shuffle_case("own hand", base(y), hand, "moving/own")
    small, _ = shuffle_case("own hand of one", base(y), hand[:1], "moving/small")
    swapped = [mixed["deck"][0], *mixed["deck"][2:], mixed["deck"][1]]
    decks = {
        "another order": swapped,
        "another open tile": [*undrawn, bare[0], bare[0], *handed],
        "not handed over": [*undrawn, *bare, hidden],
    }
    others = {
        "under the joint key": {"X": X},
        "another residual": {"deck": [*hand[:2], hidden]},
        "another context": {"ctx": OTHER_CTX},
    }
    return {
        "about": "protocol.md 5.9: shuffles as in shuffle.json; the first deck is mixed from "
        "undrawn, open_tiles and handed, the last two lie under their owner's key",
        "seed": SEED,
        "keys": [x1, x2, y],
        "accepted": [mixed, alone, own, small],
        "refused": [
            *refused(mixed, "binding", {name: {"deck": deck} for name, deck in decks.items()}),
            *refused(mixed, "shape", {"a tile missing": {"deck": [*undrawn, *bare]}}),
            *refused(own, "binding", others),
            *flipped(own, "equation", {"s1 differs": 14 * 33 + 31}),
        ],
    }
