"""Sums of many public multiplications by Pippenger's method, over the binding's additions.

A factor is 33 signed digits of 8 bits, or 44 of 6. All points with the digit d, and the
inverses of those with the digit -d, go into bucket d and are added in one call. The sum of a bucket
is also added to all smaller buckets, so that in the end the sum of bucket d counts d times.

Points here have the library's own form: 64 octets that it has made itself. Those of a bucket are
first joined into one string: reading them scattered over memory took as long as adding them. The
time of everything here depends on its input, so nothing secret may pass through.
"""

from binascii import b2a_base64
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Final

from btclib_secp256k1 import CData, ffi, keys, lib
from btclib_secp256k1.context import ctx

_LONG_DIGITS_PAY: Final = 3_500
_AT_ONCE: Final = 256
"""The number of points added in one call: more than a bucket of the largest sum has."""
_CHUNKS: Final = 11
"""The number of parts, of four digits each, into which the factor of a fixed point is split."""
_BASE64: Final = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", bytes(range(64))
)


def open_into(point: CData, octets: bytes) -> None:
    """Decode a point of 33 or 65 octets into `point`; ValueError if it is not one."""
    if not lib.secp256k1_ec_pubkey_parse(ctx, point, octets, len(octets)):
        raise ValueError("these octets are no point of the curve")


def sum_in_buckets(wides: Sequence[bytes], factors: Iterable[int]) -> bytes | None:
    """Return the sum of all factors times their points, or None for O.

    The result and the points have 65 octets, and factors are 0 to Q-1. ValueError if a point does
    not decode, or for unequal lengths.
    """
    point = ffi.new("secp256k1_pubkey *")
    plus = list[bytes]()
    minus = list[bytes]()
    for wide in wides:
        open_into(point, wide)
        _hold(point, plus, minus)
    bits = 8 if len(wides) >= _LONG_DIGITS_PAY else 6
    return _sum(plus, minus, _digits(factors, bits), bits, 264 // bits)


def sum_of_fixed(points: Iterable[bytes], factors: Iterable[int]) -> bytes | None:
    """Return the same sum as `sum_in_buckets`, for points that are used again and again.

    Their multiples by 1, 2^24, 2^48 and so on are cached. Points have 33 octets here, and there is
    at least one; the result has 65, or is None for O.
    """
    plus, minus = (chain(*each) for each in zip(*map(_multiples, points), strict=True))
    return _sum([*plus], [*minus], _digits(factors, 6), 6, 44 // _CHUNKS)


@cache
def _multiples(octets: bytes) -> tuple[list[bytes], list[bytes]]:
    """Return a point's multiples by 2^240, 2^216 and so on down to 1, and their inverses."""
    point = ffi.new("secp256k1_pubkey *")
    plus = list[bytes]()
    minus = list[bytes]()
    open_into(point, octets)
    for _ in range(_CHUNKS):
        _hold(point, plus, minus)
        # `_hold` has left it negated.
        lib.secp256k1_ec_pubkey_negate(ctx, point)
        keys._pubkey_tweak_mul_(point, 1 << 264 // _CHUNKS)
    return plus[::-1], minus[::-1]


def _hold(point: CData, plus: list[bytes], minus: list[bytes]) -> None:
    """Append a point to `plus` and its inverse to `minus`; the point is left negated."""
    octets = ffi.buffer(point)
    plus.append(octets[:])
    lib.secp256k1_ec_pubkey_negate(ctx, point)
    minus.append(octets[:])


def _digits(factors: Iterable[int], bits: int) -> bytes:
    """Return the signed digits of all factors, one octet each, the highest of a factor first.

    Half of their range is added to each digit, so that none is negative.
    """
    shift = sum(1 << at for at in range(bits - 1, 264, bits))
    octets = b"".join([(factor + shift).to_bytes(33, "big") for factor in factors])
    return octets if bits == 8 else b2a_base64(octets, newline=False).translate(_BASE64)


def _sum(
    plus: list[bytes], minus: list[bytes], digits: bytes, bits: int, places: int
) -> bytes | None:
    """Return the sum, in 65 octets, of points times factors of `places` digits each; None for O.

    `minus` has the inverses of the points in `plus`. `digits` has the digits of all factors, as
    `_digits` returns them.
    """
    half = 1 << bits - 1
    point = ffi.new("secp256k1_pubkey *")
    given = ffi.new("secp256k1_pubkey[]", _AT_ONCE)
    pointers = ffi.new("secp256k1_pubkey *[]", [given + at for at in range(_AT_ONCE)])
    octets = ffi.buffer(point)

    def added(points: list[bytes]) -> list[bytes]:
        while len(points) > _AT_ONCE:
            points = added(points[:_AT_ONCE]) + points[_AT_ONCE:]
        ffi.memmove(given, b"".join(points), 64 * len(points))
        # The library refuses a sum of O.
        some = points and lib.secp256k1_ec_pubkey_combine(ctx, point, pointers, len(points))
        return [octets[:]] if some else []

    total: list[bytes] = []
    for place in range(places):
        buckets: list[list[bytes]] = [[] for _ in range(2 * half + 1)]
        for digit, one, inverse in zip(digits[place::places], plus, minus, strict=True):
            # A digit comes with `half` added to it. A 0 goes to the middle, which is never added
            # up.
            buckets[digit].append(one if digit > half else inverse)
        # Twice in the bucket that counts `half` times: this moves the sum of the higher digits up
        # by one.
        buckets[-1] += total * 2
        sums = list[bytes]()
        higher = list[bytes]()
        # Each bucket also gets the sum of all larger ones, so a bucket counts as often as its size.
        for size in range(half, 0, -1):
            higher = added(buckets[half - size] + buckets[half + size] + higher)
            sums += higher
        total = added(sums)
    # `added` leaves its last sum, `total`, in `point`.
    return keys.serialize(point, compressed=False) if total else None
