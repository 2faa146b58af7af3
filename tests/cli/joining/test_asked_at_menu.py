"""Questions typed at the menu: the answer gives the number of the row that helps."""

import pytest

from cli.joining.asked import asked_text
from tests.cli.session.test_asked import lines_of

ROWS = {"play": 2, "host": 3, "learn": 4, "demo": 5, "rules": 7}
ANSWERS = {
    "teach": "Boneyard is the domino game Mexican Train. Type 4 to learn it in five minutes; 7 ",
    "rules": "Boneyard is the domino game Mexican Train. Type 4 to learn it in five minutes; 7 ",
    "start": "Type 2 to play against bots, 3 to open a table for others, or 4 to learn the game.",
    "leave": "Type quit to leave.",
    "fair": "Everybody shuffles, and every program checks all the others. Type 5 to watch ",
}
SHARE = 0.8


def is_answered(kind, line):
    """Return True if the answer begins as it should for this kind of question."""
    return asked_text(line, ROWS).startswith(ANSWERS[kind])


@pytest.mark.parametrize(
    ("kind", "line"),
    [(kind, line) for place, kind, line in lines_of("evenings.txt") if place == "m"],
)
def test_a_question_of_an_evening_is_answered(kind, line):
    """The menu gives the right kind of answer to questions that people have typed at it."""
    assert is_answered(kind, line), asked_text(line, ROWS)


def test_most_questions_that_nobody_has_typed_are_answered_too():
    """At least four in five invented questions get the right kind of answer too."""
    lines = [(kind, line) for place, kind, line in lines_of("invented.txt") if place == "m"]
    assert sum(is_answered(*each) for each in lines) / len(lines) >= SHARE


@pytest.mark.parametrize("line", ["paly", "sausage", "12", "good evening everybody", ""])
def test_what_is_no_question_has_no_answer_there(line):
    """A line that is not a question gets no answer, so the menu can suggest the nearest row."""
    assert asked_text(line, ROWS) == ""
