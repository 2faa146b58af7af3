"""The transcript and the screens in the docs are what the program shows today."""

import subprocess
import sys

import pytest

from tests.cli.running import WAIT_S, environment
from tests.tree import ROOT


@pytest.fixture(scope="module")
def made():
    """The page as it comes out today."""
    code = "from docs.make_transcript import page; print(page(), end='')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=WAIT_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.campaign
def test_a_review_is_given_at_the_table_when_a_round_is_scored(made):
    """It has every choice of it, and what they came to."""
    review = made.partition("> review\n")[2]
    assert review.startswith(" Round 1, Ann\n turn played")
    assert "choices were the best found" in " ".join(review.split())


@pytest.mark.campaign
def test_the_transcript_is_the_game_as_it_is(made):
    """Whoever changes a sentence, a bot or the search makes the page anew."""
    assert made == (ROOT / "docs" / "transcript.md").read_text("utf-8")


@pytest.mark.campaign
def test_the_screens_are_as_they_are():
    """Every picture and every screen as text, made anew: no octet is another."""
    done = subprocess.run(
        [sys.executable, "docs/make_pictures.py", "--check"],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=6 * WAIT_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
