"""The group: secp256k1, its points and scalars, and their encodings.

    G     the base point          O     the point at infinity, `None`: computed, never received
    Q     its order, a prime      P, R  points          k     a scalar, modulo Q

The curve has prime order and cofactor 1, so a point that decodes is in the group. Outside this
module points are always the 33 octets of the SEC 1 compressed form. Opening that form costs a
square root, so this module caches the 65-octet form of points already seen. It does not cache
points that only one seat knows: a token of its own tile, or the tile that it opens. Octets from
other peers are passed to the library unchecked, and the library checks them.

`netgame.crypto.curve` does the arithmetic on points. The time of a sum of public multiplications
depends on its input, so nothing secret may go into one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha512
from typing import Final, TypeAlias, Union

from netgame.crypto import curve
from netgame.errors import LocalMisuse, Malformed
from netgame.limits import POINTS_REMEMBERED_MAX

Point: TypeAlias = bytes
"""A point other than O: 33 octets, the first 02 or 03."""
Element: TypeAlias = Point | None
"""A point or O."""
Encodable: TypeAlias = Union[int, Element, Iterable["Encodable"]]  # noqa: UP007 (recursive)
"""Anything that can be encoded in sequence: a scalar, a point or other octets, or an iterable of
these."""
Entropy: TypeAlias = Callable[[int], bytes]
"""Called with n, returns n octets: random ones from the system in play, fixed ones in simulations
and test vectors."""

Q: Final = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141
"""Order of the group (SEC 2, section 2.4.1)."""
_FIELD: Final = 2**256 - 2**32 - 977
POINT_BYTES: Final = 33
SCALAR_BYTES: Final = 32
SHORT_BYTES: Final = 16
"""The octets of a number below 2^128: a challenge or a factor that need not fill a scalar."""

_remembered: dict[Point, bytes] = {}


def _wide(point: Point, *, secret: bool = False) -> bytes:
    """Return the 65-octet form of a point; ValueError if the octets are not a point.

    If neither the point nor its inverse is cached, the point is opened and, unless `secret`,
    cached.
    """
    wide = _remembered.get(point)
    if wide is None:
        # A point and its inverse have one x, and their y add up to the field's prime.
        inverse = _remembered.get(_inverse(point))
        if inverse is not None:
            return inverse[:33] + (_FIELD - int.from_bytes(inverse[33:], "big")).to_bytes(32, "big")
        (wide,) = curve.widen((point,))
        if not secret:
            _remember(point, wide)
    return wide


def _inverse(point: Point) -> Point:
    """Return the point with the same x and the other y."""
    return (b"\x03" if point[0] == 2 else b"\x02") + point[1:]


def _remember(point: Point, wide: bytes) -> None:
    if len(_remembered) >= POINTS_REMEMBERED_MAX:
        forget_points()
    _remembered[point] = wide


def forget_points() -> None:
    """Empty the cache of points; this changes only how long the next use of a point takes."""
    _remembered.clear()


def _narrow(wide: bytes) -> Point:
    return (b"\x03" if wide[64] & 1 else b"\x02") + wide[1:33]


def _kept(wide: bytes | None) -> Element:
    """Cache a public result and return it as 33 octets, or None for None."""
    if wide is None:
        return None
    point = _narrow(wide)
    _remember(point, wide)
    return point


def require_point(element: Element) -> Point:
    """Return `element` unchanged if it is a point; LocalMisuse if it is O."""
    if element is None:
        raise LocalMisuse("the point at infinity has no octets")
    return element


def neg(element: Element) -> Element:
    """Return the inverse; O for O."""
    return None if element is None else _inverse(element)


def add(*elements: Element) -> Element:
    """Return the sum of public elements, O if there are none; cache them and the sum."""
    wides = [_wide(element) for element in elements if element is not None]
    return _kept(curve.add_up(wides)) if wides else None


def sub(P: Element, R: Element) -> Element:
    """Return P - R; neither R nor the result is cached, because both may be secret."""
    wides = [] if P is None else [_wide(P)]
    if R is not None:
        wides.append(_wide(_inverse(R), secret=True))
    wide = curve.add_up(wides) if wides else None
    return None if wide is None else _narrow(wide)


def mul_base(k: int) -> Element:
    """Return kG (O for 0 modulo Q) in constant time: `k` may be secret. The result is cached."""
    k %= Q
    return _kept(curve.times_base(k)) if k else None


def base_point(k: int) -> Point:
    """Return kG, computed in constant time, and cache it; LocalMisuse if `k` is 0 modulo Q."""
    return require_point(mul_base(k))


def is_answer(s: int, c: int, T: Point, X: Point) -> bool:
    """Return True if sG = T + cX: `s` is the right answer to the challenge `c` for the key X.

    All arguments must be public.
    """
    return mul_base(s) == multi_mul((1, c), (T, X))


def mul(k: int, P: Element) -> Element:
    """Return kP, which may be O, in variable time, and cache it; `k` and P must be public."""
    return multi_mul((k,), (P,))


def mul_secret(k: int, P: Element) -> Point:
    """Return kP in constant time; LocalMisuse if it is O. `k` and kP may be secret."""
    k %= Q
    return require_point(_narrow(curve.times_secret(_wide(P), k)) if k and P is not None else None)


def multi_mul(scalars: Sequence[int], elements: Sequence[Element], fixed: int = 0) -> Element:
    """Multiply each element by its scalar and return the sum: everything must be public.

    Takes variable time. O for no elements; ValueError for unequal lengths. The last `fixed`
    elements must be points of labels, which are used again and again: from 16 of them on, their
    multiples are cached.
    """
    if fixed < _FIXED_PAY:
        return _kept(curve.multiply_sum(*terms(scalars, elements)))
    of_labels = curve.sum_of_fixed(
        map(require_point, elements[-fixed:]), [k % Q for k in scalars[-fixed:]]
    )
    return add(multi_mul(scalars[:-fixed], elements[:-fixed]), _kept(of_labels))


def terms(scalars: Iterable[int], elements: Iterable[Element]) -> tuple[list[bytes], list[int]]:
    """Return points of 65 octets and their factors modulo Q; leave out factors 0 and points O.

    ValueError for unequal lengths.
    """
    pairs = ((element, k % Q) for k, element in zip(scalars, elements, strict=True))
    kept = [(_wide(element), k) for element, k in pairs if k and element is not None]
    return [wide for wide, _ in kept], [k for _, k in kept]


def secret_multi_mul(
    k: int, scalars: Sequence[int], elements: Sequence[Element], plus: Element = None
) -> Point:
    """Return kG + sum(scalar * element) + plus, in constant time for k and the scalars.

    The result is cached, so it must be about to be published; LocalMisuse if it is O. `plus` is not
    cached. ValueError for unequal lengths.
    """
    wides = [] if plus is None else [_wide(plus, secret=True)]
    if k % Q:
        wides.append(curve.times_base(k % Q))
    for scalar, element in zip(scalars, elements, strict=True):
        factor = scalar % Q
        if factor and element is not None:
            wides.append(curve.times_secret(_wide(element), factor))
    return require_point(_kept(curve.add_up(wides)) if wides else None)


@cache
def hash_to_group(label: str) -> Point:
    """Return the point of a fixed ASCII label; nobody knows the discrete logarithm of that point.

    SwiftEC decoding (BIP 324, Chavez-Saab et al. 2022) of SHA-512("boneyard/v1/" || label).
    """
    return curve.swift_decode(sha512(b"boneyard/v1/" + label.encode("ascii")).digest())


G: Final[Point] = _narrow(curve.times_base(1))
"""The base point."""
_FIXED_PAY: Final = 16


def encode(*parts: Encodable) -> bytes:
    """Return the octets of all parts, one after the other: 32 for a scalar, 33 for a point.

    Other octets are copied. LocalMisuse for O, which is never sent. A scalar need not be below Q:
    OverflowError is raised only for one below 0 or above 2^256 - 1.
    """
    return b"".join(map(_encoded, parts))


def _encoded(part: Encodable) -> bytes:
    if isinstance(part, int):
        return part.to_bytes(SCALAR_BYTES, "big")
    if part is None or isinstance(part, bytes):
        return require_point(part)
    return encode(*part)


def decode(
    octets: bytes, what: str, points: int, scalars: int = 0, *, between: int = 0
) -> tuple[tuple[Point, ...], bytes, tuple[int, ...]]:
    """Decode exactly `points` points, `between` octets of any value, and `scalars` scalars.

    Return the three of them in this order. Malformed for any other length (`what` names the octets
    in its text), and for octets that are not a point or a scalar. Points are cached. The library
    accepts only 02 and 03 as the first of 33 octets; `test_group` checks that.
    """
    end = points * POINT_BYTES + between
    if len(octets) != end + scalars * SCALAR_BYTES:
        raise Malformed(f"{what} must be {end + scalars * SCALAR_BYTES} octets")
    start = end - between
    return (
        _decoded(tuple(split(octets[:start], POINT_BYTES))),
        octets[start:end],
        tuple(map(decode_scalar, split(octets[end:], SCALAR_BYTES))),
    )


def decode_points(octets: bytes, count: int) -> tuple[Point, ...]:
    """Decode exactly `count` points; Malformed for any other octets."""
    return decode(octets, f"{count} points", count)[0]


def _decoded(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return `points`, after caching those that are new; Malformed if one is not a point."""
    new = [point for point in points if point not in _remembered]
    try:
        opened = curve.widen(new)
    except ValueError:
        raise Malformed("these 33 octets are no point of the curve") from None
    for point, wide in zip(new, opened, strict=True):
        _remember(point, wide)
    return points


def split(octets: bytes, size: int) -> Iterator[bytes]:
    """Return the octets in pieces of `size`; the last may be shorter. No octets make no pieces."""
    return (octets[at : at + size] for at in range(0, len(octets), size))


def decode_scalar(octets: bytes) -> int:
    """Decode a scalar in 0..Q-1, 32 octets, big-endian; else Malformed."""
    if len(octets) != SCALAR_BYTES:
        raise Malformed("a scalar must be 32 octets")
    k = int.from_bytes(octets, "big")
    if k >= Q:
        raise Malformed("a scalar must be below the order of the group")
    return k


def random_scalar(entropy: Entropy) -> int:
    """Draw a scalar in 1..Q-1, uniformly: 32 octets at a time until they fit."""
    while True:
        k = int.from_bytes(entropy(SCALAR_BYTES), "big")
        if 0 < k < Q:
            return k


def dot(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the sum of the products, not reduced modulo Q; ValueError for unequal lengths."""
    return sum(a * b for a, b in zip(left, right, strict=True))


def batch_factors(entropy: Entropy, count: int) -> list[int]:
    """Draw `count` factors for a batch check, each uniform below 2^128.

    `entropy` must be secret and fresh: anybody who can predict the factors can make false proofs
    pass the check.
    """
    drawn = split(entropy(SHORT_BYTES * count), SHORT_BYTES)
    return [int.from_bytes(octets, "big") for octets in drawn]
