"""The second implementation reproduces the step that protocol.md 9.1 works through."""

import hashlib
import re

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.conformance import octets
from tests.netgame.wire.pages import section

HEX = re.compile(r"(?:[0-9a-f]{2})+")


def parts():
    """Return the parts of the example by name, each as a list of its lines.

    A line is a pair: the octets in hex, and the words beside them. The second part with the same
    name is called `NAME again`.
    """
    found = {}
    name = ""
    for line in section("9.1").split("```")[1].splitlines():
        head = line[:10].strip()
        if head:
            name = head if head not in found else f"{head} again"
        if line.strip():
            value, _, meaning = line[10:].strip().partition("  ")
            found.setdefault(name, []).append((value, meaning.strip()))
    return found


def hexed(lines):
    """Return the octets of these lines, joined; lines that are not plain hex are left out."""
    return bytes.fromhex("".join(value for value, _ in lines if HEX.fullmatch(value)))


def test_the_step_of_the_page_is_signed_and_hashed_as_it_says():
    """The printed signatures and digest fit the printed bodies, which decode as the page says."""
    said = parts()
    first = hexed(said["body 0"])
    seat = len(first) - len(hexed(said["body 0"][-5:]))
    second = first[:seat] + hexed(said["body 1"]) + first[seat + 1 :]
    for body, by, signed in ((first, "by", "as"), (second, "by again", "as again")):
        key = Ed25519PublicKey.from_public_bytes(hexed(said[by]))
        key.verify(hexed(said[signed]), b"boneyard/v4/entry\0" + body)
    entries = [octets.entry(body, bytes(64)) for body in (first, second)]
    assert [(entry.seat, entry.kind) for entry in entries] == [(0, "checked"), (1, "checked")]
    tag, before, members, *lengths = (bytes.fromhex(value) for value, _ in said["hashed"])
    bodies = (lengths[0], first, lengths[1], second)
    hashed = b"".join((tag, before, entries[0].prev, members, *bodies))
    assert hashlib.sha512(hashed).digest() == hexed(said["digest"])
