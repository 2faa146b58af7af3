"""The record on disk, as bytes: length, checksum, payload, and nothing else.

A frame is `length (4, big-endian) || CRC-32 of the payload (4) || payload`. The checksum finds a
torn or flipped frame at once and says where; what the payloads *mean* is judged by `record`.
[protocol.md §6]
"""

import zlib
from dataclasses import dataclass
from typing import Final

from netgame.limits import FRAME_BYTES_MAX

FRAME_HEADER_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Damage:
    """Where a record stops being readable (octets from its start), and why."""

    offset: int
    reason: str


def frame_payload(payload: bytes) -> bytes:
    """Return the octets to append to a record for one payload."""
    return len(payload).to_bytes(4, "big") + zlib.crc32(payload).to_bytes(4, "big") + payload


def read_frames(octets: bytes) -> tuple[tuple[bytes, ...], Damage | None]:
    """Return the payloads of the longest valid prefix, and the damage that ends it, if any."""
    payloads: list[bytes] = []
    at = 0
    while at < len(octets):
        body = at + FRAME_HEADER_BYTES
        if body > len(octets):
            return tuple(payloads), Damage(at, "the file breaks off inside the frame")
        length = int.from_bytes(octets[at : at + 4], "big")
        if length > FRAME_BYTES_MAX:
            return tuple(payloads), Damage(at, f"a length of {length} octets is claimed")
        if body + length > len(octets):
            return tuple(payloads), Damage(at, "the file breaks off inside the frame")
        payload = octets[body : body + length]
        if zlib.crc32(payload) != int.from_bytes(octets[at + 4 : body], "big"):
            return tuple(payloads), Damage(at, "a checksum does not fit the frame")
        payloads.append(payload)
        at = body + length
    return tuple(payloads), None
