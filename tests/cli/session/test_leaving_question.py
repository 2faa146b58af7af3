"""The question whether to leave: which lines answer it, and which do not."""

import pytest

from cli.session.loop import sit
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.session.test_seat_parts import SCENE

STILL = "The question is still open: type yes to leave, or no."


@pytest.mark.parametrize("line", ["say wait", "board", "who", "x?!", "kwit"])
@pytest.mark.parametrize("answer", ["yes", "quit", "no"])
async def test_a_line_that_is_no_answer_leaves_the_question_whether_to_leave_open(line, answer):
    """A line that does not answer the question about leaving gets a reminder of the question.

    The question stays open, and can still be answered.
    """
    front = FakeFront("quit", line, line, answer, "no")
    await sit(FakeNode(SCENE), front, sitting_with())
    assert front.said.count(STILL) == 2
    assert ("You stay." in front.said) is (answer == "no")
    assert ("no" in front.lines) is (answer != "no"), "who has left is asked nothing more"


@pytest.mark.parametrize("line", ["quit", "exit", "q", "bye", "salir", "leave", "irse"])
async def test_the_question_whether_to_leave_names_the_word_that_was_typed(line):
    """The question about leaving quotes the typed word, even if it is a synonym or in Spanish."""
    front = FakeFront(line, "no")
    await sit(FakeNode(SCENE), front, sitting_with())
    assert f"Type {line} again." in next(said for said in front.said if "again." in said)


async def test_whoever_moves_at_the_question_stays():
    """A player who types a move at the question about leaving stays, and the move is made.

    A `yes` typed after that does not make the player leave.
    """
    node = FakeNode(SCENE)
    front = FakeFront("quit", "1", "yes")
    await sit(node, front, sitting_with())
    assert front.said.count("You stay.") == 1
    assert STILL not in front.said
    assert len(node.asked) == 1, "and the move is made"
