"""Many public points at once, by libsecp256k1's own methods where the extra is installed.

The extra `boneyard-native` reaches Strauss's and Pippenger's methods for sums of multiplications,
which take two to four times less than multiplying term by term, as the binding does; and it decodes
a deck in one call. The octets are the same either way. All of it takes a time that depends on its
input, so nothing secret passes here.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from btclib_secp256k1 import keys

try:
    import boneyard_native as native
except ImportError:
    native = None

MultiplySum: TypeAlias = Callable[[int, Sequence[bytes], Sequence[int]], bytes | None]
"""Given k, points in 65 octets and as many scalars, all below the order of the group and the
scalars not 0: kG and the sum of scalar times point, in 65 octets; None for the point at infinity.
"""
Widen: TypeAlias = Callable[[Sequence[bytes]], list[bytes]]
"""Given points of 33 octets: their forms of 65 octets. ValueError if one is no point."""


def _sum_term_by_term(k: int, wides: Sequence[bytes], factors: Sequence[int]) -> bytes | None:
    if not k:
        return keys.pubkey_tweak_mul_sum(wides, factors, compressed=False) if wides else None
    base = keys.pubkey_from_prvkey(k, compressed=False)
    terms = zip(wides, factors, strict=True)
    products = (keys.pubkey_tweak_mul(wide, factor, compressed=False) for wide, factor in terms)
    return keys.pubkey_sum([base, *products], compressed=False)


def _sum_natively(k: int, wides: Sequence[bytes], factors: Sequence[int]) -> bytes | None:
    scalars = b"".join(factor.to_bytes(32, "big") for factor in factors)
    summed: bytes | None = native.multiply_sum(k.to_bytes(32, "big"), b"".join(wides), scalars)
    return summed


def _widen_each(points: Sequence[bytes]) -> list[bytes]:
    return [keys.reserialize(point, compressed=False) for point in points]


def _widen_natively(points: Sequence[bytes]) -> list[bytes]:
    wide = native.widen(b"".join(points))
    return [wide[at : at + 65] for at in range(0, len(wide), 65)]


IS_NATIVE: Final = native is not None
multiply_sum: Final[MultiplySum] = _sum_natively if IS_NATIVE else _sum_term_by_term
widen: Final[Widen] = _widen_natively if IS_NATIVE else _widen_each
