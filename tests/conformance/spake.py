"""The join code of peer.md 5 in plain integers: both sides of SPAKE2.

It is written from the page. Its running time depends on secrets, so it is for tests only.
"""

import hashlib
import hmac
import secrets

from tests.conformance.edwards import BASE, NEUTRAL, L, P, add, encode, mul, with_y


def hkdf(secret, salt, info, size):
    """Return `size` octets of HKDF with SHA-256 (RFC 5869)."""
    key = hmac.digest(salt or bytes(32), secret, "sha256")
    found, block = b"", b""
    while len(found) < size:
        block = hmac.digest(key, block + info + bytes([len(found) // 32 + 1]), "sha256")
        found += block
    return found[:size]


def decode(octets):
    """Return the point of 32 octets; raise ValueError if it is neutral or not in the group."""
    number = int.from_bytes(octets, "little")
    y, odd = number % 2**255, number >> 255
    point = with_y(y, odd) if y < P else None
    if point in (None, NEUTRAL) or mul(L, point) != NEUTRAL:
        raise ValueError("no point of the group")
    return point


def blind(name):
    """Return M or N: 8 times the first suitable point, searching up from a hash of the name."""
    y = int.from_bytes(hkdf(name, b"", b"SPAKE2 arbitrary element", 48), "big") % P
    while True:
        point = with_y(y, 0)
        if point is not None and mul(8, point) != NEUTRAL:
            return mul(8, point)
        y = (y + 1) % P


M, N = blind(b"M"), blind(b"N")


class Run:
    """One run of SPAKE2 on side "A" or "B".

    Send `message`, and call `key` with the other side's message to get the key K.
    """

    def __init__(self, side, code, id_client, id_server, secret=None):
        self.code, self.ids = code, (id_client, id_server)
        self.sides, (mine, self.theirs) = (b"A", b"B"), (M, N)
        if side == "B":
            self.sides, mine, self.theirs = (b"B", b"A"), N, M
        self.password = int.from_bytes(hkdf(code, b"", b"SPAKE2 pw", 48), "big") % L
        self.secret = secrets.randbelow(L) if secret is None else secret
        self.sent = encode(add(mul(self.secret, BASE), mul(self.password, mine)))

    @property
    def message(self):
        """The message to send to the other side: 33 octets."""
        return self.sides[0] + self.sent

    def shared(self, answer):
        """Return the octets of the shared point, given the other side's message.

        Raise ValueError if the message is invalid.
        """
        letter, said = answer[:1], answer[1:]
        if len(answer) != 33 or letter != self.sides[1] or said == self.sent:
            raise ValueError("not a message of the other side")
        blinded = add(decode(said), mul(L - self.password, self.theirs))
        return encode(mul(self.secret, blinded))

    def key(self, answer):
        """Return K from the other side's message; raise ValueError if the message is invalid."""
        shared, said = self.shared(answer), answer[1:]
        both = (self.sent, said) if self.sides[0] == b"A" else (said, self.sent)
        parts = [hashlib.sha256(each).digest() for each in (self.code, *self.ids)]
        return hashlib.sha256(b"".join((*parts, *both, shared))).digest()
