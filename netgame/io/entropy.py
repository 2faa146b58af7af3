"""Chance, as this computer's system gives it: nowhere else is it taken.

Whoever needs some is given it, as `Entropy` or as what chooses, and by default gets this.
"""

import secrets


def fresh_octets(count: int) -> bytes:
    """This many octets that nobody can guess."""
    return secrets.token_bytes(count)


def chosen_below(count: int) -> int:
    """A number from 0 on and below `count`, all equally likely."""
    return secrets.randbelow(count)


def jittered(pause_s: float) -> float:
    """Half a pause to all of it, so that not everybody who waits comes back at once."""
    return pause_s * (0.5 + secrets.randbelow(1 << 20) / (1 << 21))
