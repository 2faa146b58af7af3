"""secp256k1 in plain integers (SEC 1, section 2.2.1; Jacobian coordinates).

The oracle uses it if `coincurve` cannot be installed, as on CPython 3.14. It is a hundred times
slower and not constant-time, so it is only for tests.
"""

P = 2**256 - 2**32 - 977
O = (1, 1, 0)  # noqa: E741 - as the page calls it
"""The point at infinity; points are (X, Y, Z) with x = X / Z^2 and y = Y / Z^3."""


def decode(octets):
    """Return the point of 33 octets; raise ValueError for anything else."""
    x = int.from_bytes(octets[1:], "big")
    if len(octets) != 33 or octets[0] not in (2, 3) or x >= P:
        raise ValueError("not a compressed point")
    square = (x**3 + 7) % P
    y = pow(square, (P + 1) // 4, P)
    if y * y % P != square:
        raise ValueError("no point has that x")
    return x, y if y % 2 == octets[0] % 2 else P - y, 1


def encode(point):
    """Return the 33 octets of a point, or None for O."""
    X, Y, Z = point
    if Z == 0:
        return None
    inverse = pow(Z, -1, P)
    x, y = X * inverse**2 % P, Y * inverse**3 % P
    return bytes([2 + y % 2]) + x.to_bytes(32, "big")


def double(point):
    """Return a point added to itself."""
    X, Y, Z = point
    YY = Y * Y % P
    S, M = 4 * X * YY % P, 3 * X * X % P
    X2 = (M * M - 2 * S) % P
    return X2, (M * (S - X2) - 8 * YY * YY) % P, 2 * Y * Z % P


def add(one, other):
    """Return the sum of two points, which may be equal or O."""
    (X1, Y1, Z1), (X2, Y2, Z2) = one, other
    if Z1 == 0 or Z2 == 0:
        return one if Z2 == 0 else other
    A, B = Z1 * Z1 % P, Z2 * Z2 % P
    U1, U2, S1, S2 = X1 * B % P, X2 * A % P, Y1 * Z2 * B % P, Y2 * Z1 * A % P
    if U1 == U2:
        return double(one) if S1 == S2 else O
    H, R = U2 - U1, S2 - S1
    HH = H * H % P
    HHH, V = H * HH % P, U1 * HH % P
    X3 = (R * R - HHH - 2 * V) % P
    return X3, (R * (V - X3) - S1 * HHH) % P, H * Z1 * Z2 % P


def multiply(k, point):
    """Return k times a point, for k >= 0, four bits at a time."""
    table = [O]
    for _ in range(15):
        table.append(add(table[-1], point))
    total = O
    for digit in f"{k:x}":
        for _ in range(4):
            total = double(total)
        total = add(total, table[int(digit, 16)])
    return total
