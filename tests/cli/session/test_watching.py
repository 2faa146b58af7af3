"""Watchers: what they type, see and read, and how tables in play are listed."""

import itertools
from functools import partial

import pytest
from msgspec import structs
from msgspec.structs import replace

from cli.arguments.parser import read_arguments
from cli.exits import ExitCode
from cli.joining.person import join_options, sitting_of
from cli.joining.search import _fitting as fitting
from cli.joining.search import ad_sentence
from cli.render.cells import Canvas, line_cells
from cli.render.hand import hand_lines, turn_lines
from cli.render.palette import ASCII_GLYPHS
from cli.render.sheets import who_lines
from cli.render.status import status_text
from cli.scene import scene_of
from cli.session.endings.last_words import last_words
from cli.session.frontend import TableShown
from cli.session.loop import sit
from cli.session.verbs.complete import complete
from cli.wording.notices import notice_text
from cli.wording.seats import NO_SEAT
from engine.table.table import Hand
from engine.table.trains import Seat
from netgame.io.discovery.advert import TableAd
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.wire.messages import Settings
from tests.cli.fakes import FakeFront, FakeNode, played, seats_of, sitting_with
from tests.cli.players import free_port
from tests.cli.running import spoken
from tests.cli.scenes import scene_after, scenes_of, walk, written
from tests.engine.deals import spec_of

OPEN = TableAd("Ann", "ab" * 64, "eh7ddx5b", "standard", 12, 3, 8, "lobby", ("10.0.0.1",), 4747)
OFFER = Settings("standard", (), 12, 4, 0, 0)
BEGUN = replace(OPEN, name="Ben", table_id="cd" * 64, phase="playing")


class Onlooker(FakeNode):
    """A table in play as a watcher sees it: the public table only."""

    def __init__(self, **facts) -> None:
        place = {"own": OwnPlace.WATCHING, "settings": OFFER, "watchers": ("zoe",)}
        public = {"seat": None, "hand": None, "can_move": False}
        super().__init__(scene_after(12, 4, 43), **place | public | facts)
        self.key = b"zoe"

    async def take_seat(self) -> None:
        """Note the request for a seat, which nobody answers yet."""
        await FakeNode.take_seat(self)
        self.facts["own"] = OwnPlace.ASKED


async def looked_on(*lines: str, told=(), node: FakeNode | None = None, **sitting):
    """Watch a table in play, hear these notices, type these lines; return node, front and code."""
    node, front = node or Onlooker(), FakeFront(*lines)
    node.tell(*told)
    code = await sit(node, front, sitting_with(**sitting))
    return node, front, code


# ---- the screen -----------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [40, 80])
async def test_the_public_table_is_shown_whole_without_a_hand(columns):
    """A watcher sees every train but no hand, and reads in the status line that they watch."""
    view = Onlooker().view()
    scene, canvas = scene_of(view), Canvas(columns, 24, ASCII_GLYPHS)
    lines = turn_lines(scene, canvas)
    assert all(line_cells(line) <= columns for line in lines)
    assert "(you)" not in written(lines)
    assert all(name in written(lines) for name in ("Ana", "Ben", "Dora", "Mexican"))
    assert hand_lines(scene, canvas) == ()
    assert status_text(view).endswith("4 connected | you watch")


async def test_who_comes_late_is_shown_the_table_once():
    """A latecomer is shown the table once, when the moves so far are known."""
    _, front, _ = await looked_on(told=[notices.CaughtUp()])
    assert front.count(TableShown) == 1


async def test_the_board_is_shown_again_each_time_play_comes_round(autojump_clock):
    """Watchers, who have no turn, are shown the board each time all seats have had a turn."""
    node = Onlooker()
    moments = list(walk(spec_of(12, 4), b"screen", 24))
    turns = [scene.table.to_move for scene in moments]
    rounds = sum(after < before for before, after in itertools.pairwise(turns))
    assert rounds > 3

    def moves(scene) -> None:
        node.scene = scene
        node.tell(notices.Played(Seat(0), ()))

    _, front, _ = await looked_on(*(partial(moves, scene) for scene in moments), node=node)
    assert sum("Mexican" in said for said in front.said) == rounds


def test_who_lists_those_who_look_on():
    """`who` names the watchers below the seats."""
    lines = who_lines(Onlooker().view(), Canvas(80, 24, ASCII_GLYPHS), b"")
    said = [line.strip() for line in written(lines).splitlines()[-2:]]
    assert said == ["Watching: zoe", "You watch. For a seat type sit."]


def test_who_is_at_a_table_that_forms_has_no_seat_yet():
    """During a game, news of somebody without a seat says that they watch or watch no longer.

    Before it, the news says that they have no seat.
    """
    scene = scene_after(12, 4, 24)
    for place, here, said in (
        (None, True, "is here, without a seat."),
        (None, False, "has left, without a seat."),
        (scene, True, "watches."),
        (scene, False, "no longer watches."),
    ):
        assert notice_text(place, notices.WatcherChanged("zoe", watches=here)) == f"zoe {said}"


# ---- what is typed --------------------------------------------------------------------------


@pytest.mark.parametrize("hosts", [True, False])
async def test_help_tells_only_those_of_seats_who_could_have_one(hosts):
    """Help lists `sit` and `watch` for a watcher, but not for a wall's host."""
    _, front, _ = await looked_on("help", node=Onlooker(is_host=hosts))
    (page,) = (said for said in front.said if "board " in said)
    for verb in (" sit ", " watch "):
        assert (verb in page) is not hosts


async def test_who_looks_on_may_ask_for_a_seat_and_take_that_back():
    """`sit` asks for a seat, and `watch` takes the request back."""
    node, front, _ = await looked_on("sit", "watch")
    assert node.asked == [("take_seat",), ("look_on",)]
    assert "You only watch now, and no longer wait for a seat." in front.said


@pytest.mark.parametrize(
    ("line", "asked", "said"),
    [
        ("", [("take_seat",)], "You watch this round, and can sit down at the next."),
        ("n", [], "You watch. For a seat at the next round type sit."),
        ("sit", [("take_seat",)], "You have asked for a seat at the next round."),
        ("quit", [], "You have left the table."),
    ],
)
async def test_who_comes_late_is_asked_as_in_the_lobby(line, asked, said):
    """A latecomer is asked once whether they want a seat; a no means that they watch."""
    node, front, _ = await looked_on("who", line, told=[notices.CaughtUp()], looks_first=True)
    assert node.asked == asked
    assert front.said.count("Sit down? [Y/n]") == 1
    assert any(said in each for each in front.said)


@pytest.mark.parametrize("why", [WhyNoSeat.WATCH, WhyNoSeat.LAST_ROUND, WhyNoSeat.KICKED])
async def test_who_comes_late_for_no_seat_is_told_why_and_not_asked(why):
    """A latecomer who can have no seat reads why, and is not asked whether to sit down.

    Typing `y` then requests nothing.
    """
    late = {"told": [notices.CaughtUp()], "node": Onlooker(no_seat=NoSeat(why))}
    node, front, _ = await looked_on("", "y", looks_first=True, **late)
    assert NO_SEAT[why] in front.said
    assert "Sit down? [Y/n]" not in front.said
    assert node.asked == []


async def test_one_place_is_told_by_status_line_list_and_answer():
    """The status line, the list and the answers all call a player whose seat is gone a watcher."""
    node = Onlooker(seats=(*seats_of("Ana", left=True), *seats_of("Ben", "Cy", "Dora")))
    node.key = b"Ana"
    assert status_text(node.view()).endswith("| you watch")
    _, front, _ = await looked_on("sit", "who", node=node)
    assert "You have asked for a seat at the next round." in front.said
    assert any("You watch, and have asked for a seat." in said for said in front.said)
    assert status_text(node.view()).endswith("| you watch, and ask for a seat")
    assert not any("You have a seat here" in said for said in front.said)


async def test_who_only_looks_on_decides_nothing():
    """A watcher can neither move nor vote, and leaves without a second `quit`."""
    node, front, code = await looked_on("without ben", "draw", "hint train", "quit")
    assert "You hold no tiles." in front.said
    assert "You only watch; the players decide that." in front.said
    assert node.asked == []
    assert code is ExitCode.OK
    assert sum("You have left the table." in said for said in front.said) == 1
    assert not any("cannot play on" in said for said in front.said)


async def test_who_was_gone_on_without_is_told_to_watch_and_not_to_wait():
    """A player whom the table goes on without has no hand, turn or odds, but may ask for a seat.

    The program does not ask this player to confirm leaving. Ana's seat still exists but is no
    longer hers, and the new deal has no tiles for her.
    """
    lines = ("hand", "draw", "6-5", "hint", "odds", "plan", "why", "why draw", "sit", "watch")
    table = scene_after(12, 4, 43).table
    node = Onlooker(
        seats=(*seats_of("Ana", left=True), *seats_of("Ben", "Cy", "Dora")),
        table=structs.replace(table, game=structs.replace(table.game, gone=1)),
        seat=Seat(0),
        hand=Hand(Seat(0), ()),
    )
    node.key = b"Ana"
    _, front, _ = await looked_on(*lines, "quit", node=node)
    watches = "You only watch this table."
    assert front.said.count("You hold no tiles.") == 4
    assert sum(said.startswith(watches) for said in front.said) == 4
    assert node.asked == [("take_seat",), ("look_on",)]
    assert not any("Your hand is empty" in said or "turn" in said for said in front.said)
    assert not any(said.startswith("Leave?") for said in front.said)
    scene = scene_of(node.view())
    assert {"sit", "watch"} <= {each.text for each in complete("", scene)}


async def test_who_has_a_seat_keeps_it():
    """`sit` and `watch` do nothing for a player with a seat, and say how to give it up."""
    node, front = await played(scene_after(12, 4, 43), "sit", "watch")
    assert node.asked == []
    assert front.said.count("You have a seat here; type leave to give it up.") == 2


async def test_a_script_that_gets_no_seat_ends_and_a_person_stays():
    """A script that gets no seat ends with the code for refusals; a person stays and may watch."""
    answer = notices.SeatLater(NoSeat(WhyNoSeat.WATCH))
    _, front, code = await looked_on(told=[answer])
    assert code is ExitCode.OK
    assert NO_SEAT[WhyNoSeat.WATCH] in front.said
    node, script = Onlooker(), FakeFront()
    script.asks_back, script.lines = False, ["say hello"] * 50
    node.tell(answer)
    assert await sit(node, script, sitting_with()) is ExitCode.REFUSED


def test_only_a_player_is_told_how_to_go_through_their_moves():
    """Only a player is told of `boneyard review`, because a watcher has made no moves."""
    options = read_arguments(("resume", "--record", "evening.rec"))
    for node, plays in ((FakeNode(scene_after(12, 4, 43)), True), (Onlooker(is_host=True), False)):
        said = last_words(node, sitting_of(options, join_options(options)))
        assert any("boneyard replay" in each for each in said)
        assert any("boneyard review" in each for each in said) is plays


# ---- finding --------------------------------------------------------------------------------


def test_tables_that_play_are_listed_as_such():
    """The list says which tables are open, full, in play or over, and which need a join code."""
    for ad, facts, said in (
        (BEGUN, {}, "playing, can be watched"),
        (BEGUN, {"code_number": 7}, "can be watched with its join code"),
        (BEGUN, {"phase": "over"}, "over"),
        (OPEN, {}, "open to all"),
        (OPEN, {"code_number": 7}, "asks for its join code"),
        (OPEN, {"seats_taken": OPEN.seats_offered}, "full"),
    ):
        assert f", {said}, " in ad_sentence(replace(ad, **facts))


@pytest.mark.parametrize(
    ("wanted", "begun", "watches", "names"),
    [
        (None, False, False, ["Ann"]),
        (None, True, False, ["Ann"]),
        (None, True, True, ["Ann", "Ben"]),
        ("ben", True, False, ["Ben"]),
        ("ben", False, False, []),
        ("cy", True, True, []),
    ],
)
def test_an_open_table_is_meant_before_one_that_plays(wanted, begun, watches, names):
    """A table in play is chosen only for a person who watches or who names its host."""
    found = fitting((OPEN, BEGUN), wanted, begun=begun, watches=watches)
    assert [ad.name for ad in found] == names


# ---- whole programs -------------------------------------------------------------------------


def test_a_game_is_watched_from_the_middle_to_its_end(party, tmp_path):
    """A watcher sees a game from the middle to its end, and the watcher's record verifies."""
    port = free_port()
    record = tmp_path / "zoe.rec"
    host = party(
        "Ann",
        "host",
        "--open",
        "--set",
        "6",
        "--rounds",
        "1",
        "--port",
        port,
        "--seats",
        "2",
        "--bots",
        "1",
    )
    host.wait_for("is dealt")
    zoe = party("Zoe", "join", f"127.0.0.1:{port}", "--watch", "--record", str(record))
    zoe.wait_for("Coming to watch")
    zoe.wait_for("Mexican")
    host.wait_for("Zoe watches")
    for _ in range(60):
        host.type("1")
    zoe.wait_for("the game")
    zoe.wait_for("boneyard verify")
    assert zoe.exit_code() == 0
    spoken("verify", record)


async def test_while_no_engine_is_laid_a_longest_train_begins_nowhere():
    """Before the engine is laid, `hint train` says that there is no engine yet."""
    scene = next(
        each
        for each in scenes_of("wolf-lake", 2)
        if each.hand is not None and each.hand.tiles and each.table.hub is None
    )
    front = FakeFront("hint train", "quit")
    await sit(FakeNode(scene), front, sitting_with())
    assert "There is no engine yet to begin a train at." in front.said
