"""Long thinking in pieces, so that whoever has one thread can let others run in between.

A function that is `in_pieces` is written as a generator, which yields where it may be held up: some
milliseconds apart. Called like any other it goes through without a pause.
"""

from collections.abc import Callable, Generator
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Pieces: TypeAlias = Generator[None, None, T]
"""Work that yields between its pieces, and returns its result."""


def run_out(pieces: Pieces[T]) -> T:
    """Do all pieces at once, and return the result."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: T = end.value
            return result


class InPieces(Generic[P, T]):
    """A function that can be called, or done in `pieces`."""

    def __init__(self, pieces: Callable[P, Pieces[T]]) -> None:
        self.pieces = pieces
        """Takes the same arguments, and does nothing yet."""
        update_wrapper(self, pieces)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do all of it, and return the result."""
        return run_out(self.pieces(*args, **kwargs))


def in_pieces(pieces: Callable[P, Pieces[T]]) -> InPieces[P, T]:
    """Make a function of a generator that is one."""
    return InPieces(pieces)
