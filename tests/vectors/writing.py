"""How vectors are written: hex, the one seed, and what a refused vector says."""

from tests.netgame.crypto import oracle
from tests.netgame.crypto.oracle import hashed, octets

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


def scalars(values):
    """Give scalars as octets, however small they are."""
    return [octets(value) for value in values]


def changed(octets_, at, flip=1):
    """Give the octets with one of them turned over."""
    return octets_[:at] + bytes([octets_[at] ^ flip]) + octets_[at + 1 :]


def joined(value):
    """Give the octets of points, one after the other; None if one is O, which has none."""
    if isinstance(value, (list, tuple)):
        parts = [joined(each) for each in value]
        return None if None in parts else b"".join(parts)
    return value


def refused(case, why, name, **change):
    """Give a refused vector: what differs from the accepted one, and the class of its failure.

    What stands in octets, too, differs there as well.
    """
    twins = {f"{key}_octets": key for key in change if f"{key}_octets" in case}
    change |= {twin: joined(change[key]) for twin, key in twins.items()}
    return {"name": name, "class": why, "like": case["name"], "change": change}
