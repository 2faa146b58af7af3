"""The sentences about somebody who does not answer while the table waits for them."""

from dataclasses import replace

import pytest

from cli.render.sheets import who_lines
from cli.render.status import status_text
from cli.session.loop import sit
from netgame.protocol import notices
from tests.cli.fakes import FakeFront, FakeNode, seats_of, sitting_with, view_of
from tests.cli.scenes import written
from tests.cli.session.test_seat_parts import SCENE, commented, heard


@pytest.mark.parametrize("is_tab", [False, True])
async def test_who_does_not_answer_is_named_on_the_screen_and_can_be_voted_on_after_a_minute(
    autojump_clock, is_tab
):
    """A player who does not answer is named; after a minute the others read that they can vote.

    This is so even if only others have a link to the player.
    """
    ana, ben, *others = view_of(SCENE).seats
    ben = replace(ben, connected=False, through=True, unanswered=True, in_tab=is_tab)
    facts = {"seats": (ana, ben, *others), "needed": 3}
    view = view_of(SCENE, **facts)
    assert "no answer from Ben" in status_text(view) or "waiting for Ben" in status_text(view)
    assert "does not answer" in written(who_lines(view, FakeFront().canvas(), b"Ana"))
    said = "Ben does not answer, and the table waits for them."
    if is_tab:
        said = "Ben's page does not answer: it may be asleep. The table waits for it."
    for seconds, is_advised in ((59.0, False), (62.0, True)):
        node, front = FakeNode(SCENE, **facts), FakeFront(seconds)
        node.tell(notices.AnswerAwaited("Ben", came=False))
        await sit(node, front, sitting_with())
        assert front.said.count(said) == 1
        advice = [each for each in front.said if "you can vote: without Ben" in each]
        assert len(advice) == is_advised


def test_a_page_that_goes_is_told_of_as_a_page():
    """The news of a lost tab calls it a page, and does not say that the program tries again."""
    seats = tuple(replace(each, in_tab=each.name == "Ben") for each in seats_of(*SCENE.names))
    for end, said in (
        (notices.LinkEnd.SILENT, "Ben's page has not answered for 15 seconds: it may be asleep."),
        (notices.LinkEnd.BROKEN, "Ben's page is gone: it was closed, or its connection stopped."),
        (notices.LinkEnd.QUIT, "Ben has quit, and may come back."),
    ):
        front, commentary = commented()
        heard(commentary, notices.LinkChanged("Ben", up=False, end=end), seats=seats)
        assert front.said == [said]
