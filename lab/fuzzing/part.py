"""One thing that is fuzzed: how its inputs are made, and when one has broken a promise."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import NamedTuple


class Broken(Exception):
    """A reader took an input that breaks what it promises."""


class Part(NamedTuple):
    """One reader; `share` is how many of a thousand inputs it gets.

    No input may cost it more than `slow_s`, in time of the processor: the machine may be busy.
    """

    name: str
    share: int
    make: Callable[[Path], Callable[[Random], bool | Awaitable[bool]]]
    slow_s: float = 0.05
