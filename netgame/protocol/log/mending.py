"""Mends a damaged journal: keeps the frames before the damage and adds a `Doubt`. [peer.md §8.1]

The others can send again what is missing at the end of a record. Nobody can do so for a journal,
because it alone says what its seat has signed. A seat that signs a slot twice looks like a cheat,
or reveals its hand to anybody who shows it another branch of the log. So a seat that has lost part
of its journal signs nothing for a while.

A power cut leaves damage, too: a frame whose last octets never reached the disk, or reached it as
zeros. That frame was not synced, so nothing in it was sent, and nothing is lost with it. A flipped
bit in the length of a frame can look the same, but then the whole frame is there, and its checksum
shows where it ends.
"""

import zlib
from typing import Final

from netgame.limits import FRAME_BYTES_MAX
from netgame.protocol.log.entry import FRAME_HEADER_BYTES, frame_payload, whole_frames
from netgame.wire.codec import encode
from netgame.wire.messages import Doubt

_ZEROS_LEAST: Final = 8
"""This many zeros at the end of a file were never written: no signature ends in that many."""


def mend_journal(octets: bytes) -> bytes:
    """Return the frames of a journal before its first damage, followed by a `Doubt`.

    An undamaged journal is returned as it is. If the damage is a last frame that was never written
    whole, no `Doubt` is added.
    """
    whole = whole_frames(octets)
    if _breaks_off(octets[len(whole) :]):
        return whole
    return whole + frame_payload(encode(Doubt(is_over=False)))


def _breaks_off(rest: bytes) -> bool:
    """Return True if the rest of a file is empty, or is a frame that was never written whole."""
    written = rest.rstrip(b"\0")
    if len(rest) - len(written) < _ZEROS_LEAST:
        written = rest
    if len(written) < FRAME_HEADER_BYTES:
        return True
    end = FRAME_HEADER_BYTES + int.from_bytes(rest[:4], "big")
    if not len(written) < end <= FRAME_HEADER_BYTES + FRAME_BYTES_MAX:
        return False
    return not _holds_a_frame(rest[:end])


def _holds_a_frame(rest: bytes) -> bool:
    """Return True if these octets begin with a whole frame, whatever length its header claims."""
    wanted = int.from_bytes(rest[4:FRAME_HEADER_BYTES], "big")
    checksum = 0
    # Its length may be what is damaged, so each end is tried: octet by octet, one pass over all.
    for octet in rest[FRAME_HEADER_BYTES:]:
        checksum = zlib.crc32(bytes([octet]), checksum)
        if checksum == wanted:
            return True
    return False
