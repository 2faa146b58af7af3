"""A toy group and toy signatures: every equation holds, and nothing is hidden.

The toy group is the integers modulo Q under addition, with points as octets: 02 or 03 and the
smaller of a and Q - a. Its base is the number that the octets of G happen to spell, so constants
derived from G remain unchanged. A discrete logarithm is one division: good enough for simulations,
in which all seats are one process without secrets, and for nothing else.

There is no switch for it. `toys()` replaces `crypto.curve`, and the part of `crypto.ciphers` that
`crypto.signing` uses, for the length of its block, and restores the real ones whatever happens in
it. A program that did this to itself could not even sit at a table: every real peer refuses toy
points, and `verify` refuses the records of toy games. The import contracts let no package of the
game import this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256, sha512
from typing import Any, Final

from netgame.crypto import batch, group, signing
from netgame.crypto.group import Q

_HALF: Final = Q >> 1
_TAIL: Final = (bytes(32), bytes(31) + b"\x01")


def _wide(number: int) -> bytes:
    """Return the 65 octets of a number other than 0 modulo Q. Raises `ValueError` for 0."""
    number %= Q
    if not number:
        raise ValueError("the sum is the point at infinity")
    odd = number > _HALF
    return b"\x04" + (Q - number if odd else number).to_bytes(32, "big") + _TAIL[odd]


def _number(wide: bytes) -> int:
    """Return the number of a toy point's 65 or 33 octets. Raises `ValueError` if out of range."""
    number = int.from_bytes(wide[1:33], "big")
    if not 0 < number <= _HALF:
        raise ValueError("no element of the toy group")
    odd = wide[64 if len(wide) == 65 else 0] & 1
    return Q - number if odd else number


def toy_number(point: bytes) -> int:
    """Return the number of a toy point: its discrete logarithm, up to a factor."""
    return _number(point)


_BASE: Final = _number(group.G)
"""The number that the octets of the real base point spell here."""


class _ToyCurve:
    """Toy versions of the functions of `crypto.curve`."""

    @staticmethod
    def widen(points: Sequence[bytes]) -> list[bytes]:
        """Return the 65 octets of each point. Raises `ValueError` for an invalid one."""
        return [_wide(_number(point)) for point in points]

    @staticmethod
    def add_up(wides: Sequence[bytes]) -> bytes | None:
        """Return the sum of the points, or None for the point at infinity."""
        total = sum(map(_number, wides)) % Q
        return _wide(total) if total else None

    @staticmethod
    def times_base(k: int) -> bytes:
        """Return k times the base point. Raises `ValueError` if k is 0 modulo Q."""
        return _wide(k * _BASE)

    @staticmethod
    def times_secret(wide: bytes, k: int) -> bytes:
        """Return k times a point. Raises `ValueError` if k is 0 modulo Q."""
        return _wide(k * _number(wide))

    @staticmethod
    def multiply_sum(wides: Iterable[bytes], factors: Iterable[int]) -> bytes | None:
        """Return the sum of each factor times its point, or None for the point at infinity."""
        total = sum(map(int.__mul__, factors, map(_number, wides))) % Q
        return _wide(total) if total else None

    sum_of_fixed = multiply_sum

    @staticmethod
    def swift_decode(octets: bytes) -> bytes:
        """Map any octets to the 33 octets of a toy point."""
        wide = _wide(int.from_bytes(octets, "big") % Q or 1)
        return bytes([2 + wide[64]]) + wide[1:33]


class _ToyCiphers:
    """The part of `crypto.ciphers` that `crypto.signing` uses; anybody can forge a signature."""

    class SignatureKey:
        """The toy signing key made from a seed."""

        def __init__(self, seed: bytes) -> None:
            octets = bytearray(sha256(seed).digest())
            octets[31] &= 0x3F  # below 2^254, so a canonical key
            self.public = bytes(octets)

        def sign(self, octets: bytes) -> bytes:
            """Return the only valid signature of these octets."""
            return sha512(self.public + octets).digest()

    @staticmethod
    def is_signed(public: bytes, octets: bytes, signature: bytes) -> bool:
        """Return True if this is the only valid signature of these octets."""
        return signature == sha512(public + octets).digest()


_TOYS: Final[tuple[tuple[Any, str, object], ...]] = (
    (group, "curve", _ToyCurve),
    (batch, "curve", _ToyCurve),
    (signing, "ciphers", _ToyCiphers),
)


@contextmanager
def toys() -> Iterator[None]:
    """Use the toy group and toy signatures within the block, and the real ones again after it."""
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
    """Clear all caches, so that no value of one group is taken for a value of the other."""
    group.forget_points()
    group.hash_to_group.cache_clear()
    signing.verify_signature.cache_clear()
