"""Vectors of statements in polls, and of the epochs that decisions open (protocol.md 4.7)."""

import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.netgame.crypto.oracle import hashed
from tests.vectors.writing import SEED

DOMAIN = b"boneyard/v4/cut\0"


def statements():
    """Return well-formed statements, malformed ones, and the ids of epochs after decisions."""
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    id_, head = hashed("vector", "sid"), hashed("vector", "head")
    ann = ("promise", id_, 0, 0, (1, 0), 41, head, 40, 4, b"")
    ben = ("promise", id_, 0, 1, (1, 0), 41, head, 41, 4, b"")
    counted = sorted(name_of(each) for each in (ann, ben))
    value = (4, 41, head)
    proposal = ("proposal", id_, 0, (1, 0), *value, tuple(counted))
    again = ("promise", id_, 0, 1, (300, 1), 41, head, 41, 0, name_of(proposal))
    rows = {
        "the owner opens a ballot": ann,
        "another promises it": ben,
        "who goes": proposal,
        "agreed": ("accept", id_, 0, 0, name_of(proposal)),
        "a higher ballot, and what was accepted": again,
        "a farewell": ("parting", id_, 2**32 - 1, 31, (0, 0), 200_000, head, 0, b""),
    }
    return {
        "about": "protocol.md 4.7: bodies of statements, their names and signatures; epoch ids",
        "seed": SEED,
        "public": key.public_key().public_bytes_raw(),
        "accepted": [_said(name, fields, key) for name, fields in rows.items()],
        "refused": [{"name": name, "body": body} for name, body in _refused(ann).items()],
        "epochs": [_epoch(id_, goes, 41, head) for goes in (4, 5, 2**32 - 1)],
    }


def _body(fields):
    return msgpack.packb(fields, use_bin_type=True)


def name_of(fields):
    """Return the name of a statement: the hash of its body."""
    return hashed("statement", _body(fields))


def _said(name, fields, key):
    body = _body(fields)
    signature = key.sign(DOMAIN + body)
    return {"says": name, "body": body, "name": hashed("statement", body), "signature": signature}


def _refused(good):
    """Return bodies that are not valid statements, by what is wrong with them."""
    tag, id_, poll, _, *rest = good
    ballot, *ends = rest
    return {
        "a seat above 31": _body((tag, id_, poll, 32, *rest)),
        "a counter of five octets": _body((tag, id_, poll, 0, (2**32, 0), *ends)),
        "a ballot of three": _body((tag, id_, poll, 0, (*ballot, 0), *ends)),
        "a name of 65 octets": _body((*good[:-1], bytes(65))),
        "a field more": _body((*good, 0)),
        "no promise at all": _body(("proposal", id_, poll, ballot, 0, 41, bytes(64), ())),
        "an octet more": _body(good) + b"\0",
        "a longer number": _body(good).replace(b"\x92\x01\x00", b"\x92\xcc\x01\x00", 1),
    }


def _epoch(id_, goes, step, head):
    new = hashed("epoch", id_, goes, step, head)
    return {
        "before": id_,
        "goes": [seat for seat in range(32) if goes >> seat & 1],
        "step": step,
        "head": head,
        "id": new,
        "digest": hashed("step", head, [new]),
    }
