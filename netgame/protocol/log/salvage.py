"""Read what can still be read of a damaged journal [peer.md §8.1].

A record that ends too early can be asked of the others again. A journal cannot: it alone says what
its seat has signed, and a seat that signs a slot twice looks like a cheat, or opens its hand to
anybody who shows it another branch. Nothing readable is therefore cut off. Frames are looked for
behind the damage, octet by octet, as the length that would lead to the next may be damaged, and a
`Sealed` is put where something is lost. It names the slot up to which the seat signs nothing new:
that of the first entry behind the damage which is later than all before it, as a seat fills its
slots in the order of their steps (entries that others have shown again stand behind later ones).
Where there is none, nobody knows what was signed last, and it names no step. What the seat said in
polls may be lost in either case.

A power cut leaves damage, too: a frame whose last octets never came, or came as zeros. It was not
synced, so it never left, and nothing is lost with it. A frame whose *length* was damaged can look
the same; its checksum tells where it ends. A frame therefore does not count as torn if another
frame follows it, or if all of it is there but for a bit.

What others have written stands within frames, as a host signs the request of whoever it admits, and
may look like a frame. A damaged frame whose length still leads to its end is therefore skipped as a
whole.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Final

import msgspec

from netgame.errors import Malformed
from netgame.limits import FRAME_BYTES_MAX
from netgame.protocol.log.entry import (
    FRAME_HEADER_BYTES,
    Damage,
    frame_payload,
    read_entry,
    read_frame,
    read_frames,
    read_statement,
)
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import JournalFrame, RecordEntry, RecordStatement, Sealed

_ZEROS_LEAST: Final = 8
"""This many zeros at the end of a file were never written; no signature ends in them."""


def salvage(octets: bytes) -> bytes:
    """All frames of a journal that can be read, with a `Sealed` wherever something is lost.

    A `Sealed` names the slot up to which the seat signs nothing new, or no step where nobody knows.
    An undamaged journal stays as it is. A frame of which the length alone is damaged is mended. A
    last frame that was never written whole is left out. Neither counts as lost.
    """
    parts = list(_readable(octets))
    payloads = list(parts[0])
    for number, part in enumerate(parts[1:], 1):
        latest = max((step for _, step in _marks(payloads)), default=-1)
        behind = _marks(chain.from_iterable(parts[number:]))
        mark = next((each for each in behind if each[1] > latest), None)
        is_lost = mark is None or _is_doubtful(payloads)
        payloads += [encode(Sealed(b"", None) if is_lost or mark is None else Sealed(*mark)), *part]
    return b"".join(map(frame_payload, payloads))


def _is_doubtful(payloads: Iterable[bytes]) -> bool:
    """Whether nobody knows how far this seat has signed: the last `Sealed` names no step."""
    frames = (_frame_of(payload) for payload in payloads)
    seals = [frame for frame in frames if isinstance(frame, Sealed)]
    return bool(seals) and seals[-1].step is None


def _readable(octets: bytes) -> Iterator[Sequence[bytes]]:
    """Yield the payloads before the first damage, those between it and the next, and so on.

    A part is empty where nothing can be read, so an empty one follows damage at the very end; but
    none follows a last frame that was never written whole. A frame of which the length alone is
    damaged is read by its checksum.
    """
    start: int | None = 0
    while start is not None:
        payloads, damage = read_frames(octets[start:])
        if damage is None:
            yield payloads
            return
        at = start + damage.offset
        if length := _length_by_checksum(octets, at):
            octets = octets[:at] + length.to_bytes(4, "big") + octets[at + 4 :]
            continue
        yield payloads
        start = _next(octets, at)
        if start is None and _breaks_off(octets[at:]):
            return
    yield ()


def _length_by_checksum(octets: bytes, at: int) -> int:
    """The length of the frame here if only its length field is damaged; 0 if more is."""
    body, checksum = at + FRAME_HEADER_BYTES, 0
    for end in range(body + 1, min(body + FRAME_BYTES_MAX, len(octets)) + 1):
        checksum = zlib.crc32(octets[end - 1 : end], checksum)
        is_end = checksum == int.from_bytes(octets[at + 4 : body], "big")
        if is_end and _frame_of(octets[body:end]) is not None:
            return end - body
    return 0


def _next(octets: bytes, at: int) -> int | None:
    """The offset of the next readable frame behind the damaged one at `at`; None without one.

    If the damaged length leads to a frame, it is that one. None also if it leads to the very end.
    """
    end = at + FRAME_HEADER_BYTES + int.from_bytes(octets[at : at + 4], "big")
    if end == len(octets):
        return None
    behind = range(at + 1, len(octets))
    return next((each for each in (end, *behind) if _begins(octets, each)), None)


def _begins(octets: bytes, at: int) -> bool:
    """Whether a readable frame begins here."""
    frame = read_frame(octets, at)
    return not isinstance(frame, Damage) and _frame_of(frame) is not None


def _breaks_off(octets: bytes) -> bool:
    """Whether the rest of the file, a damaged frame, was never written whole.

    A power cut leaves such a rest. Many zeros at the end were not written; a whole payload was.
    """
    with suppress(msgspec.DecodeError, RecursionError):
        msgspec.msgpack.decode(octets[FRAME_HEADER_BYTES:], type=msgspec.Raw)
        return False  # a whole payload: the file does not break off inside it
    written = octets.rstrip(b"\0")
    missing = len(octets) - len(written)
    end = FRAME_HEADER_BYTES + int.from_bytes(octets[:4], "big")
    if missing < _ZEROS_LEAST:
        written = octets
    return len(written) < FRAME_HEADER_BYTES or len(written) < end <= FRAME_BYTES_MAX


def _frame_of(payload: bytes) -> JournalFrame | None:
    try:
        frame: JournalFrame = decode_any(payload, JournalFrame)
        match frame:
            case RecordEntry(signed):
                read_entry(signed)
            case RecordStatement(statement):
                read_statement(statement)
    except Malformed:
        return None
    return frame


def _marks(payloads: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Yield, in order, epoch id and step of each entry, and of each seal that names a step."""
    for frame in map(_frame_of, payloads):
        match frame:
            case RecordEntry(signed):
                entry = read_entry(signed)
                yield entry.id, entry.step
            case Sealed(epoch_id, int() as step):
                yield epoch_id, step
            case _:
                pass
