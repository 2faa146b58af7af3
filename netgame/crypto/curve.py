"""All computation on secp256k1. Only this module and `buckets` use the library for it.

Points are SEC 1 octets: 33, or 65 in the wide form, which can be read without a square root. Each
function raises ValueError if the octets it is given are not a point; only `widen` is given octets
from other peers. None as a result is the point at infinity. The time of `times_base` and
`times_secret` does not depend on the factor; everything given to the others must be public.

Another platform replaces this module with its own, with the same functions: the browser tab's is
`page/tab/instead/netgame/crypto/curve.py`.
"""

from collections.abc import Sequence
from typing import Final

from btclib_secp256k1 import ecdh, ellswift, ffi, keys, lib
from btclib_secp256k1.context import ctx

from netgame.crypto.buckets import open_into, sum_in_buckets
from netgame.crypto.buckets import sum_of_fixed as sum_of_fixed

_BUCKETS_PAY: Final = 300


def widen(points: Sequence[bytes]) -> list[bytes]:
    """Return the wide form, 65 octets, of each point of 33 octets."""
    opened = ffi.new("secp256k1_pubkey *")
    size = ffi.new("size_t *")
    wide = ffi.new("char[65]")
    octets = ffi.buffer(wide)
    wides = list[bytes]()
    for point in points:
        size[0] = 65
        open_into(opened, point)
        lib.secp256k1_ec_pubkey_serialize(ctx, wide, size, opened, keys.UNCOMPRESSED)
        wides.append(octets[:])
    return wides


def add_up(wides: Sequence[bytes]) -> bytes | None:
    """Return the sum of one or more wide points, wide as well."""
    total: bytes | None = keys.pubkey_sum(wides, compressed=False)
    return total


def times_base(k: int) -> bytes:
    """Return `k` times the base point, wide. `k` is 1 to Q-1 and may be secret."""
    return keys.pubkey_from_prvkey(k, compressed=False)


def times_secret(wide: bytes, k: int) -> bytes:
    """Return `k` times a wide point, wide. `k` is 1 to Q-1; it and the result may be secret."""
    # ECDH is the library's one multiplication of any point in constant time.
    return ecdh.shared_point(wide, k, compressed=False)


def multiply_sum(wides: Sequence[bytes], factors: Sequence[int]) -> bytes | None:
    """Multiply each wide point by its factor, 1 to Q-1, and return the sum, wide.

    None if the sum is the point at infinity or there are no points.
    """
    if len(wides) >= _BUCKETS_PAY:
        return sum_in_buckets(wides, factors)
    if not wides:
        return None
    total: bytes | None = keys.pubkey_tweak_mul_sum(wides, factors, compressed=False)
    return total


def swift_decode(octets: bytes) -> bytes:
    """Decode any 64 octets by SwiftEC (BIP 324); return the point, 33 octets."""
    return ellswift.decode(octets)
