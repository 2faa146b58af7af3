"""Randomness from this computer's system: no other module takes any.

Code that needs randomness gets an `Entropy` or a function that chooses; these functions are the
default.
"""

import secrets


def fresh_octets(count: int) -> bytes:
    """Return `count` octets that nobody can guess."""
    return secrets.token_bytes(count)


def chosen_below(count: int) -> int:
    """Return a number from 0 to `count` - 1, all equally likely."""
    return secrets.randbelow(count)


def jittered(pause_s: float) -> float:
    """Return a random time from half of `pause_s` to all of it, so that not all retry at once."""
    return pause_s * (0.5 + secrets.randbelow(1 << 20) / (1 << 21))
