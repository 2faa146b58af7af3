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
@pytest.mark.parametrize("name", ["narrow", "ascii", "no-color", "dumb"])
def test_the_screens_are_as_they_are(name):
    """In 40 columns, and where a terminal has no lines, no colour or no cursor."""
    code = (
        "import sys; from docs.make_pictures import SHOTS, taken, text_of; "
        "print(text_of(taken(next(shot for shot in SHOTS if shot.name == sys.argv[1]))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, name],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=2 * WAIT_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"```text\n{done.stdout}```" in (ROOT / "docs/screens.md").read_text("utf-8")
