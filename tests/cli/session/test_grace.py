"""The grace time: a typed move is held for a while before it is made, and `back` stops it."""

import pytest

from cli.scene import calls, choices
from cli.session.loop import sit
from cli.wording.moves import move_text
from engine.table.moves import Catch
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.scenes import with_plays
from tests.cli.session.test_calls import catching

GRACE_S = 1.5


async def made(scene, *lines, grace_s=GRACE_S):
    """Type these lines; return the moves that the node was asked for, and the sentences."""
    node, front = FakeNode(scene), FakeFront(*lines)
    await sit(node, front, sitting_with(grace_s=grace_s))
    return [move for _, move in node.asked], front.said


async def test_a_move_is_made_when_its_time_is_over(autojump_clock):
    """A held move is made when its time is over; a sentence says how long that is."""
    scene = with_plays(1)
    for waits, count in ((1.4, 0), (1.6, 1)):
        moves, said = await made(scene, "1", waits)
        assert moves == [choices(scene)[0]][:count]
        assert (
            f"Held for 1.5 s: {move_text(scene, choices(scene)[0])}. Type back to stop it." in said
        )


@pytest.mark.parametrize(
    ("lines", "number", "sentence", "count"),
    [
        (("1", 0.5, "back", 3.0, "1", 2.0), 0, "Stopped: nothing is played.", 1),
        (("2", 0.5, "", 0.5, "", 0.6), 1, "Your move is made in a moment; back stops it.", 2),
        (("1", 0.5, "2", 3.0), 1, "The move that was held is not made.", 1),
        (("1", 1.0, "1", 0.8), 0, "Your move is made in a moment; back stops it.", 1),
    ],
    ids=["back", "empty lines", "a newer move", "the same move"],
)
async def test_while_a_move_is_held(autojump_clock, lines, number, sentence, count):
    """A held move that is stopped or replaced is never made.

    Enter, or the same move again, neither hastens nor delays a held move.
    """
    scene = with_plays(2)
    moves, said = await made(scene, *lines)
    assert moves == [choices(scene)[number]]
    assert said.count(sentence) == count


async def test_what_is_typed_again_does_not_hasten_a_held_move(autojump_clock):
    """Neither Enter nor the same move makes a held move before its time is over."""
    for lines in (("2", 0.5, "", 0.5, "", 0.4), ("1", 1.0, "1", 0.4)):
        moves, said = await made(with_plays(2), *lines)
        assert moves == []
        assert "Your move is made in a moment; back stops it." in said


async def test_back_says_that_what_is_made_stays(autojump_clock):
    """`back` says that no move is held if the move has already been made, or there is none."""
    scene = with_plays(1)
    for line in (("1", 2.0, "back"), ("back",)):
        _, said = await made(scene, *line)
        assert any(each.startswith("No move of yours is held.") for each in said)


async def test_nothing_is_held_without_the_setting_and_no_catch_with_it(autojump_clock):
    """Without the setting no move is held; a catch never is, because the first caller wins."""
    scene = with_plays(1)
    moves, said = await made(scene, "1", grace_s=0.0)
    assert moves == [choices(scene)[0]]
    assert not any(each.startswith("Held") for each in said)
    scene, catch = catching(in_turn=False)
    assert isinstance(catch, Catch)
    assert catch in calls(scene)
    moves, _ = await made(scene, f"catch {scene.names[catch.offender]}")
    assert moves == [catch]


async def test_a_person_who_leaves_plays_nothing_that_is_held(autojump_clock):
    """A move that is still held when the player leaves is never made."""
    moves, _ = await made(with_plays(1), "1")
    assert moves == []
