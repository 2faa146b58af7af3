"""Results of the curve and the ciphers for good and bad inputs; every platform must agree."""

from hashlib import sha512

from netgame.crypto import ciphers, curve
from netgame.crypto.group import Q

FIELD = 2**256 - 2**32 - 977
"""The prime of secp256k1."""
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point of Ed25519."""
IDENTITY, ORDER_2 = (1).to_bytes(32, "little"), (2**255 - 20).to_bytes(32, "little")
ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")


def drawn(label, count, size=32):
    """Return `count` pieces of octets that look random but are the same each time."""
    return [sha512(f"{label} {at}".encode()).digest()[:size] for at in range(count)]


def tried(call, *given):
    """Return a call's result, with octets in hex, or "ValueError" if it refuses its input."""
    try:
        result = call(*given)
    except ValueError:
        return "ValueError"
    if isinstance(result, list):
        return [each.hex() for each in result]
    return result.hex() if isinstance(result, bytes) else result


def curves():
    """Yield results of the curve's functions, also for octets that are not points."""
    factors = [int.from_bytes(each, "big") % Q for each in drawn("factor", 420)]
    wides = [curve.times_base(k) for k in factors]
    points = [bytes([2 + (wide[64] & 1)]) + wide[1:33] for wide in wides]
    turned = [
        wide[:33] + (FIELD - int.from_bytes(wide[33:], "big")).to_bytes(32, "big")
        for wide in wides[:3]
    ]
    yield tried(curve.widen, points[:50])
    yield tried(curve.widen, [])
    for bad in (b"\x02" + b"\xff" * 32, b"\x02" + bytes(32), b"\x05" + points[0][1:], b"\x02"):
        yield tried(curve.widen, [points[0], bad])
    yield from (tried(curve.add_up, wides[:count]) for count in (1, 2, 3, 300))
    yield from (
        tried(curve.add_up, [wide, other]) for wide, other in zip(wides, turned, strict=False)
    )
    yield from (tried(curve.times_secret, wides[0], k) for k in (1, 2, Q - 1, factors[7]))
    yield from (tried(curve.multiply_sum, wides[:n], factors[:n]) for n in (0, 1, 2, 7, 90, 420))
    yield tried(curve.multiply_sum, wides[:2], [1, Q - 1])
    yield tried(curve.multiply_sum, [wides[0], turned[0]], [5, 5])
    yield tried(curve.multiply_sum, [wides[0], wides[0]], [5, Q - 5])
    yield tried(curve.sum_of_fixed, points[:40], [0, *factors[:39]])
    yield tried(curve.sum_of_fixed, points[:2], [0, 0])
    yield from (tried(curve.swift_decode, each) for each in drawn("swift", 20, 64))
    yield from (tried(curve.swift_decode, each) for each in (bytes(64), b"\xff" * 64))


def signatures():
    """Yield a key, its signatures, and verdicts on valid and invalid signatures.

    Peers whose verdicts differed would split the log.
    """
    key = ciphers.SignatureKey(drawn("seed", 1)[0])
    yield key.public.hex()
    for data in (b"", b"5-8", drawn("data", 1, 64)[0] * 40):
        signature = key.sign(data)
        yield signature.hex()
        r, s = signature[:32], int.from_bytes(signature[32:], "little")
        high = r + (s + L).to_bytes(32, "little")
        for each in (signature, high, signature[:63], r[::-1] + signature[32:], bytes(64)):
            yield tried(ciphers.is_signed, key.public, data, each)
        yield tried(ciphers.is_signed, key.public, data + b"!", signature)
        yield tried(ciphers.is_signed, key.public[:31], data, signature)
    # the owner of the secret can make s fit an R of small order, so that the equation holds
    scalar = int.from_bytes(sha512(drawn("seed", 1)[0]).digest()[:32], "little")
    scalar = (scalar & (2**254 - 8)) | 2**254
    for small in (IDENTITY, ORDER_2, ORDER_8):
        for at in range(16):
            data = b"%d" % at
            h = int.from_bytes(sha512(small + key.public + data).digest(), "little")
            made = small + (h * scalar % L).to_bytes(32, "little")
            yield tried(ciphers.is_signed, key.public, data, made)
    for odd in (IDENTITY, ORDER_2, ORDER_8, (2**255 - 19).to_bytes(32, "little"), b"\xff" * 32):
        yield tried(ciphers.is_signed, odd, b"x", IDENTITY + bytes(32))
        yield tried(ciphers.is_signed, odd, b"x", odd + bytes(32))


def channels():
    """Yield results of X25519, also with degenerate keys, and of opening good and bad messages."""
    one, other = map(ciphers.AgreementKey, drawn("agreement", 2))
    yield from (one.public.hex(), tried(one.agree, other.public), tried(other.agree, one.public))
    for bad in (bytes(32), IDENTITY, ORDER_8, b"\xff" * 32, b"short"):
        yield tried(one.agree, bad)
    sealer, nonce = ciphers.Sealer(drawn("key", 1)[0]), drawn("nonce", 1, 12)[0]
    for plaintext in (b"", b"9-4", drawn("text", 1, 64)[0] * 900):
        for bound in (b"", b"bound"):
            sealed = sealer.seal(nonce, plaintext, bound)
            yield sealed.hex()
            yield tried(sealer.open, nonce, sealed, bound)
            yield tried(sealer.open, nonce, sealed, bound + b"!")
            yield tried(sealer.open, nonce, sealed[:-1], bound)
            yield tried(sealer.open, nonce, bytes([sealed[0] ^ 1]) + sealed[1:], bound)
    yield tried(sealer.open, nonce, b"short", b"")


def outcomes():
    """Return all results in three lists, by the name of the function that yields them."""
    return {each.__name__: [*each()] for each in (curves, signatures, channels)}
