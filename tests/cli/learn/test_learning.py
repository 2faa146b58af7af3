"""Learning to play: what a turn teaches, and the whole round at the real table."""

import time
from dataclasses import replace

import pytest
import trio

from cli.commands.learn import COURSES, PACE_S, learn
from cli.exits import ExitCode
from cli.input.plan import longest_line, next_lay, tiles_text
from cli.language import say
from cli.learn.coach import Coach
from cli.learn.lesson_table import LEARNER, LessonTable, names_read
from cli.learn.lessons import (
    FEW,
    FIRST,
    PLAY_ON,
    SECOND,
    Lesson,
    lesson_for,
    play_on,
    play_text,
    sentence_of,
)
from cli.scene import lays, own_train, tile_text
from cli.screens.plain import PlainFront
from cli.session.desk import Desk
from cli.session.frontend import TableShown
from cli.session.loop import sit
from cli.wording.hints import move_phrase
from cli.wording.moves import move_text
from engine.table.table import Hand
from netgame.protocol import notices
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.running import spoken
from tests.cli.scenes import some_scenes, walk
from tests.engine.deals import spec_of

SCENES = some_scenes()


def test_a_lesson_comes_with_a_play_that_can_be_made():
    """Each lesson comes with a legal play, and no lesson is given twice.

    If a tile fits the learner's own train, the first lesson is about that train or about drawing.
    """
    taught = set()
    for scene in some_scenes():
        learnt = set()
        while (found := lesson_for(scene, learnt)) is not None:
            lesson, move = found
            goes_on = any(each.train == own_train(scene) for each in lays(scene))
            assert learnt or not goes_on or lesson in (Lesson.OWN_TRAIN, Lesson.DRAW)
            covers = [tile for _, tile in scene.hand.tiles if tile.has(move.tile.high)]
            assert lesson is not Lesson.DOUBLE or covers != [move.tile]
            assert move in lays(scene)
            assert play_text(scene, move) in lesson.sentence(play_text(scene, move))
            learnt.add(lesson)
        taught |= learnt
    assert Lesson.OWN_TRAIN in taught


def test_no_lesson_has_a_double_played_that_cannot_be_covered():
    """No lesson asks for a double that the learner cannot cover, if another play is legal."""
    found = 0
    for scene in (each for seed in range(9) for each in walk(spec_of(9, 3), bytes([seed]), 60)):
        wanted = {taught.play for c in (FIRST, SECOND) if (taught := lesson_for(scene, (), c))}
        bare = [lay for lay in lays(scene) if lay.tile.is_double and not _is_covered(scene, lay)]
        found += bool(bare) and len(bare) < len(lays(scene))
        assert wanted.isdisjoint(bare)
        assert play_on(scene) not in bare or len(bare) == len(lays(scene))
    assert found > 5


def _is_covered(scene, double):
    return any(tile.has(double.tile.low) for _, tile in scene.hand.tiles if tile != double.tile)


@pytest.mark.parametrize(("number", "name"), [("1", "Marie"), ("2", "Sam"), ("2", "Ada")])
async def test_a_course_has_all_its_lessons_whatever_is_typed_and_whoever_learns(number, name):
    """Each lesson comes once, in order, though every other play is tried first."""
    course, _ = COURSES[number]
    front = Typist()
    assert await learn(front, name, number) is ExitCode.OK
    told = [said for said in front.said if said.startswith("Lesson ")]
    for at, said in enumerate(told, 1):
        assert said.startswith(f"Lesson {at} of {len(course)}, ")
    assert {said.split(", ")[1].split(":")[0] for said in told} == {each.title for each in course}
    assert sum(said.startswith("You may play that, but") for said in front.said) >= 8
    assert f"{name} (" not in "".join(front.said)  # no bot has the learner's name with a number


def test_a_lesson_can_be_played_by_a_script(tmp_path):
    """A script can play a lesson: a line without a move gets an answer, and no game is kept."""
    told = spoken("learn", "--plain", data=tmp_path, text="nonsense\n99\n" + "1\n" * 5)
    assert "Lesson 1 of 8, your own train: " in told
    assert "It is still your turn. The lesson wants: " in told
    assert not (tmp_path / "tables").exists()


def test_the_second_lesson_is_true_of_the_table():
    """Each lesson of the second course says only what is true of the scene, down to its numbers."""
    taught = set()
    for seed in range(4):
        for scene in walk(spec_of(9, 3), b"second%d" % seed, 60):
            learnt = set()
            while (found := lesson_for(scene, learnt, SECOND)) is not None:
                lesson, move = found
                table, rest = scene.table, [t for _, t in scene.hand.tiles if t != move.tile]
                end = move.tile.other_end(move.joined)
                seen = [lay.tile for train in table.trains for lay in train.lays]
                seen += [table.hub, move.tile, *rest]
                out = 10 - len({tile for tile in seen if tile.has(end)})
                own = table.trains[scene.seat]
                true = {
                    Lesson.PLAN: move.train == scene.seat and not own.lays,
                    Lesson.OWED: [owed.tile for owed in table.owed if owed.train == move.train],
                    Lesson.CLOSE: move.train == scene.seat and own.marker,
                    Lesson.COUNT: move.train != scene.seat and out <= FEW,
                    Lesson.READY: move.tile.is_double and any(t.has(end) for t in rest),
                    Lesson.SPARE: move.train != scene.seat and not own.marker,
                }
                assert true[lesson], (lesson, move)
                assert move in lays(scene)
                said = sentence_of(scene, found)
                assert play_text(scene, move) in said
                assert lesson is not Lesson.COUNT or f"with {end}: {10 - out} are" in said
                assert lesson is not Lesson.OWED or said.startswith(tile_text(true[lesson][0]))
                learnt.add(lesson)
            taught |= learnt
    assert taught == set(SECOND)


async def test_a_wish_of_the_lesson_ends_with_its_turn_and_its_tile():
    """The coach repeats what the lesson wants only until the turn is over or the tile is played."""
    scene = first_turn()
    front, coach = coached("who", "1", "1", "1")
    coach.tell(TableShown(scene))
    (move, *_) = lays(scene)
    held = tuple((at, tile) for at, tile in scene.hand.tiles if tile != move.tile)
    gone = replace(scene, hand=Hand(scene.seat, held))
    for now, wishes in ((scene, 1), (replace(scene, can_move=False), 1), (gone, 1), (scene, 2)):
        coach.scene_is(now, "")
        coach.say("It is Ada's turn.")
        await coach.next_line()
        assert sum("It is still your turn" in said for said in front.said) == wishes


def first_turn(course=FIRST):
    """Return the first scene in which the course has a lesson for a learner who has had none."""
    return next(scene for scene in SCENES if lesson_for(scene, (), course) is not None)


def coached(*lines, course=FIRST):
    """Return a person who types these lines, and their coach."""
    front = FakeFront(*lines)
    return front, Coach(front, trio.CancelScope(), course)


class Typist(PlainFront):
    """A script that types every play of each turn, the last in the list first."""

    def __init__(self):
        super().__init__()
        self.asks_back = False
        self.said = []
        self._plays = []
        self._shown = trio.Event()

    def say(self, sentence):
        """Collect the sentence in `said`."""
        self.said.append(sentence)

    def tell(self, occasion):
        """Note the plays to type whenever it is this seat's turn."""
        super().tell(occasion)
        if isinstance(occasion, TableShown) and occasion.scene.can_move:
            self._plays = [move_text(occasion.scene, lay) for lay in lays(occasion.scene)]
            self._shown.set()

    async def next_line(self, _back=""):
        """Return the next listed play, after waiting for a turn if all have been returned."""
        while not self._plays:
            self._shown = trio.Event()
            await self._shown.wait()
        return self._plays.pop()


async def test_a_turn_that_was_lost_before_anything_was_typed_is_explained(monkeypatch):
    """Lessons on drawing and the marker come even if the program draws and passes by itself."""
    monkeypatch.setitem(COURSES, "1", (FIRST, ("--bots=easy,easy", "--seed=135")))
    front = Typist()
    assert await learn(front, "Sam") is ExitCode.OK
    told = "\n".join(front.said)
    parts = ("1 of 8, drawing: ", "It did not fit either", "2 of 8, the marker: ", "3 of 8, your ")
    assert sorted(parts, key=told.index) == [*parts]


def test_an_own_train_that_others_have_begun_goes_on_with_its_last_number():
    """The lesson names the last number of a train that others have begun, not the engine's."""
    walks = (walk(spec_of(9, 3), b"begun%d" % seed, 40) for seed in range(30))
    scene, found = next(
        (scene, found)
        for each in walks
        for scene in each
        if (found := lesson_for(scene, ())) and found.lesson is Lesson.OWN_TRAIN
        if scene.table.train(scene.seat).lays
    )
    said = "others have begun it. It goes on with a tile that has its last number, "
    assert f"{said}{found.play.joined}." in sentence_of(scene, found)


async def test_enter_plays_what_the_lesson_wants():
    """Enter plays the tile that the lesson asks for, not the next tile of a plan.

    The prompt suggests that play only on a screen with keys.
    """
    taught = ((scene, lesson_for(scene, ())) for scene in SCENES)
    scene, wanted, plan = next(
        (scene, found.play, lay)
        for scene, found in taught
        for lay in lays(scene)
        if found and lay.tile != found.play.tile and lay.train == scene.seat
    )
    node = FakeNode(scene)
    front, coach = coached(f"plan {plan.tile.high}-{plan.tile.low}", "")
    front.has_keys = True
    sitting = sitting_with(teacher=coach)
    node.tell(notices.YourTurn())
    with coach.scope:
        await sit(node, coach, sitting)
    assert node.asked == [("propose", wanted)]
    desk = Desk(node, front, teacher=coach)
    assert desk.suggestion(scene) == (move_text(scene, wanted), True)
    front.has_keys = False
    assert desk.suggestion(scene) != (move_text(scene, wanted), True)


async def test_another_play_than_the_lesson_s_is_withheld():
    """A play other than the lesson's is not made, whether it is typed by number or by tile.

    The answer names the lesson's play.
    """
    scene, wanted = next(
        (scene, found.play)
        for scene in SCENES
        if (found := lesson_for(scene, ())) and len(lays(scene)) > 1
    )
    other = next(lay for lay in lays(scene) if lay != wanted)
    text = move_text(scene, other)
    lines = [text, f"{lays(scene).index(other) + 1}", f"play {text}", text.swapcase()]
    node = FakeNode(scene)
    front, coach = coached(*lines)
    node.tell(notices.YourTurn())
    with coach.scope:
        await sit(node, coach, sitting_with(teacher=coach))
    assert node.asked == []
    why = "You may play that, but this lesson shows something else: type "
    said = [each for each in front.said if each.startswith(why)]
    assert said == [f"{why}{play_text(scene, wanted)}."] * len(lines)


async def test_a_typed_train_is_withheld_before_it_becomes_the_plan():
    """A typed train that the coach withholds is neither played nor reported as played."""
    scene, wanted, train = next(
        (scene, found.play, line)
        for scene in SCENES
        if (found := lesson_for(scene, ())) and (line := longest_line(scene)) is not None
        if len(line.pairs) > 1 and next_lay(line, scene) not in (None, found.play)
    )
    node = FakeNode(scene)
    front, coach = coached(tiles_text(train.pairs))
    node.tell(notices.YourTurn())
    with coach.scope:
        await sit(node, coach, sitting_with(teacher=coach))
    assert node.asked == []
    assert any(said.endswith(f": type {play_text(scene, wanted)}.") for said in front.said)
    assert not [said for said in front.said if "is played" in said]


async def test_a_hint_is_the_play_of_the_lesson():
    """A hint during a lesson names the play that the lesson asks for."""
    scene = first_turn()
    wanted = lesson_for(scene, ()).play
    node = FakeNode(scene)
    front, coach = coached("hint")
    node.tell(notices.YourTurn())
    with coach.scope:
        await sit(node, coach, sitting_with(teacher=coach))
    hint = next(said for said in front.said if said.startswith("Try "))
    assert hint.startswith(f"Try {move_phrase(scene, wanted)}")
    assert hint.endswith("The lesson asks for that play.")


def test_a_turn_without_a_lesson_leads_to_the_next():
    """Between lessons the coach names a play and withholds the others.

    After the last lesson it does neither.
    """
    scene = next(each for each in SCENES if len(lays(each)) > 1)
    front, coach = coached()
    told = [lesson for lesson in FIRST if lesson is not Lesson.MARKER]
    coach._told += told
    coach.tell(TableShown(scene))
    wanted = coach.wanted(scene)
    assert wanted == play_on(scene)
    assert front.said[-1] == say(PLAY_ON, play=play_text(scene, wanted))
    other = next(lay for lay in lays(scene) if lay != wanted)
    assert "the next lesson needs another tile" in coach.withheld(scene, other)
    assert coach.withheld(scene, wanted) == ""
    _, coach = coached()
    coach._told += [*told, Lesson.MARKER]
    assert coach.wanted(scene) is None
    assert coach.withheld(scene, other) == ""


def test_the_learner_reads_their_own_name_and_no_bot_has_it():
    """The learner's own name is shown in place of the fixed one in the log.

    No bot has the same name, whatever its case.
    """
    for own in ("Marie", "ada", "Sam"):
        read = names_read(own)
        assert read[LEARNER] == own
        bots = [read[name] for name in ("Ada", "Bix")]
        assert len({own.casefold(), *map(str.casefold, bots)}) == 3
    node = LessonTable(FakeNode(first_turn()), {"Ana": "Marie"})
    assert next(seat.name for seat in node.view().seats) == "Marie"
    assert node.is_hidden is False


def test_one_may_leave_at_once(tmp_path):
    """`quit` leaves a lesson without a question."""
    told = spoken("learn", "--plain", data=tmp_path, text="quit\n")
    assert "There is a second lesson: boneyard learn 2" in told
    assert told.rstrip().endswith("at any turn.")


def test_the_table_holds_still_while_one_reads(start):
    """No bot moves before Enter, or in the second and a half after it."""
    lesson = start("learn", name="Sam")
    lesson.wait_for_prompt("Press Enter to begin")
    lesson.send("\r")
    lesson.wait_for_prompt("Each row is a train.")
    lesson.send("\r")
    lesson.wait_for_prompt("On Ada's own train 9 now meets 9")
    read_at = time.monotonic() + 2
    lesson.wait_until(lambda: time.monotonic() > read_at)
    assert not lesson.has("Bix played")
    lesson.send("\r")
    began = time.monotonic()
    lesson.wait_for("Bix played")
    assert time.monotonic() - began > PACE_S - 0.1
    lesson.wait_for_prompt("Lesson 1 of 8, your own train")
    assert not lesson.has("type plan to keep it")
    lesson.send("\r")
    lesson.wait_for("You played 9-0 on your own train.")
    lesson.wait_for_prompt("Lesson 2 of 8, the Mexican train")
    lesson.send("4-2 m\r")
    lesson.wait_for("You could play")
    lesson.send("3-0 sam\r")
    lesson.wait_for("this lesson shows something else: type 9-4 m")
    lesson.send("quit\r")
    assert lesson.exit_code() == 0
