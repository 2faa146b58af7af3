"""Programs of another revision of the rules, as far as a test needs one."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.rules import revision


@contextmanager
def playing(number: int) -> Iterator[None]:
    """What is done within is done by a program that plays this revision of the rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(revision, "RULES_REVISION", number)
        yield
