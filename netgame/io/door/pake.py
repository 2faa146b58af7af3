"""Proving a join code to each other without revealing it: SPAKE2 and two confirmations.

    idA = client key          idB = server key || SHA-256(server certificate)
    K   = SPAKE2(code)        client proof = HMAC(k1, "client"), server proof = HMAC(k2, "server")
    k1 || k2 = HKDF-SHA-256(K, salt = nonce, info = domain || 00 || idA || idB || table)

An attacker in the middle has another key or another certificate, so the two ends derive different
K; it gets one guess a run, like anybody [peer.md §3.6]. The library is pure Python (about 17 ms a
side), so callers run all of this in a thread.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from netgame.crypto.group import Entropy
from netgame.errors import Malformed
from netgame.frozen import FrozenStruct
from netgame.io.door.codes import JoinCode

_DOMAIN: Final = b"boneyard/v1/code"
MESSAGE_BYTES: Final = 33
_KEY_BYTES: Final = 32
_FIELD: Final = 2**255 - 19


class Parties(FrozenStruct):
    """The parties of a run: both keys, the certificate shown, the server's nonce, the table."""

    client: bytes
    server: bytes
    certificate: bytes
    nonce: bytes
    table: bytes

    @property
    def server_id(self) -> bytes:
        """The server's identity in SPAKE2: its key and the certificate that the client saw."""
        return self.server + hashlib.sha256(self.certificate).digest()


@dataclass(frozen=True, slots=True, repr=False)
class Proofs:
    """The proofs by which both sides show that they used the same code between the same parties.

    Each is 32 octets; if the code or a party differs, so do both.
    """

    client: bytes
    server: bytes


def begin(
    side: Literal["client", "server"],
    code: JoinCode,
    parties: Parties,
    entropy: Entropy = secrets.token_bytes,
) -> tuple[bytes, Callable[[bytes], Proofs]]:
    """Our SPAKE2 message, 33 octets, and a function from the other's message to the proofs.

    That function may be called once; it raises `Malformed` for anything but such a message. It
    gives proofs for a wrong code too: only comparing them shows that. Each part takes some 17 ms.
    """
    from spake2 import SPAKE2_A, SPAKE2_B, SPAKEError
    from spake2.ed25519_basic import NotOnCurve

    kind = SPAKE2_A if side == "client" else SPAKE2_B
    password = str(code).encode("ascii")
    run = kind(password, idA=parties.client, idB=parties.server_id, entropy_f=entropy)
    message: bytes = run.start()

    def finish(other: bytes) -> Proofs:
        if len(other) != MESSAGE_BYTES or not _is_canonical(other[1:]):
            raise Malformed("not a message of SPAKE2")
        try:
            key = run.finish(other)
        except (SPAKEError, NotOnCurve, ValueError):
            raise Malformed("not a message of SPAKE2") from None
        return _proofs(key, parties)

    return message, finish


def check_opening(message: bytes) -> None:
    """Raise `Malformed` unless this is a client's SPAKE2 message, whatever the code is."""
    from spake2.ed25519_basic import NotOnCurve, bytes_to_element

    point = message[1:]
    if len(message) != MESSAGE_BYTES or message[:1] != b"A" or not _is_canonical(point):
        raise Malformed("not a message of SPAKE2")
    try:
        bytes_to_element(point)
    except (NotOnCurve, ValueError):
        raise Malformed("not a message of SPAKE2") from None


def _is_canonical(point: bytes) -> bool:
    """Whether the y of a point is below p and not that of the neutral element.

    The library rejects only one encoding of the latter, and takes the others.
    """
    y = int.from_bytes(point, "little") & ((1 << 255) - 1)
    return y < _FIELD and y != 1


def _proofs(key: bytes, parties: Parties) -> Proofs:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    info = _DOMAIN + b"\0" + parties.client + parties.server_id + parties.table
    keys = HKDF(SHA256(), 2 * _KEY_BYTES, salt=parties.nonce, info=info).derive(key)
    return Proofs(
        hmac.digest(keys[:_KEY_BYTES], b"client", "sha256"),
        hmac.digest(keys[_KEY_BYTES:], b"server", "sha256"),
    )
