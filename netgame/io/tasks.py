"""Helpers for code with nurseries."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unwrapped() -> Iterator[None]:
    """Replace an exception group that contains a single exception, however deep, by that exception.

    A group with several exceptions at any level is raised unchanged. This way callers of a context
    manager get its documented errors, and need not know that it uses nurseries.
    """
    lone: BaseException | None = None
    try:
        yield
    except BaseExceptionGroup as group:
        lone = group
        while isinstance(lone, BaseExceptionGroup):
            if len(lone.exceptions) > 1:
                raise
            lone = lone.exceptions[0]
    if lone is not None:
        try:
            raise lone
        finally:
            # Otherwise the frame and the traceback would keep each other alive.
            del lone
