"""Everything that is computed on secp256k1, in a browser tab: libsecp256k1 in WebAssembly.

This module has the interface of the one that it replaces, `netgame.crypto.curve`, which specifies
the arguments; the C functions that it calls are in `page/native/curve.c`. The library adds up many
terms by Pippenger's method, and few by Straus's.
"""

import ctypes
import secrets
from collections.abc import Iterable, Sequence
from typing import Final

_LIBRARY: Final = ctypes.CDLL("/lib/boneyard/curve.so")
_WIDE: Final = ctypes.create_string_buffer(65)
_NO_POINT: Final = "these octets are no point of the curve"

_LIBRARY.blind(secrets.token_bytes(32))


def _written(result: int) -> bytes | None:
    """Return the wide point that a call with this result has written; None for infinity.

    Raises ValueError if the call was given octets that are not a point.
    """
    if result < 0:
        raise ValueError(_NO_POINT)
    return _WIDE.raw if result else None


def _point(result: int) -> bytes:
    wide = _written(result)
    if wide is None:
        raise ValueError("a factor is 1 to Q-1")
    return wide


def widen(points: Sequence[bytes]) -> list[bytes]:
    """Return each of these 33-octet points in its wide form, 65 octets.

    Raises ValueError for octets that are not a point of the curve.
    """
    count = len(points)
    if any(len(point) != 33 for point in points):
        raise ValueError(_NO_POINT)
    wides = ctypes.create_string_buffer(65 * count)
    if _LIBRARY.widen(wides, b"".join(points), count) < 0:
        raise ValueError(_NO_POINT)
    octets = wides.raw
    return [octets[at : at + 65] for at in range(0, 65 * count, 65)]


def add_up(wides: Sequence[bytes]) -> bytes | None:
    """Return the sum of one or more wide points; None for infinity."""
    return _written(_LIBRARY.add_up(_WIDE, _joined(wides), len(wides)))


def times_base(k: int) -> bytes:
    """Return `k` times the base point, in wide form.

    `k` is from 1 to Q-1, and may be secret.
    """
    return _point(_LIBRARY.times_base(_WIDE, k.to_bytes(32, "big")))


def times_secret(wide: bytes, k: int) -> bytes:
    """Return `k` times a wide point, in wide form.

    `k` is from 1 to Q-1. It and the result may be secret.
    """
    return _point(_LIBRARY.times_secret(_WIDE, _joined([wide]), k.to_bytes(32, "big")))


def multiply_sum(wides: Sequence[bytes], factors: Sequence[int]) -> bytes | None:
    """Multiply each wide point by its factor, and return the sum of the products in wide form.

    None if the sum is infinity, or if there are no points. Factors are from 1 to Q-1. Raises
    ValueError if there are not as many factors as points.
    """
    if not wides:
        return None
    if len(wides) != len(factors):
        raise ValueError("as many factors as points")
    octets = b"".join([factor.to_bytes(32, "big") for factor in factors])
    return _written(_LIBRARY.multiply_sum(_WIDE, _joined(wides), octets, len(wides)))


def sum_of_fixed(points: Iterable[bytes], factors: Iterable[int]) -> bytes | None:
    """Return the same as `multiply_sum`, for 33-octet points, whose wide forms are remembered.

    Here a factor may be 0.
    """
    terms = [(point, factor) for point, factor in zip(points, factors, strict=True) if factor]
    return multiply_sum([_opened(point) for point, _ in terms], [factor for _, factor in terms])


_open: Final = dict[bytes, bytes]()


def _opened(point: bytes) -> bytes:
    if point not in _open:
        (_open[point],) = widen([point])
    return _open[point]


def swift_decode(octets: bytes) -> bytes:
    """Return the point, in 33 octets, to which 64 octets decode by SwiftEC (BIP 324).

    Any 64 octets decode to a point.
    """
    wide = _point(_LIBRARY.swift_decode(_WIDE, octets))
    return bytes([2 + (wide[64] & 1)]) + wide[1:33]


def _joined(wides: Sequence[bytes]) -> bytes:
    octets = b"".join(wides)
    if len(octets) != 65 * len(wides):
        raise ValueError(_NO_POINT)
    return octets
