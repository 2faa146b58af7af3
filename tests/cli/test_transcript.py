"""The golden transcript and the screens in the docs match the program."""

import pytest

from tests.cli.running import WAIT_S, run_python
from tests.tree import ROOT


@pytest.fixture(scope="module")
def made():
    """Return the page as the program makes it now."""
    code = "from tests.cli.transcript import page; print(page(), end='')"
    done = run_python("-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.campaign
def test_a_review_is_given_at_the_table_when_a_round_is_scored(made):
    """The review in the transcript has its heading, its table and the count of good choices."""
    review = made.partition("> review\n")[2]
    assert review.startswith(" Round 1, Ann\n Points are what")
    assert "\n turn played" in review
    assert "Best, or about as good (~0): " in " ".join(review.split())


@pytest.mark.campaign
def test_the_transcript_is_the_game_as_it_is(made):
    """The transcript is up to date; after a change run `uv run python -m tests.cli.transcript`."""
    assert made == (ROOT / "tests" / "cli" / "golden" / "transcript.md").read_text("utf-8")


@pytest.mark.campaign
def test_the_screens_are_as_they_are():
    """All pictures and text screens of the docs are up to date, octet by octet."""
    done = run_python("docs/make_pictures.py", "--check", wait_s=10 * WAIT_S)
    assert (done.returncode, done.stderr) == (0, "")
