"""Identity keys: Ed25519 signatures, each for one purpose (RFC 8032; protocol.md 5.2).

The signed octets are `domain || 00 || data`. The domain is an ASCII label without a zero octet, so
a signature for one purpose is not valid for another.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from netgame.crypto import ciphers
from netgame.errors import LocalMisuse

PUBLIC_KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
SIGNING_SEED_BYTES: Final = 32

_FIELD: Final = 2**255 - 19
_ROOT_8: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER: Final = frozenset({0, 1, _FIELD - 1, _ROOT_8, _FIELD - _ROOT_8})
"""The y of the eight points whose order divides 8: keys for which anybody can sign."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A seat's identity key: `secret` signs, and `public_bytes` names the seat."""

    public_bytes: bytes
    secret: ciphers.SignatureKey = field(repr=False, compare=False)

    def sign(self, domain: str, data: bytes) -> bytes:
        """Return the signature of `data` for `domain`: 64 octets, the same for the same input.

        LocalMisuse if `domain`, the purpose, is empty or has a zero octet.
        """
        return self.secret.sign(_framed(domain, data))


def _framed(domain: str, data: bytes) -> bytes:
    label = domain.encode("ascii")
    if not label or 0 in label:
        raise LocalMisuse("a domain is a non-empty label without a zero octet")
    return label + b"\x00" + data


def make_signing_key(seed: bytes) -> SigningKey:
    """Make a key from the secret key of RFC 8032; LocalMisuse unless `seed` is 32 octets."""
    if len(seed) != SIGNING_SEED_BYTES:
        raise LocalMisuse("a signing seed is 32 octets")
    key = ciphers.SignatureKey(seed)
    return SigningKey(key.public, key)


def is_public_key(public: bytes) -> bool:
    """Return True if `public` may name a seat: a canonical key, and not of small order.

    Anybody can sign for a key of small order. False unless `public` has 32 octets.
    """
    if len(public) != PUBLIC_KEY_BYTES:
        return False
    # The highest bit is the sign of x.
    y = int.from_bytes(public, "little") & ((1 << 255) - 1)
    return y < _FIELD and y not in _SMALL_ORDER


@lru_cache(64)
def verify_signature(public: bytes, domain: str, data: bytes, signature: bytes) -> bool:
    """Return True if `signature` is by the key `public` over `data` for `domain`.

    All octets may be hostile, but not `domain`, which is as for `SigningKey.sign`. False for a key
    that may not name a seat (`is_public_key`), and for any wrong length. Recent answers are cached,
    because several peers in one process check the same signatures at the same time.
    """
    if not is_public_key(public) or len(signature) != SIGNATURE_BYTES:
        return False
    return ciphers.is_signed(public, _framed(domain, data), signature)
