"""Ed25519, X25519 and ChaCha20-Poly1305; the only module that uses their library.

Sources: RFC 8032, RFC 7748, RFC 8439. Another platform replaces this module with its own, with the
same names: the browser tab's is `page/tab/instead/netgame/crypto/ciphers.py`.
"""

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


class SignatureKey:
    """An Ed25519 secret key, made from its 32 octets.

    `public` is its public key, 32 octets.
    """

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, octets: bytes) -> bytes:
        """Return the signature of `octets`: 64 octets, always the same for the same input."""
        return self._key.sign(octets)


def is_signed(public: bytes, octets: bytes, signature: bytes) -> bool:
    """Return True if `signature` is the signature of `octets` by the key `public`.

    S must be below the order of the group, and the equation is checked without the cofactor. False
    if the key or the signature has a wrong length.
    """
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, octets)
    except (InvalidSignature, ValueError):
        return False
    return True


class AgreementKey:
    """An X25519 secret key, made from its 32 octets.

    `public` is its public key, 32 octets.
    """

    __slots__ = ("_key", "public")

    def __init__(self, secret: bytes) -> None:
        self._key = X25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()

    def agree(self, theirs: bytes) -> bytes:
        """Return the secret shared with the owner of the public key `theirs`: 32 octets.

        ValueError if `theirs` is not 32 octets, or if the result is all zeros and so not secret.
        """
        return self._key.exchange(X25519PublicKey.from_public_bytes(theirs))


class Sealer:
    """ChaCha20-Poly1305 with one key of 32 octets.

    A nonce has 12 octets. Never seal two messages with the same nonce.
    """

    __slots__ = ("_aead",)

    def __init__(self, key: bytes) -> None:
        self._aead = ChaCha20Poly1305(key)

    def seal(self, nonce: bytes, plaintext: bytes, bound: bytes) -> bytes:
        """Return the encrypted plaintext, then 16 octets that authenticate it and `bound`."""
        return self._aead.encrypt(nonce, plaintext, bound)

    def open(self, nonce: bytes, sealed: bytes, bound: bytes) -> bytes | None:
        """Return the plaintext; None if this key did not seal it with this nonce and `bound`."""
        try:
            return self._aead.decrypt(nonce, sealed, bound)
        except InvalidTag:
            return None
