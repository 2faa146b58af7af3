"""Vectors of the audit: a round of two seats from committed seeds, and a deck with blanks."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import Q, add, base, hashed, mul
from tests.netgame.crypto.oracle_moving import open_points, seeded
from tests.vectors.proving import masked, tile_point
from tests.vectors.writing import CTX, OTHER_CTX, SEED, changed, refused, stream

TILES = [[0, 0], [0, 1], [1, 1]]


def _links(seeds, X, deck):
    links = []
    for k, seed in enumerate(seeds):
        ctx, seed_ctx = hashed("vector", "link", k), hashed("vector", "seed", k)
        psi, rp, after = seeded(seed, ctx, X, deck)
        links.append(
            {
                "seed_ctx": seed_ctx,
                "seed": seed,
                "commitment": hashed("seed", seed_ctx, seed),
                "ctx": ctx,
                "input_digest": hashed("deck", deck),
                "psi": psi,
                "r_prime": rp,
                "shuffled": after,
            }
        )
        deck = after
    return links


def _case(name, xs, seeds, deck, tiles, blanks):
    X = add(*map(base, xs))
    links = _links(seeds, X, deck)
    points = open_points(links[-1]["shuffled"], xs)
    named = {tile_point(tile): tile for tile in tiles}
    return {
        "name": name,
        "x": xs,
        "Xs": [base(x) for x in xs],
        "X": X,
        "deck": deck,
        "links": links,
        "tiles": tiles,
        "blanks": blanks,
        "points": points,
        "opened": [named.get(point) for point in points],
    }


def audits():
    """Give a round laid open, a chain after a leaver's rebuild, and what must be found out."""
    draw = stream("audit/keys")
    xs, seeds = [oracle.scalar(draw) for _ in range(2)], [draw(32) for _ in range(2)]
    whole = _case("a round", xs, seeds, [[None, tile_point(tile)] for tile in TILES], TILES, 0)
    r1, r2, r3 = (oracle.scalar(draw) for _ in range(3))
    X = whole["X"]
    rebuilt = [[base(r1), mul(r1, X)], masked(r2, sum(xs), [0, 1]), [base(r3), mul(r3, X)]]
    after_leave = _case("after a leave", xs, seeds, rebuilt, [[0, 1]], 2)

    def with_link(index, **change):
        links = [dict(link) for link in whole["links"]]
        links[index] |= change
        return links

    last = whole["links"][-1]["shuffled"]
    x, other = xs
    seed, at = seeds[0], whole["links"][0]
    foreign = [last[0], last[1], (last[2][0], add(last[2][1], base(1)))]
    keys = {"x negated": {"x": [Q - x, other]}, "keys exchanged": {"x": [other, x]}}
    seeds_shown = {
        "another seed": {"seed": changed(seed, 31)},
        "a seed too short": {"seed": seed[:31]},
        "committed elsewhere": {"seed_ctx": CTX},
    }
    shifted = with_link(0, shuffled=[*at["shuffled"][1:], at["shuffled"][0]])
    links = {
        "another context": {"links": with_link(1, ctx=OTHER_CTX), "culprits": [1]},
        "another permutation": {"links": shifted, "culprits": [0, 1]},
    }
    tiles = {
        "a foreign tile": {"links": with_link(1, shuffled=foreign)},
        "a tile twice": {"links": with_link(1, shuffled=[last[0], last[0], last[2]])},
        "another set": {"tiles": [[0, 0], [0, 1], [0, 2]]},
    }
    blanks = {"a blank fewer": {"blanks": 1}, "no blanks": {"tiles": TILES, "blanks": 0}}
    return {
        "about": "protocol.md 5.8: secrets and seeds revealed, each link recomputed, the last deck "
        "opened; culprits are the links that do not come out again",
        "seed": SEED,
        "accepted": [whole, after_leave],
        "refused": [
            *refused(whole, "key", keys),
            *refused(
                whole,
                "commitment",
                {n: {"links": with_link(0, **c)} for n, c in seeds_shown.items()},
            ),
            *refused(whole, "link", links),
            *refused(whole, "tiles", tiles),
            *refused(after_leave, "tiles", blanks),
        ],
    }
