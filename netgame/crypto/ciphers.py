"""Ed25519, X25519 and ChaCha20-Poly1305, and the one door to the library that computes them.

Sources: RFC 8032, RFC 7748, RFC 8439. Another platform brings a module of its own in the place of
this one, with the same names: the browser tab's is `page/tab/instead/netgame/crypto/ciphers.py`.
"""

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


class SignatureKey:
    """A secret key of Ed25519, from its 32 octets; `public` has the 32 of the other half."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, octets: bytes) -> bytes:
        """The signature, 64 octets, always the same for the same octets."""
        return self._key.sign(octets)


def is_signed(public: bytes, octets: bytes, signature: bytes) -> bool:
    """Whether a signature of 64 octets is this key's: S below the order, and no cofactor."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, octets)
    except (InvalidSignature, ValueError):
        return False
    return True


class AgreementKey:
    """A secret key of X25519, from its 32 octets; `public` has the 32 of the other half."""

    __slots__ = ("_key", "public")

    def __init__(self, secret: bytes) -> None:
        self._key = X25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()

    def agree(self, theirs: bytes) -> bytes:
        """The secret that both sides share, 32 octets.

        ValueError for another length, and where nothing secret comes of it: only zeros.
        """
        return self._key.exchange(X25519PublicKey.from_public_bytes(theirs))


class Sealer:
    """ChaCha20-Poly1305 under a key of 32 octets; no nonce of 12 octets is used twice."""

    __slots__ = ("_aead",)

    def __init__(self, key: bytes) -> None:
        self._aead = ChaCha20Poly1305(key)

    def seal(self, nonce: bytes, plaintext: bytes, bound: bytes) -> bytes:
        """The plaintext encrypted, and 16 octets that hold it and what is `bound` to it."""
        return self._aead.encrypt(nonce, plaintext, bound)

    def open(self, nonce: bytes, sealed: bytes, bound: bytes) -> bytes | None:
        """The plaintext; None for anything that was not sealed so."""
        try:
            return self._aead.decrypt(nonce, sealed, bound)
        except InvalidTag:
            return None
