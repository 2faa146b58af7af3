"""Ed25519, X25519 and ChaCha20-Poly1305 in a browser tab: libsodium in WebAssembly.

This module has the interface of the one that it replaces, `netgame.crypto.ciphers`; the C functions
that it calls are in `page/native/ciphers.c`. It checks signatures by the same equation as OpenSSL,
because a signature that one peer accepts must be accepted by all.
"""

import ctypes
from typing import Final

_LIBRARY: Final = ctypes.CDLL("/lib/boneyard/ciphers.so")
_TAG_BYTES: Final = 16


def _made(size: int) -> "ctypes.Array[ctypes.c_char]":
    return ctypes.create_string_buffer(size)


def _require(octets: bytes, size: int) -> bytes:
    if len(octets) != size:
        raise ValueError(f"a key is {size} octets")
    return octets


class SignatureKey:
    """An Ed25519 secret key, made from its 32 octets.

    `public` is its public key, also 32 octets.
    """

    __slots__ = ("_secret", "public")

    def __init__(self, seed: bytes) -> None:
        public, secret = _made(32), _made(64)
        _LIBRARY.ed25519_key(public, secret, _require(seed, 32))
        self.public, self._secret = public.raw, secret.raw

    def sign(self, octets: bytes) -> bytes:
        """Return the signature of `octets`: 64 octets, the same each time."""
        signature = _made(64)
        _LIBRARY.ed25519_sign(signature, octets, len(octets), self._secret)
        return signature.raw


def is_signed(public: bytes, octets: bytes, signature: bytes) -> bool:
    """Return True if `signature`, of 64 octets, is the signature of `octets` by the key `public`.

    S must be below the group order, and the equation is checked without the cofactor.
    """
    if len(public) != 32 or len(signature) != 64:
        return False
    return bool(_LIBRARY.ed25519_verify(signature, octets, len(octets), public))


class AgreementKey:
    """An X25519 secret key, made from its 32 octets.

    `public` is its public key, also 32 octets.
    """

    __slots__ = ("_secret", "public")

    def __init__(self, secret: bytes) -> None:
        self._secret = _require(secret, 32)
        public = _made(32)
        _LIBRARY.x25519_public(public, secret)
        self.public = public.raw

    def agree(self, theirs: bytes) -> bytes:
        """Return the secret, 32 octets, that both sides share.

        Raises ValueError if `theirs` is not 32 octets, or if the secret would be all zeros.
        """
        shared = _made(32)
        if not _LIBRARY.x25519(shared, self._secret, _require(theirs, 32)):
            raise ValueError("nothing secret comes of this key")
        return shared.raw


class Sealer:
    """ChaCha20-Poly1305 under a key of 32 octets.

    A nonce has 12 octets, and must never be used twice.
    """

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = _require(key, 32)

    def seal(self, nonce: bytes, plaintext: bytes, bound: bytes) -> bytes:
        """Return the encrypted plaintext, followed by a tag of 16 octets over it and `bound`."""
        sealed = _made(len(plaintext) + _TAG_BYTES)
        given = plaintext, len(plaintext), bound, len(bound), _require(nonce, 12), self._key
        _LIBRARY.seal(sealed, *given)
        return sealed.raw

    def open(self, nonce: bytes, sealed: bytes, bound: bytes) -> bytes | None:
        """Return the plaintext; None unless it was sealed with this key, `nonce` and `bound`."""
        if len(sealed) < _TAG_BYTES:
            return None
        plaintext = _made(len(sealed) - _TAG_BYTES)
        given = bytes(sealed), len(sealed), bytes(bound), len(bound), _require(nonce, 12), self._key
        return plaintext.raw if _LIBRARY.unseal(plaintext, *given) else None
