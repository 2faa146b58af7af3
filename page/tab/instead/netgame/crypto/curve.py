"""Everything that is computed on secp256k1, in a browser tab: libsecp256k1 in WebAssembly.

It has the interface of the module that it replaces (`netgame.crypto.curve`, which specifies the
arguments); `page/native/curve.c` is the other side of every call. There the library adds up many
terms by Pippenger's method and few by Straus'.
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
    """Return the point that was written; None for infinity. Raises ValueError for a bad point."""
    if result < 0:
        raise ValueError(_NO_POINT)
    return _WIDE.raw if result else None


def _point(result: int) -> bytes:
    wide = _written(result)
    if wide is None:
        raise ValueError("a factor is 1 to Q-1")
    return wide


def widen(points: Sequence[bytes]) -> list[bytes]:
    """Return the 65 octets of each of these points of 33."""
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
    """Return the base point times `k`, wide; `k` from 1 to Q-1 may be secret."""
    return _point(_LIBRARY.times_base(_WIDE, k.to_bytes(32, "big")))


def times_secret(wide: bytes, k: int) -> bytes:
    """Return a wide point times `k`, wide; `k` from 1 to Q-1 and the result may be secret."""
    return _point(_LIBRARY.times_secret(_WIDE, _joined([wide]), k.to_bytes(32, "big")))


def multiply_sum(wides: Sequence[bytes], factors: Sequence[int]) -> bytes | None:
    """Return the sum of wide points times factors, 1 to Q-1; None for infinity or no points."""
    if not wides:
        return None
    if len(wides) != len(factors):
        raise ValueError("as many factors as points")
    octets = b"".join([factor.to_bytes(32, "big") for factor in factors])
    return _written(_LIBRARY.multiply_sum(_WIDE, _joined(wides), octets, len(wides)))


def sum_of_fixed(points: Iterable[bytes], factors: Iterable[int]) -> bytes | None:
    """Return the same as `multiply_sum`, for 33-octet points that recur; a factor may be 0."""
    terms = [(point, factor) for point, factor in zip(points, factors, strict=True) if factor]
    return multiply_sum([_opened(point) for point, _ in terms], [factor for _, factor in terms])


_open: Final = dict[bytes, bytes]()


def _opened(point: bytes) -> bytes:
    if point not in _open:
        (_open[point],) = widen([point])
    return _open[point]


def swift_decode(octets: bytes) -> bytes:
    """Return the point of 64 octets by SwiftEC decoding (BIP 324), in 33; any 64 decode to one."""
    wide = _point(_LIBRARY.swift_decode(_WIDE, octets))
    return bytes([2 + (wide[64] & 1)]) + wide[1:33]


def _joined(wides: Sequence[bytes]) -> bytes:
    octets = b"".join(wides)
    if len(octets) != 65 * len(wides):
        raise ValueError(_NO_POINT)
    return octets
