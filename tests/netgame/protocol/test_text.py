"""Text from others is cleaned, so that it is safe in a terminal."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from netgame.protocol.text import clean_text, fingerprint, long_fingerprint, read_long_fingerprint

FORBIDDEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}


TRICKS = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.characters(categories=["Mn", "Mc", "Me", "Cf", "Cc", "Zs"]),
        st.sampled_from(
            "ab\u0301\u0308\u0327 \u200d\ufe0f\u1100\u1161\u11a8\u115f\u1160\u3164👍🏽🇩🇪漢"
        ),
    ),
    max_size=60,
)
"""Letters, marks, joiners and fillers in any order."""


@given(TRICKS)
def test_nothing_that_steers_a_terminal_survives(text):
    """Clean text has no control, format or private character, and is one line of bounded width."""
    clean = clean_text(text, 20)
    assert not {unicodedata.category(char) for char in clean} & FORBIDDEN
    assert "  " not in clean
    assert clean == clean.strip()
    assert sum(max(wcswidth(char), 0) for char in clean) <= 20
    assert 0 <= wcswidth(clean) <= 20
    assert clean == unicodedata.normalize("NFC", clean)


@given(TRICKS)
def test_nothing_is_piled_up_or_stands_on_nothing(text):
    """Clean text has at most two marks in a row, each after a visible character.

    Its length is therefore bounded, too.
    """
    clean = clean_text(text * 5, 20)
    assert len(clean) <= 60
    shown = ["x" if wcswidth(char) > 0 else "." for char in clean]
    assert "..." not in "".join(shown)
    assert not clean or shown[0] == "x"


@given(
    st.text(max_size=30),
    st.sampled_from(
        "\u200b\u200d\u2060\ufeff\u00ad\u034f\ufe0f\u3164\u115f\u2800\U0001d159\U00016fe4\ufffc"
    ),
)
def test_what_does_not_show_makes_no_difference(text, hidden):
    """Hidden characters make no difference, so names that look the same become the same."""
    assert clean_text(hidden.join(text), 200) == clean_text(text.replace(hidden, ""), 200)


def test_whatever_unicode_calls_blank_is_left_out():
    """Characters that Unicode's names call blank are left out.

    Going by the names covers later versions of Unicode, too.
    """
    words = (
        "BLANK",
        "FILLER",
        "NULL NOTEHEAD",
        "VARIATION SELECTOR",
        "LETTER SELECTOR",
        "MODIFIER-",
    )
    seen = ("BLANK SYMBOL", "GAP FILLER", "LINE FILLER")
    for char in map(chr, range(sys.maxunicode + 1)):
        name = unicodedata.name(char, "")
        if any(map(name.__contains__, words)) and not any(map(name.__contains__, seen)):
            assert clean_text(f"A{char}", 20) == "A", name


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
        ("e\u200d\u0301", "\u00e9"),
        ("\u0301\u0308Ann", "Ann"),
        ("a \u0301b", "a b"),
        ("\u3164\u115f\u2800", ""),
        ("\U0001d159", ""),
        ("An\U0001d159n\U00016fe4", "Ann"),
        ("\u179f\u17d2\u179a\u17b8", "\u179f\u17d2\u179a\u17b8"),
        ("\u2764\ufe0f", "\u2764"),
        ("\u1100" + "\u1161" * 40, "\uac00\u1161\u1161"),
        ("", ""),
    ],
)
def test_examples(text, expected):
    """Escape codes lose the characters that make them work; letters stay."""
    assert clean_text(text, 20) == expected


def test_a_name_of_nothing_gets_the_fallback():
    """A name without any visible character gets the fallback."""
    assert clean_text("\x1b\u202e", 20, "player") == "player"


def test_a_vowel_sign_that_takes_a_cell_is_counted():
    """A vowel sign that takes a cell is counted, so a name stays within its width.

    Such a sign shows its width only beside another character.
    """
    name = clean_text("2\ufffdA6\ufffd\ufffd\ua824" + "x" * 30, 20)
    assert wcswidth(name) <= 20
    assert clean_text(name, 20) == name


@given(st.binary(min_size=32, max_size=32))
def test_a_long_fingerprint_goes_on_from_the_short_one(key):
    """A long fingerprint starts with the short one, and is read in any case and grouping."""
    shown = long_fingerprint(key)
    assert shown.replace("-", "").startswith(fingerprint(key))
    assert len(shown.replace("-", "")) == 16
    for typed in (shown, shown.upper(), shown.replace("-", ""), f" {shown.replace('-', ' ')} "):
        assert read_long_fingerprint(typed) == shown
    assert read_long_fingerprint(shown[:-1]) is None
    assert read_long_fingerprint(f"{shown}a") is None
    assert read_long_fingerprint(f"{shown[:-1]}1") is None


@pytest.mark.parametrize("typed", ["", "ann", "7-otter-violin", "abcdefgh", "16 letters or so"])
def test_what_is_no_long_fingerprint(typed):
    """A name, a join code, a short fingerprint or talk is not a long fingerprint."""
    assert read_long_fingerprint(typed) is None
