"""Vectors of the join code: SPAKE2 over Ed25519 by plain arithmetic, then HKDF and HMAC by hand.

Of the library only the two fixed points and the code's scalar are taken; both stand in the file.
"""

import hashlib
import hmac

from spake2.parameters.ed25519 import ParamsEd25519

from tests.netgame.crypto.oracle import hashed
from tests.vectors.writing import changed, refused, stream

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)


def add(a, b):
    """Add two points of the curve -x^2 + y^2 = 1 + d x^2 y^2."""
    (x1, y1), (x2, y2) = a, b
    t = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + t, -1, P)
    return x % P, (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P


def times(k, point):
    """Add a point to itself k times."""
    total = (0, 1)
    for bit in bin(k % L)[2:]:
        total = add(total, total)
        total = add(total, point) if bit == "1" else total
    return total


def octets_of(point):
    """Give y, and the lowest bit of x in the highest: RFC 8032."""
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def encoded(y, *, odd=False):
    """Give a server's message of this y, which no encoder would write."""
    return b"B" + (y | odd << 255).to_bytes(32, "little")


def point_of(octets):
    """Find the point again."""
    number = int.from_bytes(octets, "little")
    y, odd = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert x * x % P == square
    return (x if x & 1 == odd else P - x), y


def negative(point):
    """Give the point that adds up to nothing with this one."""
    return -point[0] % P, point[1]


def confirm(key, salt, info):
    """Do HKDF-SHA-256 to 64 octets, and both HMACs."""
    drawn, block = b"", b""
    secret = hmac.digest(salt, key, "sha256")
    for number in (1, 2):
        block = hmac.digest(secret, block + info + bytes([number]), "sha256")
        drawn += block
    return tuple(
        hmac.digest(drawn[at : at + 32], word, "sha256")
        for at, word in ((0, b"client"), (32, b"server"))
    )


def contact():
    """Give a run of the join code between two keys, and messages that are refused."""
    draw = stream("contact")
    code, client, server = b"7-otter-violin", draw(32), draw(32)
    certificate, nonce, table = hashed("vector", "certificate"), draw(32), hashed("vector", "table")
    client_entropy, server_entropy = draw(64), draw(64)
    m, n = (each.to_bytes() for each in (ParamsEd25519.M, ParamsEd25519.N))
    w = ParamsEd25519.group.password_to_scalar(code)
    x, y = (int.from_bytes(each, "big") % L for each in (client_entropy, server_entropy))
    opening = octets_of(add(times(x, BASE), times(w, point_of(m))))
    answer = octets_of(add(times(y, BASE), times(w, point_of(n))))
    shared = octets_of(times(x, add(point_of(answer), negative(times(w, point_of(n))))))
    server_id = server + hashlib.sha256(certificate).digest()
    said = [hashlib.sha256(each).digest() for each in (code, client, server_id)]
    key = hashlib.sha256(b"".join(said) + opening + answer + shared).digest()
    info = b"boneyard/v1/code\0" + client + server_id + table
    client_proof, server_proof = confirm(key, nonce, info)
    good = {
        "name": "accepted",
        "code": code.decode(),
        "client_key": client,
        "server_key": server,
        "certificate": certificate,
        "nonce": nonce,
        "table": table,
        "client_entropy": client_entropy,
        "server_entropy": server_entropy,
        "M": m,
        "N": n,
        "w": w.to_bytes(32, "little"),
        "opening": b"A" + opening,
        "answer": b"B" + answer,
        "shared_point": shared,
        "K": key,
        "client_proof": client_proof,
        "server_proof": server_proof,
    }
    order_eight = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
    return {
        "about": "peer.md 3.6: a join code shown both ways; w is the code's scalar",
        "runs": [good],
        "refused": [
            refused(good, "malformed", "a letter short", answer=b"B" + answer[:31]),
            refused(good, "malformed", "an octet long", answer=b"B" + answer + bytes(1)),
            refused(good, "malformed", "own side's letter", answer=b"A" + answer),
            refused(good, "malformed", "own message", answer=b"B" + opening),
            refused(good, "malformed", "neutral element", answer=b"B\x01" + bytes(31)),
            refused(good, "malformed", "neutral, odd", answer=encoded(1, odd=True)),
            refused(good, "malformed", "neutral, y above p", answer=encoded(P + 1)),
            refused(good, "malformed", "order two", answer=b"B" + (P - 1).to_bytes(32, "little")),
            refused(good, "malformed", "order eight", answer=b"B" + order_eight),
            refused(good, "proof", "another code", code="7-otter-visor"),
            refused(good, "proof", "another client", client_key=changed(client, 0)),
            refused(good, "proof", "another server", server_key=changed(server, 0)),
            refused(good, "proof", "another certificate", certificate=changed(certificate, 0)),
            refused(good, "proof", "another nonce", nonce=changed(nonce, 0)),
            refused(good, "proof", "another table", table=changed(table, 0)),
        ],
    }
