"""Text from others is fit for a terminal once it is in."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from netgame.protocol.text import clean_text

FORBIDDEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}


@given(st.text(max_size=80))
def test_nothing_that_steers_a_terminal_survives(text: str) -> None:
    """No control, format or private character; one line; within its width."""
    clean = clean_text(text, 20)
    assert not {unicodedata.category(char) for char in clean} & FORBIDDEN
    assert "  " not in clean
    assert clean == clean.strip()
    assert sum(max(wcswidth(char), 0) for char in clean) <= 20


@given(st.text(max_size=80))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    """There is no text that a second pass would find more in."""
    once = clean_text(text, 40)
    assert clean_text(once, 40) == once


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee\n", "Ann Lee"),
        ("\x1b[2J\x1b]0;pwned\x07Ann", "[2J]0;pwnedAnn"),
        ("A\u202ennA", "AnnA"),
        ("\u200b\u2066x\u2069", "x"),
        ("\x9b31mred", "31mred"),
        ("e\u0301" + "\u0301" * 30, "\u00e9\u0301\u0301"),
        ("漢字" * 20, "漢字" * 5),
        ("\ud800", ""),
        ("", ""),
    ],
)
def test_examples(text: str, expected: str) -> None:
    """Escape codes lose what makes them work; letters stay."""
    assert clean_text(text, 20) == expected


def test_a_name_of_nothing_gets_the_fallback() -> None:
    """So that everybody has a name."""
    assert clean_text("\x1b\u202e", 20, "player") == "player"
