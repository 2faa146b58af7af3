"""Octets from a seed: what a restart derives again, and what vectors and `--seed` play with.

A table secret of 32 octets and the place in the log give every round secret, so a process that died
between writing an entry and sending it finds the same permutation again and never makes a second
one for the same input.
"""

from hashlib import sha512
from itertools import count
from typing import Final

from netgame.crypto.group import Entropy
from netgame.crypto.transcript import TAG_EXPAND, Part, encode_parts
from netgame.errors import LocalMisuse

SEED_BYTES: Final = 32


def expand(seed: bytes, label: str, *parts: Part) -> Entropy:
    """Give the stream H("expand", seed, label, parts, counter), counter = 0, 1, 2, ...

    Equal arguments give equal streams, so `parts` must hold whatever distinguishes two uses: for a
    permutation the context and the digest of the input deck (protocol.md 5.5).
    """
    if len(seed) != SEED_BYTES:
        raise LocalMisuse("a seed is 32 octets")
    common = sha512(encode_parts(TAG_EXPAND, seed, label, parts))
    counter, spare = count(), b""

    def draw(size: int) -> bytes:
        nonlocal spare
        while len(spare) < size:
            block = common.copy()
            block.update(encode_parts(next(counter)))
            spare += block.digest()
        drawn, spare = spare[:size], spare[size:]
        return drawn

    return draw


def hedge(entropy: Entropy, label: str, *parts: Part) -> Entropy:
    """Give the nonces of one proof: fresh octets bound to the secret and the statement in `parts`.

    A nonce used for two challenges gives its secret away. Bound like this, even entropy that
    repeats (a seed, a restored snapshot) makes another nonce for another statement.
    """
    return expand(entropy(SEED_BYTES), label, *parts)
