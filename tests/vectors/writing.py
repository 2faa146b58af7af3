"""How vectors are written: hex, the one seed, and what a refused vector says."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import Q, hashed, octets

SEED = bytes(range(32))
CTX = hashed("vector", "ctx")
OTHER_CTX = hashed("vector", "other")


def stream(label):
    """Give the fixed entropy of a vector: expand(SEED, label)."""
    return oracle.expand(SEED, label)


def text(value):
    """Give a value as JSON holds it: octets and scalars in hex, O as null, small numbers bare."""
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
    """Give the octets with others in their place from `at` on, counted from the end below 0."""
    at %= len(octets_)
    return octets_[:at] + others + octets_[at + len(others) :]


def changed(octets_, at):
    """Give the octets with the lowest bit of one of them turned over."""
    return put(octets_, at, bytes([octets_[at] ^ 1]))


def joined(value):
    """Give points, scalars and octets one after the other; None if one is O, which has none."""
    if isinstance(value, int):
        return octets(value)
    if isinstance(value, (list, tuple)):
        parts = [joined(each) for each in value]
        return None if None in parts else b"".join(parts)
    return value


def sent(values, *names):
    """Give the octets of these values, as they go over the wire."""
    return joined([values[name] for name in names])


# ---- refused vectors --------------------------------------------------------------------------

NO_POINT, NO_SCALAR = bytes(33), Q.to_bytes(32, "big")


def refused(case, why, changes):
    """Give vectors of a class of failure: what differs from the accepted one, by name.

    That are fields, or other octets. What stands in octets, too, differs there as well.
    """
    return [_refused(case, why, name, change) for name, change in changes.items()]


def _refused(case, why, name, change):
    change = {"octets": change} if isinstance(change, bytes) else change
    twins = {f"{key}_octets": key for key in change if f"{key}_octets" in case}
    change |= {twin: joined(change[key]) for twin, key in twins.items()}
    return {"name": name, "class": why, "like": case["name"], "change": change}


def malformed(case, parts, more=b"\0", named="one octet too many"):
    """Give octets too short and too long, and some with other `parts`, which do not decode.

    Parts are a place and what stands there, by name: no points, and as the last one no scalar.
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
    """Give octets with a bit turned over at some place, by name."""
    return refused(case, why, {name: changed(case["octets"], at) for name, at in places.items()})
