"""Random choices from octets that are handed in: the engine has no randomness of its own.

The same octets give the same choices. A fair deal between peers is made elsewhere, never here.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

Entropy: TypeAlias = Callable[[int], bytes]
"""Called with n, gives n octets, new ones each time."""

_WORD_BYTES: Final = 4
_WORD_COUNT: Final = 1 << (8 * _WORD_BYTES)
_number: Final = int.from_bytes


def below(entropy: Entropy, bound: int) -> int:
    """Return a number from 0 to bound - 1, all equally likely.

    It is made of four octets, and of four new ones as long as a number would make the choice
    uneven. `bound` is from 1 to 2**32: 0 raises ZeroDivisionError, and a higher one never returns.
    """
    word = _number(entropy(_WORD_BYTES), "big")
    if word >= _WORD_COUNT - bound:
        even = _WORD_COUNT - _WORD_COUNT % bound
        while word >= even:
            word = _number(entropy(_WORD_BYTES), "big")
    return word % bound
