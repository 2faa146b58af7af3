"""A fixture that makes pools of links and ends them with the test."""

import pytest

from tests.netgame.io.links.pools import Pools


@pytest.fixture
async def pools(nursery):
    """Yield a maker of pools, which run until the test ends."""
    yield Pools(nursery)
    nursery.cancel_scope.cancel()
