"""The step that protocol.md 11.1 works through comes out again, by the second implementation."""

import hashlib
import re

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.conformance import octets
from tests.netgame.wire.pages import section
from tests.tree import VECTORS

HEX = re.compile(r"(?:[0-9a-f]{2})+")


def parts() -> dict[str, list[tuple[str, str]]]:
    """By the word that begins it: the lines of each part, octets and what stands beside them."""
    found: dict[str, list[tuple[str, str]]] = {}
    name = ""
    for line in section("11.1").split("```")[1].splitlines():
        head = line[:10].strip()
        if head:
            name = head if head not in found else f"{head} again"
        if line.strip():
            value, _, meaning = line[10:].strip().partition("  ")
            found.setdefault(name, []).append((value, meaning.strip()))
    return found


def hexed(lines: list[tuple[str, str]]) -> bytes:
    """All octets of some lines."""
    return bytes.fromhex("".join(value for value, _ in lines if HEX.fullmatch(value)))


def test_the_step_of_the_page_is_signed_and_hashed_as_it_says() -> None:
    """Bodies, signatures and digest, from what is printed alone."""
    said = parts()
    first = hexed(said["body 0"])
    seat = len(first) - len(hexed(said["body 0"][-5:]))
    second = first[:seat] + hexed(said["body 1"]) + first[seat + 1 :]
    domain = hexed(said["signed"])
    assert domain == b"boneyard/v3/entry\0"
    for body, by, signed in ((first, "by", "as"), (second, "by again", "as again")):
        key = Ed25519PublicKey.from_public_bytes(hexed(said[by]))
        key.verify(hexed(said[signed]), domain + body)
        with pytest.raises(InvalidSignature):
            key.verify(hexed(said[signed]), domain + body + b"\0")
    entries = [octets.entry(body, bytes(64)) for body in (first, second)]
    assert [entry.seat for entry in entries] == [0, 1]
    assert {entry.kind for entry in entries} == {"checked"}
    prev = entries[0].prev
    tag, *lengths = (bytes.fromhex(value) for value, _ in said["hashed"])
    pieces = (tag, lengths[0], prev, lengths[1], lengths[2], first, lengths[3], second)
    digest = hashlib.sha512(b"".join(pieces)).digest()
    assert digest == hexed(said["digest"])
    steps = (VECTORS / "logs" / "two-seats.json").read_text()
    assert digest.hex() in steps
    assert prev.hex() in steps
