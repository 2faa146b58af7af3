"""Calls at the table: what the loop does with a tap or a catch, and when it reminds of them."""

import math
from dataclasses import replace

import pytest
import trio
import trio.testing

from cli.exits import ExitCode
from cli.render.cells import Canvas
from cli.render.palette import ASCII_GLYPHS
from cli.scene import calls, legal
from cli.session.frontend import NoticeShown
from cli.session.loop import sit
from cli.session.stay import SessionOptions
from engine.play.legal_moves import legal_moves
from engine.table.moves import Catch, Tap
from netgame.io.door.admission import Door
from netgame.io.node.question import Granted, Waiting
from netgame.protocol import notices
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView
from tests.cli.scenes import scenes_of


def view_of(scene) -> TableView:
    """The view of a table in play whose scene this is."""
    seats = tuple(
        SeatInfo(name, name.encode(), "abcd", False, True, decides=True) for name in scene.names
    )
    return TableView(
        *(TableStage.PLAYING, b"t", None, scene.table.spec, scene.table, scene.seat, scene.hand),
        *(seats, b"", False, len(seats), (), b"", 7, None, scene.can_move),
        needed=len(seats) // 2 + 1,
    )


class FakeNode:
    """A node at one moment of a game, which remembers what it was asked."""

    def __init__(self, scene) -> None:
        self.key = scene.names[scene.seat].encode()
        self.name = scene.names[scene.seat]
        self.finished = trio.Event()
        self.door = Door()
        self.scene = scene
        self.asked: list[tuple[str, object]] = []
        self.folder = None
        self.teller, self.notices = trio.open_memory_channel(math.inf)

    def view(self) -> TableView:
        """The table as it is."""
        return view_of(self.scene)

    def when_changed(self) -> trio.Event:
        """Nothing ever changes by itself."""
        return trio.Event()

    when_moved = when_changed

    async def propose(self, move):
        """Remember a move."""
        self.asked.append(("propose", move))
        return Granted()

    def is_missed(self, key) -> bool:
        """Ben is away."""
        return key == b"Ben"

    async def go_on_without(self, keys) -> None:
        """Remember a vote."""
        self.asked.append(("without", keys))

    async def chat(self, text) -> None:
        """Remember talk."""
        self.asked.append(("chat", text))

    def addresses_of(self, _key) -> tuple[str, ...]:
        """Nobody has said."""
        return ()

    async def on_disk(self, work, _otherwise):
        """Do it at once."""
        return work()

    async def rename(self, name) -> None:
        """Remember a name."""
        self.asked.append(("rename", name))

    async def attend(self) -> None:
        """A person sits here."""

    async def call(self, move):
        """Remember a call."""
        self.asked.append(("call", move))
        return Granted()


class FakeFront:
    """A person who types these lines and then leaves; remembers what was said."""

    asks_back = True
    has_keys = keeps_board = False
    saw_question = True
    seen = None

    def __init__(self, *lines: str) -> None:
        self.lines = [*lines, "quit", "yes"]
        self.said: list[str] = []

    def canvas(self) -> Canvas:
        """A page."""
        return Canvas(80, 24, ASCII_GLYPHS)

    def say(self, sentence: str) -> None:
        """Remember."""
        self.said.append(sentence)

    def recount(self, sentence: str) -> None:
        """Remember."""
        self.say(sentence)

    def ask(self, sentence: str) -> None:
        """Remember."""
        self.say(sentence)

    def show(self, _lines) -> None:
        """Show nothing."""

    def tell(self, occasion) -> None:
        """Remember what is said of what happens; show no board, no lobby and no scores."""
        if isinstance(occasion, NoticeShown):
            self.said.append(occasion.sentence)

    def scene_is(self, *_place) -> None:
        """Have no status line."""

    async def next_line(self) -> str | None:
        """Type the next line once everything else has been done."""
        await trio.testing.wait_all_tasks_blocked()
        return self.lines.pop(0)


async def played(scene, *lines: str, told=(), auto: bool = False) -> tuple[FakeNode, FakeFront]:
    """Sit at this moment of a game, hear these notices, type these lines."""
    node, front = FakeNode(scene), FakeFront(*lines)
    for notice in told:
        node.teller.send_nowait(notice)
    code = await sit(node, front, SessionOptions(auto=auto))
    assert code is ExitCode.OK
    return node, front


def catching(*, in_turn: bool):
    """A moment at which somebody may be caught, in or out of one's own turn; and the call."""
    for scene in scenes_of("roundhouse", 120, 60):
        for call in calls(scene):
            if isinstance(call, Catch) and scene.can_move == in_turn:
                return scene, call
    raise AssertionError("nobody is ever caught")


def tapping():
    """A moment, not one's own turn, at which a last tile must be told."""
    for scene in scenes_of("roundhouse", 120, 60):
        if not scene.can_move and Tap(scene.seat) in calls(scene):
            return scene
    raise AssertionError("nobody ever has one tile")


@pytest.mark.parametrize("in_turn", [True, False])
async def test_a_catch_waits_for_the_step_in_which_all_may_speak(in_turn):
    """Whoever types it, and whenever: it is never a move of the turn."""
    scene, call = catching(in_turn=in_turn)
    node, _ = await played(scene, f"catch {scene.names[call.offender]}")
    assert node.asked == [("call", call)]


async def test_a_catch_that_would_come_too_late_is_neither_offered_nor_sent():
    """Nobody can call between the last turn before the offender's and that turn itself."""
    for scene in scenes_of("roundhouse", 120, 60):
        late = [
            move
            for move in legal_moves(scene.table, scene.hand)
            if isinstance(move, Catch) and move not in calls(scene)
        ]
        if not late or not scene.can_move:
            continue
        assert (scene.table.to_move + 1) % 3 == late[0].offender
        assert late[0] not in legal(scene)
        assert late[0] in calls(replace(scene, speaking=True))
        name = scene.names[late[0].offender]
        node, front = await played(scene, f"catch {name}")
        assert node.asked == []
        assert any("Too late" in sentence for sentence in front.said)
        return
    raise AssertionError("nobody is ever too late")


async def test_a_tap_out_of_turn_waits_too_and_is_confirmed():
    """A tap may have to wait a moment, so that the player is told that it was heard."""
    scene = tapping()
    node, front = await played(scene, "tap")
    assert node.asked == [("call", Tap(scene.seat))]
    assert any("as soon as all may speak" in sentence for sentence in front.said)


async def test_a_tap_that_waits_for_the_disk_is_not_confirmed(monkeypatch):
    """The seat has told why it waits; that the tap counts would be false."""

    async def wait(_node, _move):
        return Waiting()

    monkeypatch.setattr(FakeNode, "call", wait)
    _, front = await played(tapping(), "tap")
    assert not any("as soon as all may speak" in sentence for sentence in front.said)


async def test_a_tap_before_the_play_is_an_ordinary_move():
    """Choo Choo belongs to one's own turn, and stands in the record before the play."""
    scene = next(
        scene
        for scene in scenes_of("wolf-lake", 150, 60)
        if scene.can_move and Tap(scene.seat) in calls(scene)
    )
    node, _ = await played(scene, "tap")
    assert node.asked == [("propose", Tap(scene.seat))]


async def test_a_person_is_reminded_once_of_a_last_tile_and_of_who_may_be_caught():
    """The reminder comes with the play that made it due, not with every later notice."""
    scene = tapping()
    news = [notices.Played(scene.seat, ()), notices.ChatHeard("Ben", "hi")]
    _, front = await played(scene, told=news)
    assert front.said.count("One tile left: type tap.") == 1
    scene, call = catching(in_turn=False)
    _, front = await played(scene, told=news)
    name = scene.names[call.offender]
    assert sum(f"type catch {name}" in sentence for sentence in front.said) == 1


async def test_who_lets_the_program_play_is_not_reminded():
    """With `--auto` the program calls by itself."""
    _, front = await played(tapping(), told=[notices.ChatHeard("Ben", "hi")], auto=True)
    assert not any("type tap" in sentence for sentence in front.said)


async def test_a_call_that_is_out_of_place_is_refused_before_it_is_sent():
    """Nobody can be caught who has told, or has more than one tile."""
    scene = next(scene for scene in scenes_of("roundhouse", 60) if not calls(scene))
    node, front = await played(replace(scene, can_move=False), "tap", "catch ben")
    assert node.asked == []
    assert any("Nobody has to tap now." in sentence for sentence in front.said)
    assert any("nobody to catch" in sentence for sentence in front.said)
