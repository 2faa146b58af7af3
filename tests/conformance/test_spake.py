"""The join code by the formulas of peer.md 5, tested with `tests/vectors/contact.json`."""

import json
from pathlib import Path

import pytest

from tests.conformance.edwards import L
from tests.conformance.spake import Run

FILE = json.loads((Path(__file__).parents[1] / "vectors" / "contact.json").read_text())
(GOOD,) = FILE["runs"]
BAD = [case for case in FILE["refused"] if case["class"] == "malformed"]


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["name"])
def test_a_message_without_a_point_of_the_group_is_refused(case):
    """A wrong letter or length, a neutral or small-order point, and one's own point are refused.

    The true answer gives the key of the vector.
    """
    run = Run("A", GOOD["code"].encode(), b"", b"", int(GOOD["client_entropy"], 16) % L)
    assert run.message.hex() == GOOD["opening"]
    assert run.shared(bytes.fromhex(GOOD["answer"])).hex() == GOOD["shared_point"]
    with pytest.raises(ValueError, match=r"no point of the group|not a message of the"):
        run.key(bytes.fromhex(case["change"]["answer"]))
