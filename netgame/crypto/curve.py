"""All that is computed on secp256k1, and the one door to the library that does it.

Points are octets of SEC 1: 33, or 65 where they are wide; no square root is drawn to open these.
Each function takes the octets as they are and raises ValueError for what is no point; only `widen`
is given any that come from elsewhere. A result of None is the point at infinity. `times_base` and
`times_secret` take a time that does not depend on the factor; everything that the others are given
must be public.

Another platform brings a module of its own in the place of this one, with the same functions: the
browser tab's is `page/tab/instead/netgame/crypto/curve.py`.
"""

from collections.abc import Sequence
from typing import Final

from btclib_secp256k1 import ecdh, ellswift, ffi, keys, lib
from btclib_secp256k1.context import ctx

from netgame.crypto.buckets import open_into, sum_in_buckets
from netgame.crypto.buckets import sum_of_fixed as sum_of_fixed

_BUCKETS_PAY: Final = 300


def widen(points: Sequence[bytes]) -> list[bytes]:
    """The 65 octets of points of 33."""
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
    """The sum of wide points, at least one."""
    total: bytes | None = keys.pubkey_sum(wides, compressed=False)
    return total


def times_base(k: int) -> bytes:
    """The base point k times, wide; `k` from 1 to Q-1 may be secret."""
    return keys.pubkey_from_prvkey(k, compressed=False)


def times_secret(wide: bytes, k: int) -> bytes:
    """A wide point k times, wide; `k` from 1 to Q-1 and the result may be secret."""
    # ECDH is the library's one multiplication of any point in constant time.
    return ecdh.shared_point(wide, k, compressed=False)


def multiply_sum(wides: Sequence[bytes], factors: Sequence[int]) -> bytes | None:
    """The sum of factor, 1 to Q-1, times wide point; None for none of them, too."""
    if len(wides) >= _BUCKETS_PAY:
        return sum_in_buckets(wides, factors)
    if not wides:
        return None
    total: bytes | None = keys.pubkey_tweak_mul_sum(wides, factors, compressed=False)
    return total


def swift_decode(octets: bytes) -> bytes:
    """The point of 64 octets by SwiftEC decoding (BIP 324), in 33; any 64 are one."""
    return ellswift.decode(octets)
