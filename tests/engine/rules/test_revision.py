"""A change in how the rules are read is noticed, so that it gets a new revision number."""

import re

import pytest

from engine.rules.choose import SWITCHES, value_text
from engine.rules.revision import READING, RULES_REVISION
from tests.engine.rules import reading
from tests.engine.rules.rules_page import TEXT

ADVICE = (
    "The rules are read otherwise than revision {revision} read them. Raise RULES_REVISION in "
    "engine/rules/revision.py and in the head of docs/rules.md, or, if this revision has not been "
    "released yet, note in CHANGELOG.md that the reading has changed; then write the digests anew: "
    "uv run python -m tests.engine.rules.reading"
)
FEW, MANY = READING


def test_the_page_names_the_revision():
    """The head of the page names the program's revision, once."""
    head = TEXT[: TEXT.index("## 1.")]
    assert re.findall(r"^Revision (\d+) of these rules\.", head, re.MULTILINE) == [
        str(RULES_REVISION)
    ]


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.campaign)])
def test_the_rules_are_read_as_before(count):
    """The legal moves and scores of the digested games are unchanged."""
    assert reading.digest(count) == READING[count], ADVICE.format(revision=RULES_REVISION)


def test_the_games_play_every_value_of_every_switch():
    """Every value of every switch, except the deal, is played in the digested games."""
    seen = {
        (key, value_text(spec.rules, key)) for _, spec in reading.specs(FEW) for key in SWITCHES
    }
    missing = [
        (key, word)
        for key, switch in SWITCHES.items()
        for word in switch.words()
        if (key, word) not in seen and key != "deal"
    ]
    assert missing == []
