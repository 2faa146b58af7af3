"""Calls at the table: the effect of a tap or a catch, and the reminders."""

from dataclasses import replace
from functools import partial

import pytest

from cli.scene import calls, legal, scene_of
from cli.session.loop import sit
from cli.wording.notices import notice_text
from engine.play.calls import offenders
from engine.play.judge import why_illegal
from engine.play.legal_moves import legal_moves
from engine.table.events import Caught, Tapped
from engine.table.moves import Catch, Tap
from engine.table.table import here_from
from engine.table.trains import Seat
from netgame.io.node.question import Waiting
from netgame.protocol import notices
from netgame.wire.messages import Settings
from tests.cli.fakes import FakeFront, FakeNode, played, sitting_with, view_of
from tests.cli.scenes import scenes_of

SETTINGS = Settings("roundhouse", (), 9, 3, 1, 3)


def catching(*, in_turn: bool):
    """Return a scene, in or out of the player's turn, and a catch that the player can call."""
    return next(
        (scene, call)
        for scene in scenes_of("roundhouse", 120, 60)
        for call in calls(scene)
        if isinstance(call, Catch) and scene.can_move == in_turn
    )


def tapping():
    """Return a scene in which the player can tap, although it is not their turn."""
    scenes = (each for each in scenes_of("roundhouse", 120, 60) if not each.can_move)
    return next(scene for scene in scenes if Tap(scene.seat) in calls(scene))


@pytest.mark.parametrize("rules", ["roundhouse", "wolf-lake"])
def test_the_time_to_speak_is_offered_for_what_one_may_do(rules):
    """The sentence about the time to speak offers a tap only if the player may still tap.

    If only the player failed to tap, and it is too late for that, it says that others can catch
    them.
    """
    told = set()
    for scene in scenes_of(rules, 120, 30, deal="5"):
        if silent := offenders(scene.table):
            sentence = notice_text(scene, notices.MayCall(3.0))
            taps = why_illegal(scene.table, Tap(scene.seat)) is None
            assert ("to tap" in sentence) == taps
            assert ("catch you" in sentence) == (silent == (scene.seat,) and not taps)
            told.add(sentence)
    assert told


@pytest.mark.parametrize("in_turn", [True, False])
async def test_a_catch_waits_for_the_step_in_which_all_may_speak(in_turn):
    """A catch is sent as a call, not as a move, in and out of the player's own turn."""
    scene, call = catching(in_turn=in_turn)
    node, _ = await played(scene, f"catch {scene.names[call.offender]}")
    assert node.asked == [("call", call)]


async def test_a_catch_that_would_come_too_late_is_neither_offered_nor_sent():
    """A catch outside the time to speak is not offered, and is refused as too late."""
    scene, late = next(
        (scene, move)
        for scene in scenes_of("roundhouse", 120, 60)
        for move in legal_moves(scene.table, scene.hand)
        if scene.can_move and isinstance(move, Catch) and move not in calls(scene)
    )
    assert (scene.table.to_move + 1) % 3 == late.offender
    assert late not in legal(scene)
    assert late in calls(replace(scene, speaking=True))
    node, front = await played(scene, f"catch {scene.names[late.offender]}")
    assert node.asked == []
    assert any("Too late" in sentence for sentence in front.said)


async def test_a_tap_out_of_turn_waits_too_and_is_confirmed():
    """A tap out of turn is sent as a call.

    The player reads that it counts as soon as all may speak.
    """
    scene = tapping()
    node, front = await played(scene, "tap")
    assert node.asked == [("call", Tap(scene.seat))]
    assert any("as soon as all may speak" in sentence for sentence in front.said)


async def test_a_tap_that_waits_for_the_disk_is_not_confirmed(monkeypatch):
    """A tap that waits for the disk gets no confirmation, which would be false."""

    async def wait(_node, _move):
        return Waiting()

    monkeypatch.setattr(FakeNode, "call", wait)
    _, front = await played(tapping(), "tap")
    assert not any("as soon as all may speak" in sentence for sentence in front.said)


@pytest.mark.parametrize("over", [notices.RoundOver(()), notices.GameOver(())])
async def test_who_called_is_told_that_the_round_ended_before_it_counted(over, autojump_clock):
    """A call that still waits when its round ends is reported as too late.

    A call that has counted is not.
    """
    in_round, call = catching(in_turn=False)
    caught = notices.Played(Seat(0), (Caught(call.offender, Seat(0), 1),))
    tap = Tap(tapping().seat)
    told = notices.Played(tap.seat, (Tapped(tap.seat),))
    others = notices.Played(call.seat, (Tapped(call.seat),))
    for scene, line, heard, said in (
        (in_round, "catch", (), "Your catch came too late: "),
        (in_round, "catch", (others,), "Your catch came too late: "),
        (in_round, "catch", (caught,), ""),
        (tapping(), "tap", (), "Your tap came too late: "),
        (tapping(), "tap", (told,), ""),
        (in_round, "score", (), ""),
    ):
        node = FakeNode(scene, settings=SETTINGS)
        front = FakeFront(line, partial(node.tell, *heard, over, over))
        await sit(node, front, sitting_with())
        late = [each for each in front.said if "too late: the round ended" in each]
        assert [each.startswith(said) for each in late] == [True] * bool(said)


def test_who_has_spoken_can_call_in_this_step_no_more():
    """A seat that has already spoken cannot call a catch in the same step."""
    scene = next(
        scene
        for scene in scenes_of("roundhouse", 120, 60)
        for seat in offenders(scene.table)
        if scene.seat not in (seat, scene.table.to_move)
        and here_from(scene.table, scene.table.to_move + 1) == seat
    )
    due = scene.table.present
    for lacking, may in ((due, True), ((), False)):
        seen = scene_of(view_of(scene, due=due, lacking=lacking, can_move=False))
        assert any(isinstance(call, Catch) for call in calls(seen)) == may


async def test_a_tap_before_the_play_is_an_ordinary_move():
    """A tap in the player's own turn is proposed like any other move, before the play."""
    scene = next(
        scene
        for scene in scenes_of("wolf-lake", 150, 60)
        if scene.can_move and Tap(scene.seat) in calls(scene)
    )
    node, _ = await played(scene, "tap")
    assert node.asked == [("propose", Tap(scene.seat))]


async def test_who_lets_the_program_play_is_not_reminded():
    """With `--auto` no reminder says to tap, because the program does it."""
    _, front = await played(tapping(), told=[notices.ChatHeard("Ben", "hi")], auto=True)
    assert not any("type tap" in sentence for sentence in front.said)
