"""Join codes are easy to say and to type, and their words are easy to tell apart."""

import itertools

import pytest

from netgame.errors import Malformed
from netgame.io.door.codes import CODE_WORDS, code_in, draw_code, looks_like_code, parse_code


def one_slip(a, b):
    """Return True if one letter typed wrong, left out or added turns `a` into `b`."""
    if abs(len(a) - len(b)) > 1:
        return False
    if len(a) == len(b):
        return sum(x != y for x, y in zip(a, b, strict=True)) == 1
    short, long = sorted((a, b), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def test_words_are_256_short_and_distinct():
    """The 256 words are short, lower-case, and distinct by their first three letters."""
    assert len(CODE_WORDS) == 256
    assert list(CODE_WORDS) == sorted(set(CODE_WORDS))
    assert all(word.isascii() and word.isalpha() and word.islower() for word in CODE_WORDS)
    assert all(3 <= len(word) <= 6 for word in CODE_WORDS)
    assert len({word[:3] for word in CODE_WORDS}) == 256


def test_no_word_is_one_slip_from_another():
    """No word is one slip from another word, so one typing error never gives another code word."""
    assert not [pair for pair in itertools.combinations(CODE_WORDS, 2) if one_slip(*pair)]


@pytest.mark.parametrize(
    "typed",
    ["7-otter-violin", "7 OTTER violin", " 07-Otter-Violin ", "7-ott-vio", "7 - otter - viol"],
)
def test_code_is_read_as_people_type_it(typed):
    """A code is read in any case, with spaces for dashes, and with shortened words.

    It looks like a code, and its text form for debugging does not show the words.
    """
    assert looks_like_code(typed)
    assert str(parse_code(typed)) == "7-otter-violin"
    assert "otter" not in repr(parse_code(typed)), "no log has the secret"


@pytest.mark.parametrize(
    "typed",
    ["", "7", "7-otter", "otter-violin", "0-otter-violin", "100-otter-violin", "7-otter-xylophon",
     "7-ot-violin", "7-otter-violin-ada", "٧-otter-violin", "-7-otter-violin", "7-otter-\x1b[2J"],
)  # fmt: skip
def test_what_is_no_code_is_one_sentence(typed):
    """Text that is not a code is refused with a sentence about join codes."""
    with pytest.raises(Malformed, match="join code"):
        parse_code(typed)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7-otter-violin", "7-otter-violin"),
        ("the code is 7-otter-violin.", "7-otter-violin"),
        ("it's 7 Otter Violin, I think", "7-Otter-Violin"),
        ("7, otter, violin", "7-otter-violin"),
        ("table 4: 7-ott-vio", "7-ott-vio"),
        ("my code 7-otter-violon please", "7-otter-violon"),
        ("7 otter violon", ""),
        ("7 ott vio", ""),
        ("table 4 for otter", ""),
        ("17-otter-violin-ada", ""),
        ("107 otter violin", ""),
        ("otter violin", ""),
    ],
)
def test_a_code_is_found_in_a_sentence(text, code):
    """A code is found within a sentence; without dashes, its words must be whole code words.

    Otherwise almost any number with two words after it would count as a code.
    """
    assert code_in(text) == code


def test_a_word_that_is_nearly_one_is_guessed_at():
    """The error for a misspelt word suggests a code word if one is close enough."""
    with pytest.raises(Malformed, match=r"'ankor' .*; did you mean anchor\?"):
        parse_code("46-ankor-sandal")
    with pytest.raises(Malformed, match=r"any join code$"):
        parse_code("46-anker-sandal")


def test_every_code_that_can_be_drawn_is_read_back():
    """The first and the last possible code, and 200 random ones, are read back from their text."""
    low, high = draw_code(lambda _n: 0), draw_code(lambda n: n - 1)
    assert (low.number, high.number) == (1, 99)
    assert parse_code(str(low)) == low
    assert parse_code(str(high)) == high
    for code in (draw_code() for _ in range(200)):
        assert parse_code(str(code)) == code


def test_each_part_of_a_code_is_drawn_by_itself():
    """The number and each word are drawn separately, so there are 65,536 pairs of words."""
    drawn = iter((6, 0, 1))
    asked = []
    code = draw_code(lambda n: (asked.append(n), next(drawn))[1])
    assert asked == [99, 256, 256]
    assert str(code) == f"7-{CODE_WORDS[0]}-{CODE_WORDS[1]}"
