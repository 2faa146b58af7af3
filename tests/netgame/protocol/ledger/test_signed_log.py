"""A log read without the rules comes to the same company, polls and head as the fold."""

import pytest

from netgame.protocol.log.entry import read_frames
from tests.netgame.protocol.ledger.signed import compare
from tests.tree import ROOT

pytestmark = pytest.mark.real_group

LOGS = ROOT / "tests" / "vectors" / "logs"
WHOLE = sorted(path.with_suffix(".bin") for path in LOGS.glob("*.json"))
WHOLE = [path for path in WHOLE if path.exists()]


def test_there_are_logs():
    """Else what follows shows nothing."""
    assert len(WHOLE) > 15


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_it_comes_to_what_the_fold_comes_to(path):
    """In all logs that are published."""
    compare(read_frames(path.read_bytes())[0])
