"""Reading names, rows, sizes and words out of answers to a question or a menu."""

import pytest

from cli.input.phrases import (
    asks,
    bare_words,
    denies,
    goes_back,
    in_order,
    mentioned,
    only_number,
    renamed,
    row_said,
    said_name,
)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Rosa", "Rosa"),
        ("Rosa.", "Rosa"),
        ("Rosa!!", "Rosa"),
        ("«Rosa».", "Rosa"),
        ("Rosa please", "Rosa"),
        ("I'm Rosa", "Rosa"),
        ("I’m Rosa", "Rosa"),
        ("i am Rosa Luz", "Rosa Luz"),
        ("hi, I'm Rosa!", "Rosa"),
        ("my name is Rosa", "Rosa"),
        ("My name's Rosa.", "Rosa"),
        ("the name is Rosa", "Rosa"),
        ("call me Rosa, please", "Rosa"),
        ("they call me Rosa", "Rosa"),
        ("it's Rosa here", "Rosa"),
        ("this is Rosa", "Rosa"),
        ("name Rosa", "Rosa"),
        ("me llamo Rosa", "Rosa"),
        ("¡Hola! Soy Rosa", "Rosa"),
        ("mi nombre es Rosa", "Rosa"),
        ("J.R.", "J.R."),
        ("O'Neil", "O'Neil"),
        ("The Dude", "The Dude"),
        ("Isabel", "Isabel"),
        ("My Name", "My Name"),
        ("Mi", "Mi"),
        ("!", "!"),
        ("", ""),
    ],
)
def test_a_name_is_what_is_left_of_a_sentence_about_it(line, name):
    """A name is taken out of a sentence about it; a name that resembles a sentence stays whole."""
    assert said_name(line) == name


def test_only_a_sentence_about_a_name_takes_one_where_nobody_has_asked():
    """If nobody has asked, only a sentence about a name gives one; `I'm bored` gives none."""
    assert renamed("my name is Rosa") == renamed("name Rosa") == renamed("llámame Rosa") == "Rosa"
    assert (
        renamed("I'm bored") is renamed("it is late") is renamed("Rosa") is renamed("name") is None
    )


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("4 players", ["seats", "4"]),
        ("four players, please", ["seats", "4"]),
        ("4 of us", ["seats", "4"]),
        ("we are fourteen", ["seats", "14"]),
        ("there will be 5 of us", ["seats", "5"]),
        ("somos cuatro", ["seats", "4"]),
        ("4 jugadores", ["seats", "4"]),
        ("just two rounds", ["rounds", "2"]),
        ("double 9", ["set", "9"]),
        ("double-nine", ["set", "9"]),
        ("3 bots", ["bots", "3"]),
        ("four", None),
        ("4 hours", None),
        ("9-4 ben", None),
    ],
)
def test_a_size_is_read_with_the_words_around_it(line, read):
    """A number counts as a size if the words around it say what it counts; alone it does not."""
    assert in_order(bare_words(line)) == read


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("3", 3),
        ("3.", 3),
        ("#3", 3),
        ("number 3", 3),
        ("number three, please", 3),
        ("the third one", 3),
        ("3rd", 3),
        ("I'll take option 3", 3),
        ("the last one", 7),
        ("la tercera", 3),
        ("número 3", 3),
        ("one", 1),
        ("the one", None),
        ("8", None),
        ("0", None),
        ("3 or 4", None),
        ("learn 3", None),
    ],
)
def test_a_row_is_named_by_its_number_and_nothing_else(line, row):
    """A number or ordinal names one of seven rows, with or without common words around it.

    A number that is 0 or too high, two numbers, and the number of something else name no row.
    """
    assert row_said(bare_words(line), 7) == row


@pytest.mark.parametrize(
    ("line", "is_back"),
    [
        ("back", True),
        ("b", True),
        ("go back, please", True),
        ("take me back to the menu", True),
        ("never mind", True),
        ("volver al menú", True),
        ("back walnut", False),
        ("menu", False),
        ("", False),
    ],
)
def test_going_back_is_asked_for_in_many_words(line, is_back):
    """A line that asks to go back is recognised, unless it also names something else."""
    assert goes_back(bare_words(line)) is is_back


def test_known_words_are_found_in_their_order_and_the_longest_counts():
    """Known words are found in order, with or without hyphens, and the longest match counts."""
    known = ("walnut", "wolf-lake", "lake", "on-double")
    assert mentioned(bare_words("Wolf Lake or walnut?"), known) == ("wolf-lake", "walnut")
    assert mentioned(bare_words("walnuts by the lake"), known) == ("lake",)
    assert mentioned([], known) == ()


def test_a_question_and_a_denial_are_no_choice():
    """`asks` recognises questions, `denies` denials, and `only_number` a line's only number."""
    assert asks("walnut?")
    assert asks("tell me about walnut")
    assert not asks("walnut please")
    assert denies(bare_words("not walnut"))
    assert not denies(bare_words("walnut"))
    assert only_number(bare_words("four of us")) == "4"
    assert only_number(bare_words("4 or 5")) is None
