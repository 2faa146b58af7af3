"""Simulated tables run in one process: one seat's check of a proof serves all of them."""

from collections.abc import Iterator

import pytest

from tests.netgame.shared_checks import checks_shared


@pytest.fixture(autouse=True, scope="module")
def _with_checks_shared() -> Iterator[None]:
    """Check each proof only once in a module."""
    with checks_shared():
        yield
