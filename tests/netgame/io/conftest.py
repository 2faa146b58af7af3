"""A clock that jumps, for tests in which real nodes wait for timeouts."""

from collections.abc import Iterator

import pytest
from trio.testing import MockClock

from tests.netgame.io.node.shellgames import IDLE_S, patient_with_threads


@pytest.fixture
def jumping_clock() -> Iterator[MockClock]:
    """Stop the clock while any task or thread runs; when all wait, jump to the next deadline."""
    clock = MockClock(autojump_threshold=IDLE_S)
    with patient_with_threads(clock):
        yield clock
