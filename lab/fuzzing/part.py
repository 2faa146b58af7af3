"""One thing that is fuzzed: how its inputs are made, and when one has broken a promise."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias

from netgame.errors import Malformed

Reader: TypeAlias = Callable[[Random], bool]
"""Makes one input from chance and has it read: whether it was taken."""
Reads: TypeAlias = Callable[[Random], Awaitable[bool]]
"""The same, where reading waits for something."""


class Broken(Exception):
    """A reader took an input that breaks what it promises."""


def is_taken(
    read: Callable[..., object], given: object, refusal: type[Exception] = Malformed
) -> bool:
    """Whether a reader takes this; it may refuse it in its own way."""
    try:
        read(given)
    except refusal:
        return False
    return True


class Part(NamedTuple):
    """One reader, and how it is tried."""

    name: str
    share: int
    """How many of a thousand inputs it gets."""
    make: Callable[[Path], Reader | Reads]
    """Makes it, with a folder that it may use."""
    slow_s: float = 0.05
    """The most that an input may cost it, in time of the processor: the machine may be busy."""
