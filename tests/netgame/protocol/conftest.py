"""Toy cryptography for tests of the protocol, whose outcomes do not depend on the group."""

from collections.abc import Iterator

import pytest

from lab.simulation.computers.toys import toys
from tests.netgame.shared_checks import checks_shared


@pytest.fixture(autouse=True, scope="module")
def _with_toys(request: pytest.FixtureRequest) -> Iterator[None]:
    """Use toy points and signatures, and share checks, in a module not marked `real_group`."""
    if request.node.get_closest_marker("real_group"):
        yield
        return
    with toys(), checks_shared():
        yield
