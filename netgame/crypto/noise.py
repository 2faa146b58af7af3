"""Noise_XX_25519_ChaChaPoly_SHA256: a handshake, and the ciphers that result from it.

Trevor Perrin, "The Noise Protocol Framework", revision 34; peer.md 1 describes the payloads.

    -> e                        32 octets
    <- e, ee, s, es, payload    32 + 48 + payload + 16
    -> s, se, payload           48 + payload + 16

Each side draws two X25519 keys for every link: an ephemeral one, and one that Noise calls static.
Neither is an identity. Inside the payload the identity key, Ed25519, signs the static key together
with `bound`, the handshake's hash at that point. So the signature is worthless in any other
handshake (`netgame.io.door.channel`). An attacker between the two sides can only run a handshake
with each of them, with keys of its own. Then the two hashes differ, and so does everything signed
or derived from them.

This module does no I/O: it takes and returns messages as octets. Do not use a `Handshake` or a
`Cipher` again after it has raised `Malformed`.
"""

import hashlib
import hmac
from typing import Final

from netgame.crypto.ciphers import AgreementKey, Sealer
from netgame.crypto.group import Entropy
from netgame.errors import Malformed

NAME: Final = b"Noise_XX_25519_ChaChaPoly_SHA256"
KEY_BYTES: Final = 32
TAG_BYTES: Final = 16
MESSAGE_BYTES_MAX: Final = 65_535
"""The maximum length of a Noise message (section 3 of the framework)."""

_ALTERED: Final = "the other side, or somebody in between, has altered the handshake"
_NOT_IN_ORDER: Final = "octets came that were altered, lost or put in another order"


class Cipher:
    """The cipher of one direction of a channel; messages must be opened in the order of sealing.

    A key seals at most 2^64 - 1 messages, more than any channel ever carries.
    """

    __slots__ = ("_count", "_sealer")

    def __init__(self, key: bytes) -> None:
        self._sealer = Sealer(key)
        self._count = 0

    def seal(self, plaintext: bytes, bound: bytes = b"") -> bytes:
        """Encrypt the next message; the result is `TAG_BYTES` longer.

        The other side must open it with the same `bound`.
        """
        return self._sealer.seal(self._next(), plaintext, bound)

    def open(self, sealed: bytes, bound: bytes = b"") -> bytes:
        """Decrypt and return the next message; `Malformed` if `sealed` is anything else."""
        plaintext = self._sealer.open(self._next(), sealed, bound)
        if plaintext is None:
            raise Malformed(_NOT_IN_ORDER)
        return plaintext

    def _next(self) -> bytes:
        # Four zero octets, then the count, little-endian (section 12.3 of Noise).
        nonce = (self._count << 32).to_bytes(12, "little")
        self._count += 1
        return nonce


class Ciphers:
    """The ciphers of an established channel, and the hash that identifies its handshake.

    Both ends have the same `hash`, 32 octets, and no two handshakes share one.
    """

    __slots__ = ("hash", "inward", "outward")

    def __init__(self, outward: Cipher, inward: Cipher, digest: bytes) -> None:
        self.outward, self.inward, self.hash = outward, inward, digest


class Handshake:
    """One side of a handshake, the client's or the server's, to be used once.

    An identity key signs `bound` together with its owner's static key; `bound` is the hash right
    after the static key has been mixed in. `Malformed` is raised for a message that is not the one
    due, and for a key that gives no shared secret (RFC 7748, section 6.1). A bad ephemeral key in
    the greeting is found only by `show_static`.
    """

    def __init__(self, prologue: bytes, entropy: Entropy, *, is_server: bool) -> None:
        self._is_server = is_server
        self._ephemeral = AgreementKey(entropy(KEY_BYTES))
        self._static = AgreementKey(entropy(KEY_BYTES))
        self._theirs = b""
        """The other side's ephemeral key."""
        # The name has 32 octets, so it is itself the first hash (section 5.2 of Noise).
        self._chain = self._hash = NAME
        self._cipher: Cipher | None = None
        self._mix_hash(prologue)

    @property
    def static(self) -> bytes:
        """The public half of this side's static key, 32 octets."""
        return self._static.public

    def greet(self, payload: bytes = b"") -> bytes:
        """Return the client's first message: 32 octets, and a payload that everybody can read."""
        greeting = self._say_ephemeral() + payload
        self._mix_hash(payload)
        return greeting

    def hear_greeting(self, message: bytes) -> bytes:
        """Take the client's first message; return its payload."""
        self._hear_ephemeral(message[:KEY_BYTES])
        self._mix_hash(message[KEY_BYTES:])
        return message[KEY_BYTES:]

    def show_static(self) -> tuple[bytes, bytes]:
        """Begin the second message as the server, the third as the client.

        Return its octets up to the end of this side's static key, and `bound`. `finish` returns the
        rest of the message.
        """
        ephemeral = self._say_ephemeral() if self._is_server else b""
        if self._is_server:
            self._mix_key(self._ephemeral, self._theirs)
        return ephemeral + self._seal(self.static), self._hash

    def finish(self, payload: bytes) -> bytes:
        """Return the rest of the message that `show_static` began: `payload`, sealed."""
        self._mix_key(self._static, self._theirs)
        return self._seal(payload)

    def hear_static(self, message: bytes) -> tuple[bytes, bytes, bytes]:
        """Take the other side's second or third message.

        Return its static key, `bound`, and the payload.
        """
        rest = message
        if not self._is_server:
            self._hear_ephemeral(rest[:KEY_BYTES])
            self._mix_key(self._ephemeral, self._theirs)
            rest = rest[KEY_BYTES:]
        end = KEY_BYTES + TAG_BYTES
        static = self._open(rest[:end])
        bound = self._hash
        self._mix_key(self._ephemeral, static)
        return static, bound, self._open(rest[end:])

    def split(self) -> Ciphers:
        """Return the ciphers of the channel; call it after the third message."""
        first, second = (Cipher(key) for key in derive_two(self._chain, b""))
        outward, inward = (second, first) if self._is_server else (first, second)
        return Ciphers(outward, inward, self._hash)

    # ---- the symmetric state (section 5.2 of Noise) ---------------------------------------------

    def _say_ephemeral(self) -> bytes:
        ours = self._ephemeral.public
        self._mix_hash(ours)
        return ours

    def _hear_ephemeral(self, key: bytes) -> None:
        self._theirs = key
        self._mix_hash(key)

    def _mix_hash(self, octets: bytes) -> None:
        self._hash = hashlib.sha256(self._hash + octets).digest()

    def _mix_key(self, ours: AgreementKey, theirs: bytes) -> None:
        try:
            shared = ours.agree(theirs)
        except ValueError:  # a key of a wrong length, or only zeros (RFC 7748 section 6.1)
            raise Malformed(_ALTERED) from None
        self._chain, key = derive_two(self._chain, shared)
        self._cipher = Cipher(key)

    def _seal(self, plaintext: bytes) -> bytes:
        # XX mixes in a key before it seals anything, so there is a cipher.
        assert self._cipher is not None
        sealed = self._cipher.seal(plaintext, self._hash)
        self._mix_hash(sealed)
        return sealed

    def _open(self, sealed: bytes) -> bytes:
        # XX mixes in a key before it opens anything, too.
        assert self._cipher is not None
        try:
            plaintext = self._cipher.open(sealed, self._hash)
        except Malformed:
            raise Malformed(_ALTERED) from None
        self._mix_hash(sealed)
        return plaintext


def derive_two(salt: bytes, material: bytes, info: bytes = b"") -> tuple[bytes, bytes]:
    """Return two keys by HKDF with SHA-256, 32 octets each (RFC 5869; section 4.3 of Noise)."""
    secret = hmac.digest(salt, material, "sha256")
    first = hmac.digest(secret, info + b"\1", "sha256")
    return first, hmac.digest(secret, first + info + b"\2", "sha256")
