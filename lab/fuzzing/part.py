"""The description of a part to fuzz, and the exception for a broken promise."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias

from netgame.errors import Malformed

Reader: TypeAlias = Callable[[Random], bool]
"""Makes one input from chance and reads it; returns True if it was accepted."""
Reads: TypeAlias = Callable[[Random], Awaitable[bool]]
"""The same, for asynchronous reading."""


class Broken(Exception):
    """A reader broke a promise, for example by accepting an input that it must refuse."""


def is_taken(
    read: Callable[..., object], given: object, refusal: type[Exception] = Malformed
) -> bool:
    """Return True if the reader accepts this input, or False if it raises `refusal`."""
    try:
        read(given)
    except refusal:
        return False
    return True


class Part(NamedTuple):
    """One reader to fuzz, its share of the inputs and its time limit."""

    name: str
    share: int
    """Its share of a thousand inputs."""
    make: Callable[[Path], Reader | Reads]
    """Makes the reader, given a folder that it may use."""
    slow_s: float = 0.05
    """The most processor seconds per input; not wall time, because the machine may be busy."""
