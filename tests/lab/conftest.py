"""Simulated tables are one process each: what one seat has checked holds for all of them."""

from collections.abc import Iterator

import pytest

from tests.netgame.shared_checks import checks_shared


@pytest.fixture(autouse=True, scope="module")
def _with_checks_shared() -> Iterator[None]:
    """Each proof is checked once in a module."""
    with checks_shared():
        yield
