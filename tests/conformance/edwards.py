"""The Ed25519 curve by its textbook formulas (RFC 8032, 5.1), for edge-case keys and signatures.

It is slow, and not for secrets. A point is a pair of coordinates, and its encoding has 32 octets.
"""

from hashlib import sha512

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""The y of a point of order 8."""
NEUTRAL = (0, 1)


def add(a, b):
    """Return the sum of two points."""
    (x1, y1), (x2, y2) = a, b
    f = D * x1 * x2 * y1 * y2
    x3 = (x1 * y2 + x2 * y1) * pow(1 + f, -1, P)
    y3 = (y1 * y2 + x1 * x2) * pow(1 - f, -1, P)
    return x3 % P, y3 % P


def mul(k, a):
    """Return k times a point."""
    total = NEUTRAL
    for bit in bin(k)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, a)
    return total


def with_y(y, odd):
    """Return the point with this y and an x of this parity, or None if no such point exists."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or (x == 0 and odd):
        return None
    return (x if x % 2 == odd else P - x), y


def encode(a):
    """Return the 32 octets of a point."""
    x, y = a
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = with_y(4 * pow(5, -1, P) % P, 0)


def challenge(R, A, message):
    """Return k: SHA-512(R || A || message) mod L."""
    return int.from_bytes(sha512(R + A + message).digest(), "little") % L


def answer(r, k, a):
    """Return the 32 octets of S = r + k a."""
    return ((r + k * a) % L).to_bytes(32, "little")


def plus_order(signature):
    """Return the signature with L added to S: it satisfies the equation, but is not canonical."""
    large = int.from_bytes(signature[32:], "little") + L
    return signature[:32] + large.to_bytes(32, "little")
