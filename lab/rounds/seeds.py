"""Octets from a seed, and random choices and orders, for simulations, tests and figures.

A fair deal between peers never uses this module.
"""

from collections.abc import Sequence
from hashlib import shake_256
from typing import Final, TypeVar

from engine.chance import Entropy, below

T = TypeVar("T")

_BLOCK_BYTES: Final = 4096


def seeded(seed: bytes) -> Entropy:
    """Return a source of endless octets from the seed: SHAKE-256 over block number and seed."""
    blocks = 0
    block = b""
    at = 0

    def take(count: int) -> bytes:
        nonlocal blocks, block, at
        if at + count > len(block):
            size = max(_BLOCK_BYTES, count)
            block = shake_256(blocks.to_bytes(8, "big") + seed).digest(size)
            blocks, at = blocks + 1, 0
        taken = block[at : at + count]
        at += count
        return taken

    return take


def pick(entropy: Entropy, items: Sequence[T]) -> T:
    """Return one of the items, all equally likely."""
    return items[below(entropy, len(items))]


def shuffled(entropy: Entropy, items: Sequence[T]) -> tuple[T, ...]:
    """Return the items in random order, all orders equally likely (Fisher and Yates)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        at = below(entropy, last + 1)
        order[at], order[last] = order[last], order[at]
    return tuple(order)
