"""The golden transcript and the screens in the docs match the program."""

import pytest

from tests.cli.running import WAIT_S, run_python
from tests.tree import ROOT


@pytest.fixture(scope="module")
def made():
    """Return the transcript, freshly made by the program."""
    code = "from tests.cli.transcript import page; print(page(), end='')"
    done = run_python("-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.campaign
def test_a_review_is_given_at_the_table_when_a_round_is_scored(made):
    """The review in the transcript has a heading, a table and a count of good choices."""
    review = made.partition("> review\n")[2]
    assert review.startswith(" Round 1, Ann\n Points are what")
    assert "\n turn played" in review
    assert "Best, or about as good (~0): " in " ".join(review.split())


@pytest.mark.campaign
def test_the_transcript_is_the_game_as_it_is(made):
    """The transcript in the repository is up to date.

    After a change to the program, remake it: `uv run python -m tests.cli.transcript`.
    """
    assert made == (ROOT / "tests" / "cli" / "golden" / "transcript.md").read_text("utf-8")


@pytest.mark.campaign
def test_the_screens_are_as_they_are():
    """Every picture and text screen in the docs is, octet for octet, what the program draws."""
    done = run_python("docs/make_pictures.py", "--check", wait_s=10 * WAIT_S)
    assert (done.returncode, done.stderr) == (0, "")
