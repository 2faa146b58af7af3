"""Vectors of shuffles, reveals, hands and a whole deal, each with every value on the way."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import Q, add, base, hashed, mul, neg, octets
from tests.vectors.writing import CTX, OTHER_CTX, SEED, changed, joined, refused, scalars, stream


def shuffle_case(name, X, deck, label):
    """Give a shuffle with every value of its proof, and the deck that comes out."""
    draw = stream(label + "/psi")
    psi = oracle.permutation(len(deck), draw)
    rp = [oracle.scalar(draw) for _ in deck]
    after = oracle.reencrypt(deck, X, psi, rp)
    d = hashed("sh", CTX, X, deck, after)
    fresh = stream(label + "/proof")
    nonces = oracle.expand(fresh(32), "sh", b"".join(scalars(rp)), d)
    values = oracle.shuffle_values(CTX, X, deck, after, psi, rp, nonces)
    for key in ("r", "r_hat", "w_hat", "w_prime", "w", "u", "u_prime", "s", "s_hat", "s_prime"):
        values[key] = scalars(values[key])
    values["e"] = octets(values["e"])
    sent = b"".join(
        b"".join(values[key]) for key in ("c", "c_hat", "t_hat", "t", "s", "s_hat", "s_prime")
    )
    case = {
        "name": name,
        "entropy": label,
        "ctx": CTX,
        "X": X,
        "deck": deck,
        "psi": psi,
        "r_prime": scalars(rp),
        "shuffled": after,
        "shuffled_octets": joined(after),
        **values,
        "octets": sent,
    }
    return case, after


def _shuffle_refusals(case, x_other):
    sent, n = case["octets"], len(case["deck"])
    deck, after = case["deck"], case["shuffled"]
    points_end = (3 * n + 5) * 33
    return [
        refused(case, "length", "one octet short", octets=sent[:-1]),
        refused(case, "length", "one octet too many", octets=sent + b"\x00"),
        refused(case, "point", "c_0 begins with 06", octets=b"\x06" + sent[1:]),
        refused(
            case, "point", "t1 is 33 zeros",
            octets=sent[: 3 * n * 33] + bytes(33) + sent[(3 * n + 1) * 33 :],
        ),
        refused(case, "scalar", "last scalar is Q", octets=sent[:-32] + Q.to_bytes(32, "big")),
        refused(case, "equation", "s1 differs", octets=changed(sent, points_end + 31)),
        refused(case, "equation", "s4 differs", octets=changed(sent, points_end + 127)),
        refused(case, "equation", "last s' differs", octets=changed(sent, len(sent) - 1)),
        refused(case, "equation", "c_0 negated", octets=changed(sent, 0)),
        refused(case, "binding", "another context", ctx=OTHER_CTX),
        refused(case, "binding", "another key", X=base(x_other)),
        refused(case, "binding", "input in another order", deck=[deck[1], deck[0], *deck[2:]]),
        refused(case, "binding", "output in another order", shuffled=[*after[1:], after[0]]),
        refused(case, "binding", "a tile twice", shuffled=[after[0], after[0], *after[2:]]),
        refused(case, "shape", "a tile missing", shuffled=after[:-1]),
        refused(case, "shape", "O in the output", shuffled=[[None, after[0][1]], *after[1:]]),
    ]  # fmt: skip


def shuffles():
    """Give a chain of two shuffles of three tiles, and one of a single tile."""
    draw = stream("shuffle/keys")
    x1, x2 = oracle.scalar(draw), oracle.scalar(draw)
    X = add(base(x1), base(x2))
    tiles = [(0, 0), (0, 1), (1, 1)]
    first_deck = [(None, oracle.hash_to_group(f"tile/{a}-{b}")) for a, b in tiles]
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
    fresh = stream(label)
    X, tokens = base(x), [mul(x, A) for A in As]
    v = hashed("rho", CTX, X, positions, As, tokens)
    w = oracle.scalar(oracle.expand(fresh(32), "dleq", octets(x), v))
    values = oracle.reveal_values(x, CTX, positions, As, w)
    sent = values["T1"] + values["T2"] + octets(values["s"])
    values |= {key: octets(values[key]) for key in ("w", "c", "s")}
    values["rho"] = scalars(values["rho"])
    return {
        "name": name,
        "entropy": label,
        "ctx": CTX,
        "x": octets(x),
        "positions": positions,
        "As": As,
        **values,
        "tokens_octets": joined(tokens),
        "octets": sent,
    }


def reveals():
    """Give tokens of one position, of three, and of positions that name their chain."""
    draw = stream("reveal/keys")
    x = oracle.scalar(draw)
    As = [base(oracle.scalar(draw)) for _ in range(3)]
    single = _reveal_case("one position", x, [5], As[:1], "reveal/single")
    three = _reveal_case("three positions", x, [5, 2, 9], As, "reveal/three")
    chained = _reveal_case("positions of chain 1", x, [[1, 5], [1, 2]], As[:2], "reveal/chained")
    sent, tokens = three["octets"], three["tokens"]
    bad = [
        refused(three, "length", "one octet short", octets=sent[:-1]),
        refused(three, "point", "T1 begins with 05", octets=b"\x05" + sent[1:]),
        refused(three, "point", "T2 is 33 zeros", octets=sent[:33] + bytes(33) + sent[66:]),
        refused(three, "scalar", "s is Q", octets=sent[:66] + Q.to_bytes(32, "big")),
        refused(three, "equation", "s differs", octets=changed(sent, 97)),
        refused(three, "equation", "T2 negated", octets=changed(sent, 33)),
        refused(three, "binding", "another context", ctx=OTHER_CTX),
        refused(three, "binding", "another key", X=base(oracle.scalar(draw))),
        refused(three, "binding", "another position", positions=[5, 2, 8]),
        refused(three, "binding", "positions exchanged", positions=[2, 5, 9]),
        refused(three, "binding", "another A", As=[As[1], As[1], As[2]]),
        refused(three, "binding", "tokens exchanged", tokens=[tokens[1], tokens[0], tokens[2]]),
        refused(three, "shape", "a token missing", tokens=tokens[:2]),
        refused(three, "shape", "a token is O", tokens=[None, *tokens[1:]]),
        refused(three, "shape", "a position twice", positions=[5, 5, 9]),
        refused(three, "shape", "no positions", positions=[], As=[], tokens=[]),
        refused(chained, "binding", "positions of chain 2", positions=[[2, 5], [2, 2]]),
        refused(chained, "binding", "positions without chain", positions=[5, 2]),
    ]
    return {
        "about": "protocol.md 5.6: tokens with their proof; entropy is expand(seed, entropy)",
        "seed": SEED,
        "accepted": [single, three, chained],
        "refused": bad,
    }


def _hand_case(name, kind, x, positions, residuals, tiles, lines, held, label):
    fresh = stream(label)
    SA, SB = add(*(A for A, _ in residuals)), add(*(B for _, B in residuals))
    nonces = oracle.expand(
        fresh(32), "hand", octets(x), CTX, kind, base(x), positions, SA, SB, tiles, lines
    )
    values = oracle.hand_values(kind, CTX, x, positions, residuals, tiles, lines, held, nonces)
    values |= {key: octets(values[key]) for key in ("w", "c", "s")}
    values |= {key: scalars(values[key]) for key in ("w_t", "s_t", "W")}
    sent = b"".join((values["T1"], values["T2"], values["s"], *values["s_t"], *values["W"]))
    return {
        "name": name,
        "entropy": label,
        "kind": kind,
        "ctx": CTX,
        "x": octets(x),
        "positions": positions,
        "residuals": residuals,
        "tiles": tiles,
        "lines": lines,
        "held": held,
        **values,
        "octets": sent,
    }


def _residual(r, x, tile):
    point = oracle.hash_to_group(f"tile/{tile[0]}-{tile[1]}")
    return [base(r), add(mul(r, base(x)), point)]


def hands():
    """Give passes and a score over a hand of two, and one whose SA is O."""
    draw = stream("hand/keys")
    x, r1, r2 = (oracle.scalar(draw) for _ in range(3))
    held = [(0, 1), (2, 2)]
    residuals = [_residual(r, x, tile) for r, tile in zip((r1, r2), held, strict=True)]
    tiles = [(0, 0), (0, 1), (0, 2), (2, 2)]
    every = [(a, b) for a in range(3) for b in range(a, 3)]
    pips = [a + b for a, b in every]
    passing = _hand_case(
        "pass", "nothing-playable", x, [3, 7], residuals, tiles, [], held, "hand/pass"
    )
    scored = _hand_case(
        "score", "pip-total", x, [3, 7], residuals, every, [[pips, 5]], held, "hand/score"
    )
    cancelling = [_residual(r1, x, held[0]), _residual(Q - r1, x, held[1])]
    at_infinity = _hand_case(
        "SA is O", "nothing-playable", x, [3, 7], cancelling, tiles, [], held, "hand/infinity"
    )
    lie = _hand_case(
        "lie", "nothing-playable", x, [3, 7], residuals, tiles[:3], [], held[:1], "hand/lie"
    )
    wrong = _hand_case(
        "lie", "pip-total", x, [3, 7], residuals, every, [[pips, 4]], held, "hand/wrong"
    )
    sent, scored_sent = passing["octets"], scored["octets"]
    bad = [
        refused(passing, "length", "one octet short", octets=sent[:-1]),
        refused(passing, "length", "a scalar too many", octets=sent + bytes(32)),
        refused(passing, "point", "T1 begins with 07", octets=b"\x07" + sent[1:]),
        refused(passing, "scalar", "s is Q", octets=sent[:66] + Q.to_bytes(32, "big") + sent[98:]),
        refused(passing, "equation", "s differs", octets=changed(sent, 97)),
        refused(passing, "equation", "last s_t differs", octets=changed(sent, len(sent) - 1)),
        refused(passing, "binding", "another kind", kind="no-double"),
        refused(passing, "binding", "another context", ctx=OTHER_CTX),
        refused(passing, "binding", "another key", X=base(r1)),
        refused(passing, "binding", "another position", positions=[3, 8]),
        refused(passing, "binding", "another residual", residuals=cancelling),
        refused(passing, "binding", "another Q", tiles=[(0, 0), (0, 1), (1, 2), (2, 2)]),
        refused(
            passing, "equation", "a held tile outside Q", tiles=tiles[:3], octets=lie["octets"]
        ),
        refused(passing, "shape", "Q not ascending", tiles=tiles[::-1]),
        refused(passing, "shape", "Q with a tile twice", tiles=[tiles[0], *tiles[:3]]),
        refused(passing, "shape", "a position twice", positions=[3, 3]),
        refused(passing, "shape", "empty hand", positions=[], residuals=[]),
        refused(passing, "shape", "empty Q", tiles=[], octets=sent[:98]),
        refused(scored, "equation", "W differs", octets=changed(scored_sent, len(scored_sent) - 1)),
        refused(scored, "binding", "another total", lines=[[pips, 4]]),
        refused(scored, "binding", "other weights", lines=[[[50, *pips[1:]], 5]]),
        refused(
            scored, "equation", "a proof of a wrong total", lines=[[pips, 4]],
            octets=wrong["octets"],
        ),
        refused(scored, "shape", "total of 2^16", lines=[[pips, 2**16]]),
        refused(scored, "shape", "a weight missing", lines=[[pips[1:], 5]]),
    ]  # fmt: skip
    return {
        "about": "protocol.md 5.7: claims over a hidden hand; entropy is expand(seed, entropy)",
        "seed": SEED,
        "accepted": [passing, scored, at_infinity],
        "refused": bad,
    }


def deal():
    """Give a deal of two seats and three tiles from the round keys to the tiles in hand."""
    xs = [oracle.scalar(stream(f"deal/x/{k}")) for k in range(2)]
    X = add(*map(base, xs))
    tiles = [(0, 0), (0, 1), (1, 1)]
    named = {oracle.hash_to_group(f"tile/{a}-{b}"): [a, b] for a, b in tiles}
    decks = [[(None, point) for point in named]]
    shuffles_ = []
    for k in range(2):
        draw = stream(f"deal/psi/{k}")
        psi, rp = oracle.permutation(3, draw), [oracle.scalar(draw) for _ in range(3)]
        shuffles_.append({"psi": psi, "r_prime": scalars(rp)})
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
        "x": scalars(xs),
        "X": X,
        "tiles": tiles,
        "shuffles": shuffles_,
        "decks": decks,
        "deck_digests": [hashed("deck", deck) for deck in decks],
        "positions": positions,
    }
