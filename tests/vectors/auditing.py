"""Vectors of the audit: decks opened with all keys, one of which contains blanks."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import Q, add, base, mul
from tests.netgame.crypto.oracle_moving import open_points
from tests.vectors.proving import masked, tile_point
from tests.vectors.writing import SEED, refused, stream

TILES = [[0, 0], [0, 1], [1, 1]]


def _case(name, xs, deck, tiles, blanks):
    points = open_points(deck, xs)
    named = {tile_point(tile): tile for tile in tiles}
    return {
        "name": name,
        "x": xs,
        "Xs": [base(x) for x in xs],
        "X": add(*map(base, xs)),
        "deck": deck,
        "tiles": tiles,
        "blanks": blanks,
        "points": points,
        "opened": [named.get(point) for point in points],
    }


def audits():
    """Return two decks opened with all keys, and openings to refuse.

    One deck is opened after a round, the other after a rebuild because a seat has left.
    """
    draw = stream("audit/keys")
    xs = [oracle.scalar(draw) for _ in range(2)]
    mixed = [TILES[2], TILES[0], TILES[1]]
    deck = [masked(oracle.scalar(draw), sum(xs), tile) for tile in mixed]
    whole = _case("a round", xs, deck, TILES, 0)
    r1, r2, r3 = (oracle.scalar(draw) for _ in range(3))
    X = whole["X"]
    rebuilt = [[base(r1), mul(r1, X)], masked(r2, sum(xs), [0, 1]), [base(r3), mul(r3, X)]]
    after_leave = _case("after a leave", xs, rebuilt, [[0, 1]], 2)
    x, other = xs
    foreign = [*deck[:2], [deck[2][0], add(deck[2][1], base(1))]]
    keys = {"x negated": {"x": [Q - x, other]}, "keys exchanged": {"x": [other, x]}}
    tiles = {
        "a foreign tile": {"deck": foreign},
        "a tile twice": {"deck": [deck[0], deck[0], deck[2]]},
        "another set": {"tiles": [[0, 0], [0, 1], [0, 2]]},
    }
    blanks = {"a blank fewer": {"blanks": 1}, "no blanks": {"tiles": TILES, "blanks": 0}}
    return {
        "about": "protocol.md 5.8: secrets revealed, and the last deck of a chain opened",
        "seed": SEED,
        "accepted": [whole, after_leave],
        "refused": [
            *refused(whole, "key", keys),
            *refused(whole, "tiles", tiles),
            *refused(after_leave, "tiles", blanks),
        ],
    }
