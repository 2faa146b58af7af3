"""A log read without the rules comes to the same company, polls and head as the fold."""

import pytest

from netgame.protocol.log.entry import read_frames
from tests.conformance.test_reader import GOOD, LOGS
from tests.netgame.protocol.ledger.signed import compare

pytestmark = pytest.mark.real_group


@pytest.mark.parametrize("name", GOOD)
def test_it_comes_to_what_the_fold_comes_to(name):
    """In all logs that are published."""
    compare(read_frames((LOGS / f"{name}.bin").read_bytes())[0])
