"""HKDF (RFC 5869), built on `hmac`, with the interface that `spake2` uses."""

import hmac

from cryptography.hazmat.primitives.hashes import SHA256


class HKDF:
    """HKDF with a given hash function, length of output, salt and info."""

    def __init__(self, algorithm: SHA256, length: int, salt: bytes, info: bytes) -> None:
        self._hash, self._length, self._salt, self._info = algorithm, length, salt, info

    def derive(self, material: bytes) -> bytes:
        """Return the octets derived from `material`: extract (section 2.2), then expand (2.3)."""
        name, size = self._hash.name, self._hash.digest_size
        key = hmac.digest(self._salt or bytes(size), material, name)
        octets, block = b"", b""
        for number in range(1, -(-self._length // size) + 1):
            block = hmac.digest(key, block + self._info + bytes([number]), name)
            octets += block
        return octets[: self._length]
