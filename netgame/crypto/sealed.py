"""A move that is fixed before anybody shows it (protocol.md 4.5).

    said     the move as octets        secret   32 octets of its seat
    H("opening", ctx, said, secret)    the commitment; moves can be guessed, the secret cannot

The box is the same move encrypted for its own seat alone (ChaCha20-Poly1305, RFC 8439): a process
that comes back finds in the log what it has committed to. It is always of one size.
"""

from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from netgame.crypto.transcript import Tag, digest
from netgame.errors import LocalMisuse, Malformed
from netgame.limits import OPENING_BOX_BYTES

_NONCE: Final = bytes(12)
"""A box key is used once: it is derived for one place in the log."""

_PADDED: Final = OPENING_BOX_BYTES - 16


def opening_commitment(ctx: bytes, said: bytes, secret: bytes) -> bytes:
    """Give H("opening", ctx, said, secret): 64 octets."""
    return digest(Tag.OPENING, ctx, said, secret)


def seal(key: bytes, said: bytes) -> bytes:
    """Encrypt `said` under a key of 32 octets that seals nothing else: always 1,040 octets.

    LocalMisuse if `said` is longer than 1,022.
    """
    if len(said) + 2 > _PADDED:
        raise LocalMisuse("a move that is longer than a hand can make it")
    padded = (len(said).to_bytes(2, "big") + said).ljust(_PADDED, b"\0")
    return ChaCha20Poly1305(key).encrypt(_NONCE, padded, None)


def unseal(key: bytes, box: bytes) -> bytes:
    """Give the content of a box, `said` of `seal`; Malformed if not sealed with this key."""
    try:
        padded = ChaCha20Poly1305(key).decrypt(_NONCE, box, None)
    except InvalidTag:
        raise Malformed("a box that was sealed under another key") from None
    return padded[2 : 2 + int.from_bytes(padded[:2], "big")]
