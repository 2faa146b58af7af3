"""Vectors of the join code: SPAKE2 over Ed25519 by plain arithmetic, then HKDF and HMAC by hand.

Of the library only the two fixed points and the code's scalar are taken; both stand in the file.
"""

import hashlib
import hmac

from spake2.parameters.ed25519 import ParamsEd25519

from tests.netgame.crypto.oracle import hashed
from tests.vectors.edwards import BASE, L, P, add, encode, mul, with_y
from tests.vectors.writing import changed, refused, stream


def encoded(y, *, odd=False):
    """Give a server's message of this y, which no encoder would write."""
    return b"B" + (y | odd << 255).to_bytes(32, "little")


def point_of(octets):
    """Find the point again."""
    number = int.from_bytes(octets, "little")
    return with_y(number % 2**255, number >> 255)


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
    opening = encode(add(mul(x, BASE), mul(w, point_of(m))))
    answer = encode(add(mul(y, BASE), mul(w, point_of(n))))
    shared = encode(mul(x, add(point_of(answer), negative(mul(w, point_of(n))))))
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
