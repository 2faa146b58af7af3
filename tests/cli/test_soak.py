"""A slice of the soak: `python -m tests.cli.soak` drives as many keys as there is time for."""

import pytest

from tests.cli.soak import Soak


@pytest.mark.campaign
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_keys_leave_a_program_that_answers(seed, tmp_path):
    """No traceback, and what stands at the prompt stays there."""
    soak = Soak(tmp_path, seed)
    soak.run(600)
    assert soak.keys >= 600
