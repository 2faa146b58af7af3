"""Helpers for code with nurseries."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unwrapped() -> Iterator[None]:
    """Raise the lone exception inside a group, however deep, instead of the group.

    A group that has several exceptions at any level is raised unchanged. Callers of our context
    managers expect the documented errors, not the nurseries inside.
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
