"""A short soak test with random keys; `python -m tests.cli.soak --keys N` runs a longer one."""

import pytest

from tests.cli.soak import Soak


@pytest.mark.campaign
@pytest.mark.parametrize(("seed", "together"), [(1, 12), (2, 12), (3, 1)])
def test_random_keys_leave_a_program_that_answers(seed, together, tmp_path):
    """Random keys cause no traceback, and what is typed at the prompt is kept.

    In the last run each key is sent alone, and its drawing is checked before the next key. The
    `Soak` itself checks all that, whenever something is drawn; here, that it has seen boards.
    """
    soak = Soak(tmp_path, seed, together=together)
    soak.run(600)
    assert soak.boards > 0
