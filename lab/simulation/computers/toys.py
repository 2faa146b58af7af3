"""A toy group and toy signatures: every equation holds, and nothing is hidden.

The toy group is the integers modulo Q under addition, with the octets of points: 02 or 03 and the
smaller of a and Q - a. Its base is the number that the octets of G happen to spell, so constants
derived from G stay what they are. A discrete logarithm is one division: good for simulations, in
which all seats are one process and nobody has anything to hide, and for nothing else.

There is no switch for it. `toys()` puts it under the five names by which `crypto.group` reaches
its library, and under the two of `crypto.signing`, for as long as its block lasts, and puts the
real ones back whatever happens in it. A program that did this to itself could not even sit at a
table: toy points are refused by every real peer, as are the records of toy games by `verify`. The
import contracts let no package of the game import this one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256, sha512
from typing import Any, Final

from cryptography.exceptions import InvalidSignature

from netgame.crypto import group, signing
from netgame.crypto.group import Q

_HALF: Final = Q >> 1
_TAIL: Final = (bytes(32), bytes(31) + b"\x01")


def _wide(number: int) -> bytes:
    """The 65 octets of a number other than 0."""
    number %= Q
    if not number:
        raise ValueError("the sum is the point at infinity")
    odd = number > _HALF
    return b"\x04" + (Q - number if odd else number).to_bytes(32, "big") + _TAIL[odd]


def _number(wide: bytes) -> int:
    """The number of 65 or 33 octets; ValueError if they are none."""
    number = int.from_bytes(wide[1:33], "big")
    if not 0 < number <= _HALF:
        raise ValueError("no element of the toy group")
    odd = wide[64 if len(wide) == 65 else 0] & 1
    return Q - number if odd else number


def toy_number(point: bytes) -> int:
    """The number that a toy point stands for: its discrete logarithm, but for a factor."""
    return _number(_octets(_number(point), compressed=False))


def _octets(number: int, *, compressed: bool) -> bytes:
    wide = _wide(number)
    return wide if not compressed else (b"\x03" if wide[64] else b"\x02") + wide[1:33]


_BASE: Final = _number(group.G)
"""The number that the octets of the real base point spell here."""


class _ToyLibrary:
    """The functions that `crypto.group` asks of btclib_secp256k1: `keys`, `ecdh` and `ellswift`."""

    @staticmethod
    def reserialize(point: bytes, *, compressed: bool = True) -> bytes:
        """The other form of a point; ValueError if it is none."""
        return _octets(_number(point), compressed=compressed)

    @staticmethod
    def pubkey_from_prvkey(k: int, *, compressed: bool = True) -> bytes:
        """The base, k times."""
        return _octets(k * _BASE, compressed=compressed)

    @staticmethod
    def pubkey_sum(wides: Sequence[bytes], *, compressed: bool = True) -> bytes | None:
        """The sum; None for the point at infinity."""
        total = sum(map(_number, wides)) % Q
        return _octets(total, compressed=compressed) if total else None

    @staticmethod
    def shared_point(wide: bytes, k: int, *, compressed: bool = True) -> bytes:
        """A point, k times."""
        return _octets(k * _number(wide), compressed=compressed)

    @staticmethod
    def decode(octets: bytes) -> bytes:
        """A point that nobody chose."""
        return _octets(int.from_bytes(octets, "big") % Q or 1, compressed=True)


def _toy_sum(wides: Sequence[bytes], factors: Sequence[int]) -> bytes | None:
    """The sum of factor times point; None for the point at infinity."""
    total = sum(map(int.__mul__, factors, map(_number, wides))) % Q
    return _wide(total) if total else None


def _toy_widen(points: Sequence[bytes]) -> list[bytes]:
    """The 65 octets of each; ValueError if one is none."""
    return [_wide(_number(point)) for point in points]


class _ToyPublicKey:
    """The part of `Ed25519PublicKey` that `crypto.signing` asks for."""

    def __init__(self, public: bytes) -> None:
        self._public = public

    @classmethod
    def from_public_bytes(cls, public: bytes) -> _ToyPublicKey:
        """The key of these octets."""
        return cls(public)

    def public_bytes_raw(self) -> bytes:
        """Its octets."""
        return self._public

    def verify(self, signature: bytes, octets: bytes) -> None:
        """Raise `InvalidSignature` unless the signature is the one there is."""
        if signature != sha512(self._public + octets).digest():
            raise InvalidSignature


class _ToyPrivateKey:
    """The part of `Ed25519PrivateKey` that `crypto.signing` asks for; anybody could sign for it."""

    def __init__(self, seed: bytes) -> None:
        octets = bytearray(sha256(seed).digest())
        octets[31] &= 0x3F  # below 2^254, so a canonical key
        self._public = bytes(octets)

    @classmethod
    def from_private_bytes(cls, seed: bytes) -> _ToyPrivateKey:
        """The key of this seed."""
        return cls(seed)

    def public_key(self) -> _ToyPublicKey:
        """The public half, which is all there is."""
        return _ToyPublicKey(self._public)

    def sign(self, octets: bytes) -> bytes:
        """The one signature of these octets."""
        return sha512(self._public + octets).digest()


_TOYS: Final[tuple[tuple[Any, str, object], ...]] = (
    (group, "keys", _ToyLibrary),
    (group, "ecdh", _ToyLibrary),
    (group, "multiply_sum", _toy_sum),
    (group, "sum_of_fixed", _toy_sum),
    (group, "widen", _toy_widen),
    (group, "ellswift", _ToyLibrary),
    (signing, "Ed25519PrivateKey", _ToyPrivateKey),
    (signing, "Ed25519PublicKey", _ToyPublicKey),
)


@contextmanager
def toys() -> Iterator[None]:
    """Have the toy group and toy signatures in place within the block, and never after it."""
    real = [(module, name, getattr(module, name)) for module, name, _ in _TOYS]
    _forget()
    try:
        for module, name, toy in _TOYS:
            setattr(module, name, toy)
        yield
    finally:
        for module, name, thing in real:
            setattr(module, name, thing)
        _forget()


def _forget() -> None:
    """Nothing of one group may be taken for anything of the other."""
    group.forget_points()
    group.hash_to_group.cache_clear()
    signing.verify_signature.cache_clear()
