"""A context in which tests play a different revision of the rules."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.rules import revision


@contextmanager
def playing(number: int) -> Iterator[None]:
    """Play this revision of the rules within the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(revision, "RULES_REVISION", number)
        yield
