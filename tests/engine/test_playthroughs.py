"""Whole rounds stay as they were reviewed, step by step and hand by hand."""

import pytest

from engine.rules.choose import RULE_SETS
from tests.engine.playthrough import FOLDER, PLAYED, playthrough


@pytest.mark.parametrize("name", PLAYED)
def test_playthrough_is_unchanged(name):
    """The playthrough equals its file; `python -m tests.engine.playthrough` rewrites the files."""
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_preset_has_a_playthrough():
    """Every preset has a playthrough."""
    assert set(RULE_SETS) <= set(PLAYED)


def test_no_playthrough_is_left_over():
    """Every file belongs to a playthrough."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYED)
