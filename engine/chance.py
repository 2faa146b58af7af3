"""Choices from octets that are handed in: the engine itself makes no chance.

The same octets give the same choices, which is what simulations, tests and demonstrations need.
A fair deal between peers is made elsewhere and never from here.
"""

from collections.abc import Callable, Sequence
from hashlib import shake_256
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")

Entropy: TypeAlias = Callable[[int], bytes]
"""Gives as many octets as it is asked for, each call new ones."""

_WORD_BYTES: Final = 4
_WORD_COUNT: Final = 1 << (8 * _WORD_BYTES)
_BLOCK_BYTES: Final = 4096
_number: Final = int.from_bytes


def seeded(seed: bytes) -> Entropy:
    """An endless stream of octets fixed by the seed: SHAKE-256 over seed and block number."""
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


def below(entropy: Entropy, bound: int) -> int:
    """A number from 0 to bound - 1, all equally likely; asks again rather than being uneven."""
    word = _number(entropy(_WORD_BYTES), "big")
    if word >= _WORD_COUNT - bound:
        even = _WORD_COUNT - _WORD_COUNT % bound
        while word >= even:
            word = _number(entropy(_WORD_BYTES), "big")
    return word % bound


def shuffled(entropy: Entropy, items: Sequence[T]) -> tuple[T, ...]:
    """The items in an order drawn from all orders alike (Fisher and Yates)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        at = below(entropy, last + 1)
        order[at], order[last] = order[last], order[at]
    return tuple(order)
