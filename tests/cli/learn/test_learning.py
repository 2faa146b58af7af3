"""Learning to play: what a turn teaches, and the whole round at the real table."""

from dataclasses import replace

import trio

from cli.learn.coach import Coach
from cli.learn.lessons import Lesson, lesson_for, play_text
from cli.scene import lays
from cli.seat.frontend import Happened, TurnBegins
from engine.table.events import Passed, TileDrawn
from engine.table.table import Hand
from engine.table.trains import Position
from netgame.protocol import notices
from tests.cli.running import boneyard
from tests.cli.scenes import some_scenes
from tests.cli.seat.test_calls import FakeFront

SCENES = some_scenes()


def test_a_lesson_comes_with_a_play_that_can_be_made():
    """In every scene; what is learnt is not taught again, and the own train comes first."""
    taught = set()
    for scene in some_scenes():
        learnt = set()
        while (found := lesson_for(scene, learnt)) is not None:
            lesson, move = found
            assert learnt or lesson is Lesson.OWN_TRAIN
            assert move in lays(scene)
            assert play_text(scene, move) in lesson.sentence(play_text(scene, move))
            learnt.add(lesson)
        taught |= learnt
    assert Lesson.OWN_TRAIN in taught


def test_a_round_is_taught_to_its_score(tmp_path):
    """Whatever is typed; what is no move is answered, and nothing is kept."""
    done = boneyard("learn", "--plain", data=tmp_path, text="nonsense\n99\n" + "1\n" * 100)
    assert done.returncode == 0, done.stderr
    assert "Lesson 1 of 8, your own train: " in done.stdout
    assert "It is still your turn. The lesson wants: " in done.stdout
    assert done.stdout.count("Lesson ") >= 5
    assert "the score: The round ends" in done.stdout
    assert not (tmp_path / "tables").exists()


def drawing():
    """A turn in which somebody has drawn a tile that fits."""
    return next(scene for scene in SCENES if scene.table.drawn and lays(scene))


async def test_a_wish_of_the_lesson_ends_with_its_turn_and_its_tile():
    """Nobody reads of two turns in one breath, nor of a tile that lies already."""
    scene = next(scene for scene in SCENES if lesson_for(scene, ()) is not None)
    front = FakeFront("who", "1", "1", "1")
    coach = Coach(front, trio.CancelScope())
    coach.tell(TurnBegins(scene))
    (move, *_) = lays(scene)
    held = tuple((at, tile) for at, tile in scene.hand.tiles if tile != move.tile)
    gone = replace(scene, hand=Hand(scene.seat, held))
    wishes = []
    for now in (scene, replace(scene, can_move=False), gone, scene):
        coach.scene_is(now, "")
        coach.say("It is Ada's turn.")
        await coach.next_line()
        wishes.append(sum("It is still your turn" in said for said in front.said))
    assert wishes == [1, 1, 1, 2]


def test_drawing_is_learnt_with_the_first_draw():
    """Whether the tile fits, covers a double, or ends the turn."""
    scene = drawing()
    everything = set(Lesson) - {Lesson.DRAW}
    assert lesson_for(scene, everything)[0] is Lesson.DRAW
    front = FakeFront()
    coach = Coach(front, trio.CancelScope())
    coach.tell(TurnBegins(next(each for each in SCENES if lesson_for(each, ()) is not None)))
    coach.scene_is(replace(scene, can_move=False), "")
    seat = scene.seat
    for events in ((TileDrawn(seat, Position(0)),), (Passed(seat),), (Passed(seat),)):
        coach.tell(Happened(notices.Played(seat, events), ""))
    assert Lesson.DRAW in coach.learnt
    (said,) = (each for each in front.said if "drawing" in each)
    assert "It did not fit either" in said


def test_one_may_leave_at_once(tmp_path):
    """Without a question."""
    done = boneyard("learn", "--plain", data=tmp_path, text="quit\n")
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("at any turn.")
