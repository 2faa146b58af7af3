"""Vectors of the join code, by the plain formulas of peer.md 5: SPAKE2, HKDF and HMAC."""

from tests.conformance.channel import code_proofs
from tests.conformance.edwards import L, P, encode
from tests.conformance.spake import M, N, Run
from tests.netgame.crypto.oracle import hashed
from tests.vectors.writing import changed, refused, stream


def encoded(y, *, odd=False):
    """Return a server's message with this y, even if no encoder would write it.

    `odd` sets the bit for the sign of x.
    """
    return b"B" + (y | odd << 255).to_bytes(32, "little")


def contact():
    """Return a run of the join code between two keys, and changes to it that must be refused."""
    draw = stream("contact")
    code, client, server = b"7-otter-violin", draw(32), draw(32)
    handshake, table = draw(32), hashed("vector", "table")
    entropies = draw(64), draw(64)
    ids = client, server
    guest, host = (
        Run(side, code, *ids, int.from_bytes(entropy, "big") % L)
        for side, entropy in zip("AB", entropies, strict=True)
    )
    client_proof, server_proof = code_proofs(guest, host.message, handshake, table)
    good = {
        "name": "accepted",
        "code": code.decode(),
        "client_key": client,
        "server_key": server,
        "handshake": handshake,
        "table": table,
        "client_entropy": entropies[0],
        "server_entropy": entropies[1],
        "M": encode(M),
        "N": encode(N),
        "w": guest.password.to_bytes(32, "little"),
        "opening": guest.message,
        "answer": host.message,
        "shared_point": guest.shared(host.message),
        "K": guest.key(host.message),
        "client_proof": client_proof,
        "server_proof": server_proof,
    }
    answer = host.message
    order_eight = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
    other = {
        f"another {field.removesuffix('_key')}": {field: changed(good[field], 0)}
        for field in ("client_key", "server_key", "handshake", "table")
    }
    answers = {
        "a letter short": answer[:32],
        "an octet long": answer + bytes(1),
        "own side's letter": b"A" + answer[1:],
        "own message": b"B" + guest.sent,
        "neutral element": encoded(1),
        "neutral, odd": encoded(1, odd=True),
        "neutral, y above p": encoded(P + 1),
        "order two": encoded(P - 1),
        "order eight": b"B" + order_eight,
    }
    return {
        "about": "peer.md 5: a join code shown both ways; w is the code's scalar",
        "runs": [good],
        "refused": [
            *refused(good, "malformed", {name: {"answer": said} for name, said in answers.items()}),
            *refused(good, "proof", {"another code": {"code": "7-otter-visor"}, **other}),
        ],
    }
