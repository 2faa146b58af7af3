"""Pools of links that end with their test."""

import pytest

from tests.netgame.io.links.pools import Pools


@pytest.fixture
async def pools(nursery):
    """Pools that run until the test ends."""
    yield Pools(nursery)
    nursery.cancel_scope.cancel()
