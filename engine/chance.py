"""Random choices from octets supplied by the caller: the engine has no randomness of its own.

The same octets give the same choices. The fair deal between peers does not use this module.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

Entropy: TypeAlias = Callable[[int], bytes]
"""Called with n, returns n fresh octets."""

_WORD_BYTES: Final = 4
_WORD_COUNT: Final = 1 << (8 * _WORD_BYTES)
_number: Final = int.from_bytes


def below(entropy: Entropy, bound: int) -> int:
    """Return a number from 0 to bound - 1, all equally likely.

    Take four octets, and four new ones while the number would bias the choice. `bound` must be from
    1 to 2**32: 0 raises ZeroDivisionError, and a higher bound loops forever.
    """
    word = _number(entropy(_WORD_BYTES), "big")
    if word >= _WORD_COUNT - bound:
        even = _WORD_COUNT - _WORD_COUNT % bound
        while word >= even:
            word = _number(entropy(_WORD_BYTES), "big")
    return word % bound
