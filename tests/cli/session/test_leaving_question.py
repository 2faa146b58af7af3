"""The question about leaving: the lines that answer it, and those that do not."""

import pytest

from cli.session.loop import sit
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.session.test_seat_parts import SCENE

STILL = "The question is still open: type yes to leave, or no."


@pytest.mark.parametrize("line", ["say wait", "board", "who", "x?!", "kwit"])
@pytest.mark.parametrize("answer", ["yes", "quit", "no"])
async def test_a_line_that_is_no_answer_leaves_the_question_whether_to_leave_open(line, answer):
    """A line that does not answer the question about leaving gets a reminder that it is open."""
    front = FakeFront("quit", line, line, answer, "no")
    await sit(FakeNode(SCENE), front, sitting_with())
    assert front.said.count(STILL) == 2
    assert ("You stay." in front.said) is (answer == "no")
    assert ("no" in front.lines) is (answer != "no"), "who has left is asked nothing more"


@pytest.mark.parametrize("line", ["quit", "exit", "q", "bye", "salir", "leave", "irse"])
async def test_the_question_whether_to_leave_names_the_word_that_was_typed(line):
    """The question about leaving repeats the word typed, be it a synonym or a Spanish one."""
    front = FakeFront(line, "no")
    await sit(FakeNode(SCENE), front, sitting_with())
    assert f"Type {line} again." in next(said for said in front.said if "again." in said)


async def test_whoever_moves_at_the_question_stays():
    """A move at the question means staying, and a later yes answers nothing."""
    node = FakeNode(SCENE)
    front = FakeFront("quit", "1", "yes")
    await sit(node, front, sitting_with())
    assert front.said.count("You stay.") == 1
    assert STILL not in front.said
    assert len(node.asked) == 1, "and the move is made"
