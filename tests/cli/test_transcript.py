"""The transcript in the docs is what the program says today."""

import pytest

from docs.make_transcript import page
from tests.tree import ROOT

THOUGHT = ("> hint", "> review")
"""After these lines a search speaks, whose words change whenever it plays better."""


@pytest.fixture(scope="module")
def made():
    """The page as it comes out today."""
    return page()


def known(text: str) -> list[str]:
    """The lines that hang on the rules, the bots and the sentences, and on no search."""
    kept, thinks = [], False
    for line in text.splitlines():
        if line[:2] in ("> ", "``"):
            thinks = line in THOUGHT
        if not thinks or line.startswith("> "):
            kept.append(line)
    return kept


def test_the_transcript_shows_the_game_as_it_is(made):
    """Boards, plans and odds; `python docs/make_transcript.py` makes the page anew."""
    assert known(made) == known((ROOT / "docs" / "transcript.md").read_text("utf-8"))


@pytest.mark.campaign
def test_the_transcript_shows_hints_and_reviews_as_they_are(made):
    """Whoever changes the search makes the page anew."""
    assert made == (ROOT / "docs" / "transcript.md").read_text("utf-8")
