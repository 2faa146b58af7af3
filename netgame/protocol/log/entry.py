"""The terms of the log: entry, slot, step digest, record frames. [protocol.md §4.1, §4.2, §6]

A *slot* is (id of the epoch, step, author). An *entry* fills one: signed octets that name the slot,
the digest of the step before, and a payload. A *step* is done when every author that the state
names has written. Its *digest* is made from the signed octets in author order, without signatures,
so entries of a step may arrive in any order. The *head* is the digest of the last done step.

A seat signs a *statement* in a poll on who goes on [§4.7]. It belongs to no step; its *name* is the
digest of its octets.

A record on disk is frames: `length (4, big-endian) || CRC-32 of the payload (4) || payload`. The
checksum finds a torn or flipped frame at once and says where; `record` judges what payloads *mean*.
"""

import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec.structs import astuple

from netgame.crypto.signing import verify_signature
from netgame.crypto.transcript import Tag, digest
from netgame.frozen import FrozenStruct
from netgame.limits import ENTRY_BYTES_MAX, FRAME_BYTES_MAX, STATEMENT_BYTES_MAX
from netgame.wire.codec import decode, decode_any, encode
from netgame.wire.messages import Body, Payload, SignedEntry, SignedStatement
from netgame.wire.statements import Statement, bit, seats_in

P = TypeVar("P")

ENTRY_DOMAIN: Final = "boneyard/v4/entry"
CUT_DOMAIN: Final = "boneyard/v4/cut"
REQUEST_DOMAIN: Final = "boneyard/v4/join"

GENESIS: Final = bytes(64)
"""Takes the place of the digest before step 0."""


class Signer(Protocol):
    """An identity that can sign without giving out its secret key."""

    @property
    def public_bytes(self) -> bytes:
        """The Ed25519 public key, 32 octets."""

    def sign(self, domain: str, data: bytes) -> bytes:
        """Sign `data` for the purpose `domain`; return 64 octets."""


class Slot(NamedTuple):
    """The place that an entry fills.

    An honest author never signs two different bodies for one slot, not even in different logs.
    """

    id: bytes
    step: int
    seat: int


class Entry(FrozenStruct):
    """An entry as received, judged or not: the signed octets, and the fields of its `Body`."""

    signed: SignedEntry
    id: bytes
    step: int
    prev: bytes
    seat: int
    poll: int
    payload: Payload

    @property
    def slot(self) -> Slot:
        """The slot that this entry claims to fill."""
        return Slot(self.id, self.step, self.seat)

    def is_by(self, key: bytes) -> bool:
        """Return True if the signature is that of `key` over the received octets."""
        return verify_signature(key, ENTRY_DOMAIN, self.signed.body, self.signed.signature)


class ReceivedStatement(FrozenStruct):
    """A statement as received: its name, its decoded content, and the signed octets."""

    name: bytes
    statement: Statement
    signed: SignedStatement

    def is_by(self, key: bytes) -> bool:
        """Return True if the signature is that of `key` over the received octets."""
        return verify_signature(key, CUT_DOMAIN, self.signed.body, self.signed.signature)


Entries: TypeAlias = tuple[Entry, ...]
"""The entries of a done step, in author order."""


def read_entry(signed: SignedEntry) -> Entry:
    """Decode an entry, which may be hostile, without judging it or checking its signature.

    Raises `Malformed` if its body is too long or not the canonical encoding of a `Body`.
    """
    # The fields of an entry are those of its body, in the same order.
    return Entry(signed, *astuple(decode(signed.body, Body, ENTRY_BYTES_MAX)))


def read_statement(signed: SignedStatement) -> ReceivedStatement:
    """Decode a statement, which may be hostile, without judging it or checking its signature.

    Raises `Malformed` if it is too long or not the canonical encoding of a statement.
    """
    statement: Statement = decode_any(signed.body, Statement, STATEMENT_BYTES_MAX)
    return ReceivedStatement(statement_name(signed), statement, signed)


def statement_name(signed: SignedStatement) -> bytes:
    """Return the name of a statement: the digest of its octets, 64 octets."""
    return digest(Tag.STATEMENT, signed.body)


def sign_statement(signer: Signer, statement: Statement) -> ReceivedStatement:
    """Encode a statement once and sign those octets; return it as others receive it.

    Raises `Malformed` for a statement that others could not decode.
    """
    octets = encode(statement)
    return read_statement(SignedStatement(octets, signer.sign(CUT_DOMAIN, octets)))


def entry_name(payload: Payload) -> str:
    """Return the kind of an entry, as its wire tag, such as `lay` or `coin-commit`."""
    return str(payload.__struct_config__.tag)


def is_fork(one: Entry, other: Entry) -> bool:
    """Return True if these are two different bodies for one slot; no honest author signs both.

    Signatures are not checked here.
    """
    return one.slot == other.slot and one.signed.body != other.signed.body


def sign_entry(signer: Signer, body: Body) -> SignedEntry:
    """Encode `body` once and sign those octets; the limits of its fields are not checked."""
    octets = encode(body)
    return SignedEntry(octets, signer.sign(ENTRY_DOMAIN, octets))


def step_digest(prev: bytes, entries: Iterable[Entry]) -> bytes:
    """Return the digest of a done step, from the digest before it and the entries' signed octets.

    The order of `entries` makes no difference: they are digested in author order.
    """
    ordered = sorted(entries, key=lambda entry: entry.seat)
    return digest(Tag.STEP, prev, [entry.signed.body for entry in ordered])


def epoch_digest(prev: bytes, new_id: bytes) -> bytes:
    """Return the digest of a step that a cut closes without entries; `new_id` takes their place."""
    return digest(Tag.STEP, prev, [new_id])


def payloads_of(entries: Entries, kind: type[P]) -> tuple[P, ...]:
    """Return the payloads of a step, in the order of its entries.

    Raises AssertionError if one of them is not of `kind`.
    """
    return tuple(payload_as(entry, kind) for entry in entries)


def payload_as(entry: Entry, kind: type[P]) -> P:
    """Return the payload of an entry; raise AssertionError if it is not of `kind`."""
    # The callers read only steps in which no other kind was due (7.9).
    assert isinstance(entry.payload, kind)
    return entry.payload


def filled_mask(authors: Iterable[int]) -> bytes:
    """Return a mask of authors, numbered 0 to 255, as 32 octets.

    Author 0 is the lowest bit of the first octet. Repeated authors count once. Raises OverflowError
    for a number above 255, and ValueError for one below 0.
    """
    return sum(map(bit, set(authors))).to_bytes(32, "little")


def read_mask(mask: bytes) -> frozenset[int]:
    """Return the authors in a mask of any length, in the bit order of `filled_mask`."""
    return frozenset(seats_in(int.from_bytes(mask, "little")))


FRAME_HEADER_BYTES: Final = 8


BREAKS_OFF: Final = "the file breaks off inside the frame"
BAD_CHECKSUM: Final = "a checksum does not fit the frame"


class Damage(FrozenStruct):
    """The place where a record stops being readable, and the reason."""

    offset: int
    """In octets from the start of the record."""
    reason: str
    is_cut: bool = False
    """True if the record merely ends there, inside a frame, and nothing before that is wrong."""


def frame_payload(payload: bytes) -> bytes:
    """Return the frame of one payload, to append to a record: length, checksum, payload.

    The length is not checked: `read_frame` accepts neither an empty payload nor one too long.
    """
    return len(payload).to_bytes(4, "big") + zlib.crc32(payload).to_bytes(4, "big") + payload


def read_frame(octets: bytes, at: int) -> bytes | Damage:
    """Return the payload of the frame at this offset, or the damage there.

    `octets` may be hostile. If `at` is at or past their end, the result is a `Damage` that
    `is_cut`.
    """
    body = at + FRAME_HEADER_BYTES
    length = int.from_bytes(octets[at : at + 4], "big")
    # A length of 0 is zeros left by a power cut; a header that breaks off claims nothing.
    if body <= len(octets) and not 0 < length <= FRAME_BYTES_MAX:
        return Damage(at, f"a length of {length} octets is claimed")
    if body + length > len(octets):
        return Damage(at, BREAKS_OFF, is_cut=True)
    payload = octets[body : body + length]
    is_whole = zlib.crc32(payload) == int.from_bytes(octets[at + 4 : body], "big")
    return payload if is_whole else Damage(at, BAD_CHECKSUM)


def read_frames(octets: bytes) -> tuple[tuple[bytes, ...], Damage | None]:
    """Return the payloads of the frames before the first damage, and that damage or None.

    The checksums are checked; payloads are not decoded.
    """
    payloads: list[bytes] = []
    at = 0
    while at < len(octets):
        frame = read_frame(octets, at)
        if isinstance(frame, Damage):
            return tuple(payloads), frame
        payloads.append(frame)
        at += FRAME_HEADER_BYTES + len(frame)
    return tuple(payloads), None


def whole_frames(octets: bytes) -> bytes:
    """Return the longest prefix of a record that consists of frames with correct checksums."""
    _, damage = read_frames(octets)
    return octets if damage is None else octets[: damage.offset]
