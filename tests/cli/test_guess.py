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
    """A typo or a part of a known word is enough to suggest it; a few common letters are not."""
    assert did_you_mean(word, KNOWN) == (f"did you mean {meant}?" if meant else "")
