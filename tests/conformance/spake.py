"""The join code of peer.md 3.6 in plain integers: either side of SPAKE2.

Written from the page. Nothing here hides how long it takes, so it is for tests alone.
"""

import hashlib
import hmac
import secrets

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE_Y = 4 * pow(5, -1, P) % P
ZERO = (0, 1)


def hkdf(secret, salt, info, size):
    """HKDF with SHA-256 (RFC 5869)."""
    key = hmac.digest(salt or bytes(32), secret, "sha256")
    found, block = b"", b""
    while len(found) < size:
        block = hmac.digest(key, block + info + bytes([len(found) // 32 + 1]), "sha256")
        found += block
    return found[:size]


def add(one, other):
    """The sum of two points of the curve -x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032)."""
    (x1, y1), (x2, y2) = one, other
    both = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + both, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - both, -1, P)
    return x % P, y % P


def times(count, point):
    """A multiple of a point, count from 0."""
    found = ZERO
    while count:
        if count & 1:
            found = add(found, point)
        point, count = add(point, point), count >> 1
    return found


def x_of(y, odd):
    """Give the x of a point with this y, or None if there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or (x == 0 and odd):
        return None
    return P - x if x % 2 != odd else x


def encode(point):
    """The 32 octets of a point (RFC 8032)."""
    x, y = point
    return (y | (x % 2) << 255).to_bytes(32, "little")


def decode(octets):
    """The point of 32 octets; ValueError if there is none, or it is not in the group of order L."""
    number = int.from_bytes(octets, "little")
    y, odd = number % 2**255, number >> 255
    x = x_of(y, odd) if y < P else None
    if x is None or (x, y) == ZERO or times(L, (x, y)) != ZERO:
        raise ValueError("no point of the group")
    return x, y


def blind(name):
    """M or N: the first point of the group at or after a hash of its name."""
    y = int.from_bytes(hkdf(name, b"", b"SPAKE2 arbitrary element", 48), "big") % P
    while True:
        x = x_of(y, 0)
        if x is not None and times(8, (x, y)) != ZERO:
            return times(8, (x, y))
        y = (y + 1) % P


BASE = (x_of(BASE_Y, 0), BASE_Y)
M, N = blind(b"M"), blind(b"N")


class Run:
    """One run of one side, "A" or "B": `message` goes out, `key` takes the other's and gives K."""

    def __init__(self, side, code, id_client, id_server, secret=None):
        self.code, self.ids = code, (id_client, id_server)
        self.sides, (mine, self.theirs) = (b"A", b"B"), (M, N)
        if side == "B":
            self.sides, mine, self.theirs = (b"B", b"A"), N, M
        self.password = int.from_bytes(hkdf(code, b"", b"SPAKE2 pw", 48), "big") % L
        self.secret = secrets.randbelow(L) if secret is None else secret
        self.sent = encode(add(times(self.secret, BASE), times(self.password, mine)))

    @property
    def message(self):
        """Our own 33 octets."""
        return self.sides[0] + self.sent

    def key(self, answer):
        """Give K for the other's message; ValueError if it is none."""
        letter, said = answer[:1], answer[1:]
        if len(answer) != 33 or letter != self.sides[1] or said == self.sent:
            raise ValueError("not a message of the other side")
        blinded = add(decode(said), times(L - self.password, self.theirs))
        shared = encode(times(self.secret, blinded))
        both = (self.sent, said) if letter == b"B" else (said, self.sent)
        parts = [hashlib.sha256(each).digest() for each in (self.code, *self.ids)]
        return hashlib.sha256(b"".join((*parts, *both, shared))).digest()
