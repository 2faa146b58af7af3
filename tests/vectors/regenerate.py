"""Rewrite the vectors of protocol.md 3, 4.7 and 5: `python -m tests.vectors.regenerate`.

The plain second implementation in `tests/netgame/crypto/oracle.py`, which imports nothing of
`netgame`, computes everything from one seed: files change only if the protocol does. The exception
is `fields.json`, made from the declarations of messages in `netgame.wire`. A test compares
`documents()` with the files on disk.
"""

import json
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.conformance import edwards
from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import G, Q, add, base, hashed, neg, number, octets
from tests.netgame.wire import describe
from tests.vectors import auditing, contact, leaving, moving, numbers, proving, statements
from tests.vectors.writing import (
    CTX,
    NO_POINT,
    NO_SCALAR,
    OTHER_CTX,
    SEED,
    changed,
    flipped,
    joined,
    malformed,
    refused,
    stream,
    text,
)

FOLDER = Path(__file__).parent
VERSION = 4
"""The protocol's version."""


def generators():
    """Return H2G of every fixed label."""
    labels = ["shuffle/h", *(f"shuffle/h/{i}" for i in range(1, 191))]
    labels += [f"tile/{a}-{b}" for a in range(19) for b in range(a, 19)]
    return {
        "about": "protocol.md 5.1: the point H2G(label) of each fixed label",
        "points": {label: oracle.hash_to_group(label) for label in labels},
    }


def hashing():
    """Return H over every kind of part, a context, and the expansion of a seed."""
    cases = [
        ("empty", "t", []),
        ("octets", "t", [{"octets": b"ab"}, {"octets": b""}]),
        ("number", "t", [258]),
        ("text", "t", ["deal"]),
        ("infinity", "t", [None]),
        ("list", "t", [[{"octets": b"a"}, 1, "x", None], []]),
        ("nested", "t", [[[1, 2], [3, 4]]]),
    ]

    def plain(part):
        if isinstance(part, dict):
            return part["octets"]
        return [plain(member) for member in part] if isinstance(part, list) else part

    sid, head = hashed("vector", "sid"), hashed("vector", "head")
    at = {"sid": sid, "round": 2, "phase": "deck", "seat": 3, "step": 41, "head": head}
    digests = [
        {"name": name, "tag": tag, "parts": parts, "digest": hashed(tag, *map(plain, parts))}
        for name, tag, parts in cases
    ]
    return {
        "about": "protocol.md 5.0 and 5.2: H(tag, parts), a context, a seed expanded",
        "digests": digests,
        "context": at | {"ctx": hashed("ctx", *at.values())},
        "expansion": {
            "seed": SEED,
            "label": "label",
            "parts": [{"octets": CTX}, 7],
            "octets": oracle.expand(SEED, "label", CTX, 7)(150),
        },
    }


def coin():
    """Return the coin of a table of four: ids, commitments, order of seats, first seat."""
    draw = stream("coin")
    keys = sorted(draw(32) for _ in range(4))
    nonce, rules, step = draw(32), draw(64), draw(64)
    rs = [draw(32) for _ in keys]
    tid = hashed("table", keys[2], nonce)
    sid = hashed("sid", tid, VERSION, rules, keys, step, rs)
    order = sorted(keys, key=lambda key: hashed("seat", sid, key))
    return {
        "about": "protocol.md 5.2: the coin of a table of four, opened by the third key",
        "host_key": keys[2],
        "nonce": nonce,
        "table_id": tid,
        "version": VERSION,
        "rules_hash": rules,
        "roster": keys,
        "secrets": rs,
        "commitments": [hashed("n", tid, key, r) for key, r in zip(keys, rs, strict=True)],
        "commit_step_digest": step,
        "session_id": sid,
        "seat_hashes": {key.hex(): hashed("seat", sid, key) for key in keys},
        "seats": order,
        "first_seat": number("first", sid) % 4,
    }


def keys():
    """Return a round key committed and opened, openings to refuse, and joint keys."""
    draw = stream("keys")
    x, rand = oracle.scalar(draw), draw(32)
    X = base(x)
    w = oracle.scalar(oracle.expand(octets(x), "pop", OTHER_CTX, X))
    T = base(w)
    c = number("pop", OTHER_CTX, X, T) % Q
    s = (w + c * x) % Q
    good = {
        "name": "opening",
        "entropy": "keys",
        "commit_ctx": CTX,
        "open_ctx": OTHER_CTX,
        "x": x,
        "w": w,
        "rand": rand,
        "X": X,
        "T": T,
        "commitment": hashed("key", CTX, X, rand),
        "c": c,
        "s": s,
        "octets": joined([X, T, rand, s]),
    }
    parts = {
        "first octet of X is 04": (0, b"\x04"),
        "T is 33 zeros": (33, NO_POINT),
        "s is Q": (98, NO_SCALAR),
    }
    elsewhere = {
        "committed elsewhere": {"commit_ctx": OTHER_CTX},
        "another commitment": {"commitment": hashed("x")},
    }
    bad = [
        *malformed(good, parts),
        *flipped(good, "commitment", {"rand differs": 70}),
        *refused(good, "commitment", elsewhere),
        *flipped(good, "equation", {"T negated": 33, "s differs": 129}),
        *refused(good, "equation", {"opened elsewhere": {"open_ctx": CTX}}),
    ]
    other = base(oracle.scalar(draw))
    return {
        "about": "protocol.md 5.3: commitment, opening, and the keys that have no sum",
        "accepted": [good],
        "refused": bad,
        "joint": [
            {"name": "two keys", "keys": [X, other], "joint": add(X, other)},
            {"name": "equal keys", "keys": [X, X], "joint": None},
            {"name": "keys that cancel", "keys": [X, neg(X)], "joint": None},
        ],
    }


def points_and_scalars():
    """Return octets that are a point or scalar, and octets that are not, with the reason."""
    x = G[1:]
    field = 2**256 - 2**32 - 977
    no_points = {
        "length": [b"", G[:32], G + b"\0", b"\x04" + x + x],
        "point": [
            bytes(33),
            *(bytes([first]) + x for first in range(4, 8)),
            *(b"\x02" + each.to_bytes(32, "big") for each in (5, field, field + 1)),
        ],
    }
    no_scalars = {"length": [bytes(31), bytes(33)], "scalar": [NO_SCALAR, b"\xff" * 32]}
    return {
        "about": "protocol.md 5.0: strict decoding",
        "points": {"accepted": [G, b"\x03" + x, base(Q - 2)]},
        "points_refused": _by_class(no_points),
        "scalars": {"accepted": [bytes(32), octets(1), octets(Q - 1)]},
        "scalars_refused": _by_class(no_scalars),
    }


def _by_class(several):
    return [{"class": why, "octets": each} for why, some in several.items() for each in some]


def signed_at_edges(domain):
    """Return a point of order 8, and signatures on which implementations of Ed25519 disagree.

    Two signatures are by the key a B + T, with T of order 8: they satisfy the equation without the
    cofactor only if k T is O. The other two have O as R, in its canonical encoding and in another.
    """
    draw = stream("edwards")
    a, r = (int.from_bytes(draw(32), "big") % edwards.L for _ in range(2))
    T = edwards.with_y(edwards.ORDER_8, 0)
    plain, nonce = (edwards.mul(each, edwards.BASE) for each in (a, r))

    def signed(name, public, R, r, data):
        k = edwards.challenge(R, public, domain.encode() + b"\0" + data)
        case = {"name": name, "public": public, "domain": domain, "data": data}
        return k, case | {"signature": R + edwards.answer(r, k, a)}

    key, R, found = edwards.encode(edwards.add(plain, T)), edwards.encode(nonce), {}
    names = {
        True: "a key with a part of order 8",
        False: "the same, where that part does not vanish",
    }
    for lay in range(64):
        k, case = signed("", key, R, r, f"12-{lay} to mexican".encode())
        found.setdefault(k % 8 == 0, case)
    made = [found[vanishes] | {"name": name} for vanishes, name in names.items()]
    for name, R in (
        ("R is O", edwards.encode(edwards.NEUTRAL)),
        ("R is O, not canonical", (edwards.P + 1).to_bytes(32, "little")),
    ):
        made.append(signed(name, edwards.encode(plain), R, 0, b"0-0")[1])
    return edwards.encode(T), *made


def signing():
    """Return signatures that count, and signatures and keys to refuse."""
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    public, domain, data = key.public_key().public_bytes_raw(), "vector/entry", b"5-8 to mexican"
    signature = key.sign(domain.encode() + b"\x00" + data)
    good = {
        "name": "entry",
        "seed": SEED,
        "public": public,
        "domain": domain,
        "data": data,
        "signature": signature,
    }
    identity = b"\x01" + bytes(31)
    mixed, exact, only_cofactored, neutral, long_neutral = signed_at_edges(domain)

    def another(case, name, other):
        return refused(
            case, "signature", {name: {key: other[key] for key in ("data", "signature")}}
        )

    others = {
        "other data": {"data": data + b"!"},
        "another domain": {"domain": "vector/other"},
        "s differs": {"signature": changed(signature, 63)},
        "s plus the order": {"signature": edwards.plus_order(signature)},
    }
    weak = {
        "small order": {"public": identity, "signature": identity + bytes(32)},
        "y is p": {"public": edwards.P.to_bytes(32, "little")},
    }
    return {
        "about": "protocol.md 5.2: Ed25519 over domain || 00 || data, cofactorless",
        "accepted": [good, exact, neutral],
        "refused": [
            *refused(good, "length", {"one octet short": {"signature": signature[:-1]}}),
            *refused(good, "signature", others),
            *another(exact, "fits only when multiplied by 8", only_cofactored),
            *another(neutral, "R is O with y + p", long_neutral),
            *refused(exact, "key", {"the part of order 8 alone": {"public": mixed}}),
            *refused(good, "key", weak),
        ],
    }


def documents():
    """Return the content of each file by name, as text."""
    makers = {
        "generators": generators,
        "hashing": hashing,
        "coin": coin,
        "keys": keys,
        "shuffle": proving.shuffles,
        "reveal": proving.reveals,
        "hand": proving.hands,
        "deal": proving.deal,
        "handover": moving.hand_overs,
        "moving": moving.mixtures,
        "audit": auditing.audits,
        "rebuild": leaving.rebuilds,
        "leave": leaving.leaves,
        "points": points_and_scalars,
        "signing": signing,
        "contact": contact.contact,
        "statements": statements.statements,
        "fields": describe.fields,
        "numbers": numbers.numbers,
    }
    return {
        f"{name}.json": json.dumps(text(make()), indent=1) + "\n" for name, make in makers.items()
    }


if __name__ == "__main__":
    for file_name, content in documents().items():
        (FOLDER / file_name).write_text(content, encoding="ascii")
        print(f"{file_name}: {len(content):,} characters")
