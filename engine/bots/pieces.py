"""Long computations in pieces, so that a program with one thread can run other code in between.

A function that is `in_pieces` is written as a generator that yields every few milliseconds; other
code can run at each yield. Called like any other function, it runs without a pause.
"""

from collections.abc import Callable, Generator
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Pieces: TypeAlias = Generator[None, None, T]
"""Work that yields between its pieces, and returns its result."""


def run_out(pieces: Pieces[T]) -> T:
    """Run all pieces at once, and return the result."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: T = end.value
            return result


class InPieces(Generic[P, T]):
    """A function that can be called, or run in `pieces`."""

    def __init__(self, pieces: Callable[P, Pieces[T]]) -> None:
        self.pieces = pieces
        """The generator function, which takes the same arguments."""
        update_wrapper(self, pieces)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run all pieces at once, and return the result."""
        return run_out(self.pieces(*args, **kwargs))


def in_pieces(pieces: Callable[P, Pieces[T]]) -> InPieces[P, T]:
    """Turn a generator function into a function that can also run in pieces."""
    return InPieces(pieces)
