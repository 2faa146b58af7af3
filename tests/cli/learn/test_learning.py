"""Learning to play: what a turn teaches, and the whole round at the real table."""

import time
from dataclasses import replace

import trio

from cli.commands.learn import COURSES, PACE_S, learn
from cli.exits import ExitCode
from cli.learn.coach import Coach
from cli.learn.lessons import FEW, FIRST, SECOND, Lesson, lesson_for, met_by, play_text, sentence_of
from cli.scene import lays, own_train, tile_text
from cli.screens.plain import PlainFront
from cli.session.desk import Desk
from cli.session.frontend import NoticeShown, TableShown
from cli.session.loop import sit
from cli.wording.moves import move_text
from engine.table.events import DoubleCovered, MarkerUp, TileLaid
from engine.table.table import Hand
from engine.table.trains import Seat, TrainId
from engine.tiles import Tile
from netgame.protocol import notices
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.running import boneyard, spoken
from tests.cli.scenes import some_scenes, walk
from tests.engine.deals import spec_of

SCENES = some_scenes()


def test_a_lesson_comes_with_a_play_that_can_be_made():
    """In every scene; what is learnt is not taught again, and the own train comes first."""
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


def test_a_round_is_taught_to_its_score(tmp_path):
    """Whatever is typed; what is no move is answered, and nothing is kept."""
    told = spoken("learn", "--plain", data=tmp_path, text="nonsense\n99\n" + "1\n" * 100)
    assert "Lesson 1 of 8, your own train: " in told
    assert "It is still your turn. The lesson wants: " in told
    assert told.count("Lesson ") >= 5
    assert "the score: The round ends" in told
    assert not (tmp_path / "tables").exists()


def test_a_second_round_is_taught_to_whoever_follows(tmp_path):
    """All of it comes up in the deal; what the first round teaches is not told again."""
    done = boneyard("learn", "2", "--plain", "--name", "Sam", data=tmp_path, text="1\n" * 60)
    assert (done.returncode, done.stderr) == (0, "")
    told = {each.title: f"of 6, {each.title}: " in done.stdout for each in Lesson}
    assert told == {each.title: each in SECOND for each in Lesson}
    first, *_ = (line for line in done.stdout.splitlines() if line.startswith("Lesson "))
    assert first.startswith("Lesson 1 of 6, a plan: You hold a train of 10 tiles. Type plan")
    assert "Not met this time" not in done.stdout
    assert "learn 2" not in done.stdout
    assert "at any turn." in done.stdout


def test_the_second_lesson_is_true_of_the_table():
    """Whatever it says of what is owed, held, planned or out can be counted there."""
    taught = set()
    for seed in range(4):
        for scene in walk(spec_of(9, 3), b"second%d" % seed, 60):
            learnt = set()
            while (found := lesson_for(scene, learnt, course=SECOND)) is not None:
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
                assert lesson is not Lesson.COUNT or f"with {end}: {10 - out} lie" in said
                assert lesson is not Lesson.OWED or said.startswith(tile_text(true[lesson][0]))
                learnt.add(lesson)
            taught |= learnt
    assert taught == set(SECOND)


async def test_a_wish_of_the_lesson_ends_with_its_turn_and_its_tile():
    """Nobody reads of two turns in one breath, nor of a tile that lies already."""
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
    """A turn that has a lesson, seen by a seat that has not been taught anything."""
    return next(scene for scene in SCENES if lesson_for(scene, (), course=course) is not None)


def coached(*lines, course=FIRST):
    """Somebody who types these lines, and the coach who stands behind them."""
    front = FakeFront(*lines)
    return front, Coach(front, trio.CancelScope(), course)


def happens(coach, seat, *events):
    """The coach hears what this seat has done."""
    coach.tell(NoticeShown(notices.Played(seat, events), ""))


class Typist(PlainFront):
    """A script: in each turn it types the next of these lines, and then the first play."""

    def __init__(self, *lines):
        super().__init__()
        self.asks_back = False
        self.said = []
        self._lines = [*lines]
        self._to_type, self._typed = trio.open_memory_channel(99)

    def say(self, sentence):
        """Keep it."""
        self.said.append(sentence)

    def tell(self, occasion):
        """Type once a turn is told."""
        super().tell(occasion)
        if isinstance(occasion, TableShown) and occasion.scene.can_move:
            self._to_type.send_nowait(self._lines.pop(0) if self._lines else "1")

    async def next_line(self, _back=""):
        """Wait for the next."""
        return await self._typed.receive()


async def test_a_turn_that_was_lost_before_anything_was_typed_is_explained(monkeypatch):
    """The program draws and passes for a script, others begin the train: all of it is told.

    So is the Mexican train before the own one, where nothing else can be played.
    """
    monkeypatch.setitem(COURSES, "1", (FIRST, ("--bots=easy,easy", "--seed=4")))
    front = Typist("6-0 m")
    assert await learn(front, "Sam") is ExitCode.OK
    drew, *_ = (at for at, said in enumerate(front.said) if "you drew 2-1 and passed" in said)
    told = "\n".join(front.said[drew:])
    parts = (
        "1 of 8, drawing: ",
        "It did not fit either",
        "2 of 8, the marker: ",
        "3 of 8, the Mexican train: ",
        "4 of 8, your own train: ",
        "others have begun it. It goes on with a tile that has its last number, 0.",
    )
    assert sorted(parts, key=told.index) == [*parts]
    missed = [said for said in front.said if said.startswith("Not met this time: ")]
    assert not [said for said in missed if "drawing" in said or "marker" in said]


def test_a_lesson_is_met_only_by_what_it_teaches():
    """A tile that covers a double on a private train shows no open train, and a draw no play."""
    seat, own, other = Seat(0), TrainId(0), TrainId(1)
    covers = DoubleCovered(other, Tile(2, 2))
    for train, low, *more, met in (
        (own, 1, {Lesson.OWN_TRAIN}),
        (own, 2, {Lesson.OWN_TRAIN, Lesson.DOUBLE}),
        (other, 1, {Lesson.OTHERS}),
        (other, 1, covers, {Lesson.COVER}),
        (TrainId(-1), 1, {Lesson.MEXICAN}),
    ):
        assert met_by([TileLaid(seat, Tile(low, 2), train, low), *more], seat) == met
    assert met_by([MarkerUp(other)], seat) == set()


async def test_enter_plays_what_the_lesson_wants():
    """And not the next tile of a plan, nor a train that is offered; the prompt says so."""
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
    sitting = sitting_with(teacher=coach.wanted)
    node.tell(notices.YourTurn())
    with coach.scope:
        await sit(node, coach, sitting)
    assert node.asked == [("propose", wanted)]
    desk = Desk(node, front, teacher=coach.wanted)
    assert desk.suggestion(scene) == (move_text(scene, wanted), True)
    lesson = lesson_for(scene, ()).lesson
    same = [lay for lay in lays(scene) if lesson_for(scene, (), (), lay) == (lesson, lay)]
    assert len(same) > 1
    front.has_keys = False
    assert desk.suggestion(scene) != (move_text(scene, wanted), True)


def test_a_lesson_that_was_not_done_comes_again_after_the_others():
    """It is not met by being read; done by another tile it is."""
    scene = first_turn()
    front, coach = coached()
    lesson, _ = lesson_for(scene, ())
    seat = scene.seat
    coach.scene_is(scene, "")
    assert coach.wanted(replace(scene, can_move=False)) is None
    for _ in range(2):  # shown again in the same turn it is the same lesson
        coach.tell(TableShown(scene))
    assert coach.met == set()
    assert front.said[0] == front.said[1]
    others = lesson_for(scene, (), [lesson])
    assert others is not None
    assert (others.lesson is lesson) == (lesson_for(scene, [lesson]) is None)
    happens(coach, seat, TileLaid(seat, Tile(0, 1), TrainId(seat), 0))
    assert Lesson.OWN_TRAIN in coach.met


async def test_a_lesson_of_the_second_round_is_met_by_the_play_it_wants():
    """Another play of the turn leaves it to be told again; the first round's are not told."""
    scene = first_turn(SECOND)
    lesson, play = lesson_for(scene, (), course=SECOND)
    front, coach = coached(course=SECOND)
    coach.scene_is(scene, "")
    coach.tell(TableShown(scene))
    assert front.said[-1].startswith(f"Lesson 1 of {len(SECOND)}, {lesson.title}: ")
    for train, met in ((TrainId(99), False), (play.train, True)):
        laid = TileLaid(scene.seat, play.tile, train, play.joined)
        happens(coach, scene.seat, laid, MarkerUp(scene.seat))
        assert (lesson in coach.met) == met
    assert sum("Lesson" in said for said in front.said) == 1


def test_a_double_owed_in_ones_turn_is_met_however_it_was_played():
    """Covered on one's own train, or not at all: whoever reads the end knows that it was there."""
    turn = next(scene for scene in SCENES if scene.table.owed)
    waiting = replace(turn, seat=Seat((turn.table.to_move + 1) % turn.table.spec.seats))
    for place, missed in ((waiting, True), (turn, False)):
        _, coach = coached(course=SECOND)
        coach.scene_is(place, "")
        assert (Lesson.OWED in coach.missed) == missed
    own = next(
        scene
        for scene in SCENES
        if scene.table.owed and any(move.train == scene.seat for move in lays(scene))
    )
    assert lesson_for(own, (), course=SECOND).lesson is Lesson.OWED


def test_what_was_told_is_not_said_to_have_been_missed():
    """Whoever did something else in that turn has read of it."""
    _, coach = coached()
    lesson = lesson_for(first_turn(), ()).lesson
    coach.tell(TableShown(first_turn()))
    assert lesson not in coach.met
    assert lesson not in coach.missed


def test_one_may_leave_at_once(tmp_path):
    """Without a question."""
    told = spoken("learn", "--plain", data=tmp_path, text="quit\n")
    assert "There is a second lesson: boneyard learn 2" in told
    assert told.rstrip().endswith("at any turn.")


def test_the_table_holds_still_while_one_reads(start):
    """The legend first; then no bot moves before Enter, nor in the second and a half after it."""
    lesson = start("learn", name="Sam")
    lesson.wait_for_prompt("Press Enter to begin")
    lesson.send("\r")
    lesson.wait_for_prompt("Each row is a train.")
    lesson.send("\r")
    lesson.wait_for_prompt("Lesson 1 of 8, your own train")
    assert not lesson.has("type plan to keep it")
    lesson.send("\r")
    lesson.wait_for_prompt("On Ada's own train 9 now lies against 9")
    assert lesson.has("You played 9-1 on your own train.")
    read_at = time.monotonic() + 2
    lesson.wait_until(lambda: time.monotonic() > read_at)
    assert not lesson.has("Bix played")
    lesson.send("\r")
    began = time.monotonic()
    lesson.wait_for("Bix played")
    assert time.monotonic() - began > PACE_S - 0.1
    lesson.wait_for_prompt("Lesson 2 of 8, the Mexican train")
    lesson.send("quit\r")
    assert lesson.exit_code() == 0
