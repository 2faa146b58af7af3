"""The table waits until the player has read each explanation, and each turn says what it is for."""

from dataclasses import replace

import pytest
import trio
from msgspec import structs

from cli.learn.coach import Coach
from cli.learn.happenings import Happening, explained, legend
from cli.learn.lessons import ASKED_DRAW, FIRST, ON_YOUR_OWN, SECOND
from cli.learn.reading import Explanations
from cli.render.hand import BARE
from cli.scene import forced_move, lays
from cli.session.desk import Desk
from cli.session.frontend import NoticeShown, TableShown
from cli.session.loop import sit
from engine.table.events import DoubleOwed, MarkerUp, Passed, TileDrawn, TileLaid
from engine.table.moves import DrawTile
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile
from netgame.protocol import notices
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.scenes import some_scenes

SCENES = some_scenes()
TURN = next(scene for scene in SCENES if len(scene.names) > 2 and len(lays(scene)) > 1)
OTHER = Seat((TURN.seat + 1) % len(TURN.names))
NAME = TURN.names[OTHER]
GO_ON = "Press Enter to go on."


def played(*events, seat=OTHER):
    """Return the notice of these events, as done by `seat`, which is another player by default."""
    return notices.Played(seat, events)


LAID = played(TileLaid(OTHER, Tile(3, 9), TrainId(OTHER), 9))
DEALT = notices.Dealt(0)
MARKED = played(Passed(OTHER), MarkerUp(TrainId(OTHER)))


class Board(FakeFront):
    """A screen on which the table stays in sight, with a lesson beside it."""

    keeps_board = has_keys = True
    beside = BARE
    place = None

    def tell(self, occasion):
        """Keep every occasion but a notice without a sentence."""
        if not isinstance(occasion, NoticeShown) or occasion.sentence:
            super().tell(occasion)

    def scene_is(self, place, status, beside=BARE):
        """Keep the place that is shown, and what is shown beside it."""
        super().scene_is(place, status)
        self.place, self.beside = place, beside


def coached(*lines, front=Board, course=FIRST):
    """Return a person who types these lines at this screen, and their coach."""
    screen = front(*lines)
    return screen, Coach(screen, trio.CancelScope(), course)


# ---- what is to be read ---------------------------------------------------------------------


async def test_nothing_goes_on_before_all_is_read(nursery, autojump_clock):
    """Explanations come one by one, and bots still wait for a while after the last one is read."""
    front = FakeFront()
    reading, done = Explanations(front), []

    async def waits(wait):
        await wait()
        done.append(trio.current_time() - began)

    began = trio.current_time()
    reading.explain("One.")
    reading.explain("Two.")
    nursery.start_soon(waits, reading.done)
    nursery.start_soon(waits, lambda: reading.move_on(1.5))
    for said in (["One."], ["One.", "Two."]):
        await trio.sleep(60)
        assert (front.said, done) == ([f"{each} {GO_ON}" for each in said], [])
        reading.turn_over()
    await trio.sleep(60)
    assert (reading.goes_on, done) == (True, [120, 121.5])


async def test_a_script_reads_at_once():
    """For a script, which cannot press Enter, every explanation counts as read."""

    class Script(FakeFront):
        asks_back = False

    front = Script()
    reading = Explanations(front)
    reading.explain("One.")
    await reading.done()
    assert (front.said, reading.goes_on) == (["One."], True)


async def test_what_comes_after_is_told_when_it_is_read(autojump_clock):
    """While the player reads, the next play and the player's own turn are not told."""
    node, looks = FakeNode(replace(TURN, can_move=False)), []
    for low in (3, 4):
        node.tell(played(TileLaid(OTHER, Tile(low, 9), TrainId(OTHER), 9)))

    def look():
        looks.append((f"{NAME} played 9-4 on their own train." in screen.said, screen.beside))

    screen, coach = coached(100.0, look, "", look)
    with coach.scope:
        await sit(node, coach, sitting_with(has_read=coach.reading.done))
    (was_told, reads), (is_told, has_read) = looks
    assert (was_told, reads.asks, reads.suggestion) == (False, True, ("go on", True))
    assert (is_told, has_read.asks, has_read.suggestion) == (True, False, None)
    asked, read = (said for said in screen.said if said.startswith(f"On {NAME}'s own train 9 now"))
    assert asked == f"{read} {GO_ON}"


@pytest.mark.parametrize(("line", "goes_on"), [("1", True), ("help", False), ("\f", False)])
async def test_whoever_plays_has_read(line, goes_on):
    """Typing a move shows that the explanation has been read, as Enter does; `help` does not."""
    front, coach = coached(line)
    coach.scene_is(TURN, "")
    coach.tell(NoticeShown(LAID, ""))
    coach.scene_is(TURN, "")
    assert front.said[-1].endswith(GO_ON)
    assert await coach.next_line() == line
    assert coach.reading.goes_on == goes_on
    assert front.beside.asks != goes_on


async def test_a_question_what_comes_now_shows_what_is_to_be_read():
    """`what now` shows the explanation again, because the program still waits for Enter."""
    front, coach = coached("what now", "what do i do", "help")
    coach.scene_is(TURN, "")
    coach.tell(NoticeShown(LAID, ""))
    asked = front.said[-1]
    assert await coach.next_line() == "help"
    assert front.said == [asked] * 3
    assert not coach.reading.goes_on


async def test_while_something_is_read_only_enter_is_asked_for():
    """While an explanation waits for Enter, no play is named, and the status asks for Enter.

    `what now` shows the explanation again.
    """
    front, coach = coached("what now", "")
    coach.scene_is(TURN, "YOUR TURN")
    coach.tell(NoticeShown(LAID, ""))
    coach.scene_is(TURN, "YOUR TURN")
    assert front.status[-1] == "press Enter | YOUR TURN"
    coach.say("An answer.")
    with trio.move_on_after(0.1):
        await coach.next_line()
    read = [said for said in front.said if said.endswith(GO_ON)]
    assert len(read) == 2
    assert not [said for said in front.said if "The lesson wants" in said]
    assert front.status[-1] == "YOUR TURN"


async def test_an_enter_that_was_pressed_before_turns_nothing_over():
    """Two quick presses of Enter do not skip the explanation that came between."""
    front, coach = coached("", "help")
    front.saw_question = False
    coach.scene_is(TURN, "")
    coach.tell(NoticeShown(LAID, ""))
    assert await coach.next_line() == "help"
    assert not coach.reading.goes_on


async def test_a_question_of_the_session_gives_the_place_back():
    """After a question of the session, such as whether to leave, the explanation is shown again."""
    front, coach = coached()
    coach.scene_is(TURN, "")
    coach.tell(NoticeShown(LAID, ""))
    asked = front.said[-1]
    coach.scene_is(TURN, "", structs.replace(BARE, asks=True))
    assert front.said[-1:] == [asked]
    coach.scene_is(TURN, "")
    assert front.said[-2:] == [asked, asked]


# ---- what is explained ----------------------------------------------------------------------


def test_what_others_do_is_explained_once():
    """Of several events the most important is explained, and each kind is explained only once."""
    own, double = TrainId(TURN.seat), Tile(4, 4)
    for events, happening, said in (
        (LAID.events, Happening.THEIR_TRAIN, f"On {NAME}'s own train 9 now meets 9, and 3"),
        (MARKED.events, Happening.MARKER, f"you may play on {NAME}'s train as well"),
        ((TileLaid(OTHER, Tile(3, 9), own, 9),), Happening.YOUR_TRAIN, "could play 9-3 there"),
        ((TileLaid(OTHER, Tile(3, 9), TrainId(-1), 3),), Happening.MEXICAN, "It ends in 9 now"),
        (
            (TileLaid(OTHER, double, TrainId(OTHER), 4), DoubleOwed(TrainId(OTHER), double, OTHER)),
            Happening.DOUBLE,
            "A double such as 4=4 has to be covered",
        ),
    ):
        found = explained(TURN, events)
        assert found is not None
        assert (found[0], said in found[1]) == (happening, True)
        assert explained(TURN, events, set(Happening)) is None
    front, coach = coached()
    coach.scene_is(TURN, "")
    for _ in range(2):
        coach.tell(NoticeShown(LAID, ""))
    assert len(front.said) == 1


def test_the_second_course_explains_no_first_steps():
    """The second course does not explain the table or what others do."""
    front, coach = coached(course=SECOND)
    coach.tell(NoticeShown(DEALT, ""))
    coach.scene_is(TURN, "")
    coach.tell(NoticeShown(LAID, ""))
    assert front.said == []


@pytest.mark.parametrize("has_board", [True, False])
def test_the_legend_comes_with_the_deal(has_board):
    """After the deal a legend explains a drawn board's signs, or the words used without a board."""

    class Front(Board):
        keeps_board, has_keys = False, has_board

    front, coach = coached(front=Front)
    coach.scene_is(TURN, "")
    assert front.said == []
    coach.tell(NoticeShown(DEALT, ""))
    coach.scene_is(TURN, "")
    text = legend(TURN, front.canvas(), has_board=has_board)
    assert front.said == [f"{text} {GO_ON}"]
    assert (front.canvas().glyphs.open_end in text) == ("Has" in text) == has_board
    coach.scene_is(TURN, "")
    assert len(front.said) == 1


# ---- what a turn is for ---------------------------------------------------------------------


async def test_a_lesson_stands_beside_the_table_until_it_is_played():
    """A lesson stays beside the table until it is played, and is then printed above the play."""
    front, coach = coached()
    coach.scene_is(TURN, "")
    coach.tell(TableShown(TURN))
    stands = front.beside.lesson
    assert stands.startswith("Lesson 1 of 8, ")
    coach.say("It is Ben's turn.")
    coach.scene_is(TURN, "")
    assert (front.beside.lesson, front.said) == (stands, ["It is Ben's turn."])
    mine = played(TileLaid(TURN.seat, Tile(0, 1), TrainId(TURN.seat), 0), seat=TURN.seat)
    coach.tell(NoticeShown(mine, "You played 0-1."))
    coach.scene_is(replace(TURN, can_move=False), "")
    assert front.said[1:] == [stands, "You played 0-1."]
    assert front.beside.lesson == ""


def test_while_something_is_to_be_read_the_lesson_waits():
    """While an explanation waits for Enter, no lesson is shown and no draw is asked for."""
    scene = next(each for each in SCENES if isinstance(forced_move(each), DrawTile))
    front, coach = coached()
    coach.scene_is(scene, "")
    coach.tell(TableShown(replace(scene, asks_draw=True)))
    coach.scene_is(replace(scene, asks_draw=True), "")
    assert ASKED_DRAW in front.beside.lesson
    assert front.place.asks_draw
    coach.reading.explain("Read this.")
    coach.scene_is(replace(scene, asks_draw=True), "")
    assert (front.beside.lesson, front.beside.asks, front.place.asks_draw) == ("", True, False)


def test_a_lost_draw_is_explained_once():
    """A lost draw is explained once: if the draw was asked for, its lesson is not repeated."""
    draws = (TileDrawn(TURN.seat, Position(7)),)
    passes = (Passed(TURN.seat), MarkerUp(TrainId(TURN.seat)))
    scene = next(each for each in SCENES if isinstance(forced_move(each), DrawTile))
    for asks, count in ((True, 1), (False, 2)):
        front, coach = coached()
        coach.scene_is(TURN, "")
        if asks:
            coach.tell(TableShown(replace(scene, asks_draw=True)))
        for events in (draws, passes):
            coach.tell(NoticeShown(played(*events, seat=TURN.seat), ""))
        while not coach.reading.goes_on:
            coach.reading.turn_over()
        read = [said for said in front.said if said.startswith("Lesson") and GO_ON not in said]
        assert len(read) == count + asks  # includes the lesson shown beside the table
        assert sum("the marker" in said for said in read) == 1


@pytest.mark.parametrize("front", [Board, FakeFront])
def test_a_turn_without_a_lesson_says_so(front):
    """Every turn without a lesson says so beside a drawn table; elsewhere only the first does."""
    screen, coach = coached(front=front)
    turns = [scene for scene in SCENES if lays(scene)][:4]
    coach._told += FIRST
    for scene in turns:
        coach.scene_is(scene, "")
        coach.tell(TableShown(scene))
        if front is Board:
            assert screen.beside.lesson == ON_YOUR_OWN
        mine = played(TileLaid(scene.seat, Tile(0, 1), TrainId(scene.seat), 0), seat=scene.seat)
        coach.tell(NoticeShown(mine, ""))
    assert screen.said.count(ON_YOUR_OWN) == (front is FakeFront)


def test_the_first_lesson_has_no_second_plan_beside_it():
    """A desk that offers no trains neither shows nor suggests one."""
    scene = next(
        each for each in SCENES if Desk(FakeNode(each), Board())._notes(each) and each.can_move
    )
    for offers in (True, False):
        desk = Desk(FakeNode(scene), Board(), offers_trains=offers)
        assert bool(desk._notes(scene)) == (desk.suggestion(scene) is not None) == offers
