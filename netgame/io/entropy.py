"""Randomness from the operating system; no other module asks the system for any.

Code that needs randomness gets an `Entropy` or a function that chooses; these functions are the
default.
"""

import secrets


def fresh_octets(count: int) -> bytes:
    """Return `count` random octets that nobody can guess."""
    return secrets.token_bytes(count)


def chosen_below(count: int) -> int:
    """Return a random number from 0 to `count` - 1, each equally likely."""
    return secrets.randbelow(count)


def jittered(pause_s: float) -> float:
    """Return a random time from half of `pause_s` up to `pause_s`, so that retries spread out."""
    return pause_s * (0.5 + secrets.randbelow(1 << 20) / (1 << 21))
