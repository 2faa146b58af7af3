"""The form of vectors: their common seed, values in hex, and the fields of refused vectors."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import Q, hashed, octets

SEED = bytes(range(32))
CTX = hashed("vector", "ctx")
OTHER_CTX = hashed("vector", "other")


def stream(label):
    """Return the source of a vector's fixed entropy: expand(SEED, label)."""
    return oracle.expand(SEED, label)


def text(value):
    """Return a value for JSON: octets and scalars in hex, O as null, small numbers as they are."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: text(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [text(member) for member in value]
    if isinstance(value, int) and not isinstance(value, bool) and value >= 2**32:
        return octets(value).hex()
    return value


def put(octets_, at, others):
    """Return the octets with `others` written over them at `at`, which may be negative."""
    at %= len(octets_)
    return octets_[:at] + others + octets_[at + len(others) :]


def changed(octets_, at):
    """Return the octets with the lowest bit of the one at `at` flipped."""
    return put(octets_, at, bytes([octets_[at] ^ 1]))


def joined(value):
    """Return points, scalars and octets joined; None if one is O, which has no octets."""
    if isinstance(value, int):
        return octets(value)
    if isinstance(value, (list, tuple)):
        parts = [joined(each) for each in value]
        return None if None in parts else b"".join(parts)
    return value


def sent(values, *names):
    """Return the octets of the named values joined in this order; None if one contains O."""
    return joined([values[name] for name in names])


# ---- refused vectors --------------------------------------------------------------------------

NO_POINT, NO_SCALAR = bytes(33), Q.to_bytes(32, "big")


def refused(case, why, changes):
    """Return the vectors of one class of failure, each with its change to the accepted vector.

    A change is a dictionary of fields, or other octets. If a changed field has a twin named
    `…_octets`, the twin changes too.
    """
    return [_refused(case, why, name, change) for name, change in changes.items()]


def _refused(case, why, name, change):
    change = {"octets": change} if isinstance(change, bytes) else change
    twins = {f"{key}_octets": key for key in change if f"{key}_octets" in case}
    change |= {twin: joined(change[key]) for twin, key in twins.items()}
    return {"name": name, "class": why, "like": case["name"], "change": change}


def malformed(case, parts, more=b"\0", named="one octet too many"):
    """Return vectors of octets too short and too long, and of octets that do not decode.

    `parts` gives places and their new octets by name: non-points first, and one non-scalar last.
    `more` is added to the octets that are too long, and `named` is that vector's name; without
    `more` it is left out.
    """
    octets_ = case["octets"]
    sizes = {"one octet short": octets_[:-1]} | ({named: octets_ + more} if more else {})
    spoilt = {name: put(octets_, *part) for name, part in parts.items()}
    scalar = [spoilt.popitem()]
    return [
        *refused(case, "length", sizes),
        *refused(case, "point", spoilt),
        *refused(case, "scalar", dict(scalar)),
    ]


def flipped(case, why, places):
    """Return vectors with one bit of the octets flipped at each place, by name."""
    return refused(case, why, {name: changed(case["octets"], at) for name, at in places.items()})
