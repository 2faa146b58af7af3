"""Proving a join code to each other without revealing it: SPAKE2 and two confirmations.

    idA = client key          idB = server key
    K   = SPAKE2(code)        client proof = HMAC(k1, "client"), server proof = HMAC(k2, "server")
    k1 || k2 = HKDF-SHA-256(K, salt = handshake hash, info = domain || 00 || idA || idB || table)

The handshake hash covers the whole handshake of the channel. An attacker in the middle has two
channels, each with its own hash, so the two ends derive different keys; the attacker gets one guess
per run, like anybody [peer.md §5].

The running time of Python's arithmetic depends on its numbers, and the peer that waits for the
answer may have chosen some of them. If it sent X = w' M for a guess w', it could tell from the time
that Z takes whether w' is w. So no intermediate point depends only on the received message and the
code:

    Z   = x Y + (-x w) N        x is drawn for this run, so -x w is random, too
    w M = v M + (w - v) M       v is drawn, so each factor is random, whatever w is

The library's points are pure Python (about 20 ms a side), so callers run all of this in a thread.
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from netgame.crypto.group import Entropy
from netgame.crypto.noise import derive_two
from netgame.errors import Malformed
from netgame.frozen import FrozenStruct
from netgame.io.door.codes import JoinCode
from netgame.io.entropy import fresh_octets

if TYPE_CHECKING:
    from spake2.ed25519_basic import Element

_DOMAIN: Final = b"boneyard/v4/code"
MESSAGE_BYTES: Final = 33
_SCALAR_BYTES: Final = 32
_FIELD: Final = 2**255 - 19
_OURS: Final = {"client": b"A", "server": b"B"}
_THEIRS: Final = {"client": b"B", "server": b"A"}
_NO_MESSAGE: Final = "not a message of SPAKE2"


class Parties(FrozenStruct):
    """The parties of a run: both keys, and the table that the server claims to sit at."""

    client: bytes
    server: bytes
    table: bytes


@dataclass(frozen=True, slots=True, repr=False)
class Proofs:
    """The proofs by which both sides show that they used the same code between the same parties.

    Each is 32 octets. If the code, a party or the channel differs between the two sides, so do both
    proofs.
    """

    client: bytes
    server: bytes


Finish: TypeAlias = Callable[[bytes, bytes], Proofs]


def begin(
    side: Literal["client", "server"],
    code: JoinCode,
    parties: Parties,
    entropy: Entropy = fresh_octets,
) -> tuple[bytes, Finish]:
    """Return this side's SPAKE2 message, 33 octets, and the function that finishes the run.

    The function takes the other side's message and the hash of the handshake, and may be called
    once. It raises `Malformed` if the message is not one of SPAKE2. If the codes differ it still
    returns proofs; they differ from the other side's. Each part takes some 20 ms.
    """
    from spake2 import ed25519_basic as curve
    from spake2.groups import password_to_scalar
    from spake2.spake2 import DefaultParams, finalize_SPAKE2

    points = DefaultParams.M, DefaultParams.N
    mine, yours = points if side == "client" else points[::-1]
    password = str(code).encode("ascii")
    w = password_to_scalar(password, _SCALAR_BYTES, curve.L)
    ours = curve.random_scalar(entropy)  # x or y
    part = curve.random_scalar(fresh_octets)
    blinding = mine.scalarmult(part).add(mine.scalarmult(w - part))
    message: bytes = curve.Base.scalarmult(ours).add(blinding).to_bytes()

    def finish(other: bytes, handshake: bytes) -> Proofs:
        theirs = _point(other, _THEIRS[side])
        if other[1:] == message:
            raise Malformed(_NO_MESSAGE)
        halves = theirs.scalarmult(ours).XYTZ, yours.scalarmult(-w * ours).XYTZ
        # Not `Element.add`, which is quicker if the sum is the neutral point.
        shared = curve.encodepoint(curve.xform_extended_to_affine(curve.add_elements(*halves)))
        messages = (message, other[1:]) if side == "client" else (other[1:], message)
        key = finalize_SPAKE2(parties.client, parties.server, *messages, shared, password)
        return _proofs(key, parties, handshake)

    return _OURS[side] + message, finish


def check_opening(message: bytes) -> None:
    """Raise `Malformed` unless `message` is a client's SPAKE2 message, for any code."""
    _point(message, _OURS["client"])


def _point(message: bytes, letter: bytes) -> "Element":
    """Return the point of a SPAKE2 message that begins with `letter`.

    Raises `Malformed` for any other octets.
    """
    from spake2.ed25519_basic import NotOnCurve, bytes_to_element

    if len(message) != MESSAGE_BYTES or message[:1] != letter or not _is_canonical(message[1:]):
        raise Malformed(_NO_MESSAGE)
    try:
        return bytes_to_element(message[1:])
    except (NotOnCurve, ValueError):
        raise Malformed(_NO_MESSAGE) from None


def _is_canonical(point: bytes) -> bool:
    """Return True if the y of a point is below p and is not that of the neutral element.

    The library rejects only one encoding of the neutral element, and accepts the others.
    """
    y = int.from_bytes(point, "little") & ((1 << 255) - 1)
    return y < _FIELD and y != 1


def _proofs(key: bytes, parties: Parties, handshake: bytes) -> Proofs:
    info = _DOMAIN + b"\0" + parties.client + parties.server + parties.table
    first, second = derive_two(handshake, key, info)
    return Proofs(hmac.digest(first, b"client", "sha256"), hmac.digest(second, b"server", "sha256"))
