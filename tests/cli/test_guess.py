"""Suggesting a known word for an unknown one."""

import pytest

from cli.guess import did_you_mean

KNOWN = ("play", "draw", "block", "code", "board", "who", "start", "get", "last-tile", "first")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("strat", "start"),
        ("paly", "play"),
        ("gte", "get"),
        ("blok", "block"),
        ("tile", "last-tile"),
        ("knock", ""),
        ("card", ""),
        ("how", ""),
        ("last round", ""),
    ],
)
def test_only_a_word_that_is_much_like_it_is_suggested(word, meant):
    """A suggestion corrects a typo or completes a part; a few common letters are not enough."""
    assert did_you_mean(word, KNOWN) == (f"did you mean {meant}?" if meant else "")
