"""Splitting a line into words: a tile becomes one word, and other words stay as typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.input.lexer import heard, plain, plain_words, read_pair
from cli.input.places import MINE, spellings


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("(6,1)", "6,1"),
        ("6-1, Ann", "6-1 Ann"),
        ("1.", "1"),
        ("9–4 9—4 9−4 9‐4 9﹣4 9－4", "9-4 9-4 9-4 9-4 9-4 9-4"),
        ("９-４ 𝟗|𝟒 9｜4 9／4 9：4 9＝4 9×4", "9-4 9|4 9|4 9/4 9:4 9=4 9x4"),
        ("［9|4］ 「9」 “9-4”", "9|4 「9」 “9-4”"),
        ("12-11=11-10", "12-11 11=11 11-10"),
        ("2=2-5-6=6", "2=2 2-5 5-6 6=6"),
        ("9-0,0-4;4-4", "9-0 0-4 4-4"),
        ("9,4 9.4", "9,4 9.4"),
        ("double 11 m", "11=11 m"),
        ("Double-6 DOBLE 6 doble6", "6=6 6=6 6=6"),
        ("9 - 4 ben", "9-4 ben"),
        ("9 = 9", "9=9"),
        ("[9|4]+ [3|1]+n [2|2]n", "9|4 3|1 2|2"),
        ("[9|4][4|5]", "9|4 4|5"),
        ("9-4 > 4-8 | 3-3", "9-4 > 4-8 | 3-3"),
        ("9-4 mexican please!", "9-4 mexican"),
        ("9-4 on Ann–Marie's train.", "9-4 on Ann–Marie's train."),
        ("٣٤ x9² 19-4-2 1234567", "٣٤ x9² 19-4 4-2 1234567"),
        ("please", "please"),
        ("", ""),
    ],
)
def test_tiles_are_one_word_each(line, words):
    """A tile becomes one word, whatever separates or surrounds its halves; names stay the same."""
    assert list(plain_words(line.split())) == words.split()


@pytest.mark.parametrize(
    ("word", "command"),
    [("/help", "help"), (":help", "help"), ("score?", "score"), ("who’s", "who's"), ("?", "?"),
     ("¿por", "por"), ("help!", "help"), ("...", "..."), ("b", "b")],
)  # fmt: skip
def test_a_command_is_heard_without_what_stands_around_it(word, command):
    """Punctuation around a command is dropped, unless the word is nothing but punctuation."""
    assert heard(word) == command


@given(st.text(max_size=30))
def test_what_is_made_plain_is_plain(line):
    """Making a line plain again changes nothing, and neither does making its tiles plain again."""
    words = plain_words(line.split())
    tiles = [word for word in words if read_pair(word)]
    assert list(plain_words(tiles)) == tiles
    assert plain(plain(line)) == plain(line)


@given(st.integers(0, 18), st.integers(0, 18), st.sampled_from("-–—−‐－|｜/:=,.x×"),
       st.sampled_from(["{}", "({})", "[{}]", "{},", "{}.", '"{}",']))  # fmt: skip
def test_a_tile_is_read_with_any_sign_and_anything_around_it(one, other, sign, around):
    """The halves of a tile are read in the order typed, whatever separates or surrounds them."""
    (word,) = plain_words([around.format(f"{one}{sign}{other}")])
    assert read_pair(word) == (one, other)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Cleo", "Cleo"),
        ("on Cleo's train.", "Cleo"),
        ("CLEO’S", "CLEO"),
        ("cleos", "cleo"),
        ("Ross'", "Ross"),
        ("the mexican one please", "m"),
        ("auf den mexikanischen Zug", "m"),
        ("on your own train", MINE),
        ("en tu propio tren", MINE),
        ("my train", MINE),
        ("en el tren de Cleo", "Cleo"),
        ("on The One's train", "The One"),
        ("train 2", "2"),
    ],
)
def test_a_place_is_said_in_many_ways(text, name):
    """The spellings of a place contain its name, and begin with the text as typed."""
    found = spellings(text)
    assert found[0] == text
    assert name in found


@given(st.text(max_size=20))
def test_no_spelling_is_empty(text):
    """No spelling is empty, because an empty one would be the start of every name."""
    assert "" not in spellings(text)
