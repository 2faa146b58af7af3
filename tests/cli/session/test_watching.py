"""Who looks on: what they type, see and are told, and how tables that play are listed."""

import itertools
from dataclasses import replace

import pytest
import trio
import trio.testing

from cli.exits import ExitCode
from cli.joining.search import _fitting as fitting
from cli.joining.search import ad_sentence
from cli.render.board import board_lines
from cli.render.cells import Canvas, text_cells
from cli.render.hand import turn_lines
from cli.render.palette import ASCII_GLYPHS, plain_text
from cli.render.sheets import lobby_lines, who_lines
from cli.render.status import status_text
from cli.scene import LobbyScene, scene_of
from cli.session.frontend import TableShown
from cli.session.loop import sit
from cli.session.stay import SessionOptions
from cli.session.verbs.complete import complete
from cli.wording.notices import notice_text
from engine import struct
from engine.table.table import Hand
from engine.table.trains import Seat
from netgame.io.discovery.advert import TableAd
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.wire.messages import Settings
from tests.cli.commands.test_tables import free_port, party
from tests.cli.running import boneyard
from tests.cli.scenes import scene_after, spec_of, walk, written
from tests.cli.session.test_calls import FakeFront, FakeNode, view_of

__all__ = ["party"]

OPEN = TableAd("Ann", "ab" * 64, "eh7ddx5b", "standard", 12, 3, 8, "lobby", ("10.0.0.1",), 4747)
OFFER = Settings("standard", (), 12, 4, 0, 0)
BEGUN = replace(OPEN, name="Ben", table_id="cd" * 64, phase="playing")


class Onlooker(FakeNode):
    """A table in play, seen by somebody without a seat."""

    def __init__(self) -> None:
        super().__init__(scene_after(12, 4, 43))
        self.key = b"zoe"
        self.own = OwnPlace.WATCHING
        self.no_seat: NoSeat | None = None

    def view(self):
        """The public table alone."""
        seen = replace(view_of(self.scene), seat=None, hand=None, can_move=False)
        seen = replace(seen, own=self.own, no_seat=self.no_seat, settings=OFFER)
        return replace(seen, watchers=("zoe",))

    async def take_seat(self) -> None:
        """Remember; nobody has answered yet."""
        self.asked.append(("take_seat", None))
        self.own = OwnPlace.ASKED

    async def look_on(self) -> None:
        """Remember."""
        self.asked.append(("look_on", None))

    async def go_on_without(self, keys) -> None:
        """Remember."""
        self.asked.append(("without", keys))


class Reader(FakeFront):
    """Somebody who types these lines and reads everything."""

    def show(self, lines) -> None:
        """Remember."""
        self.said.append(written(lines))

    def tell(self, occasion) -> None:
        """Read the table, too."""
        super().tell(occasion)
        if isinstance(occasion, TableShown):
            self.show(turn_lines(occasion.scene, self.canvas(), occasion.picture))


async def looked_on(*lines: str, told=(), **sitting):
    """Look on at a table in play, hear these notices, type these lines."""
    node, front = Onlooker(), Reader(*lines)
    for notice in told:
        node.teller.send_nowait(notice)
    code = await sit(node, front, SessionOptions(**sitting))
    return node, front, code


# ---- the screen -----------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [40, 80])
async def test_the_public_table_is_shown_whole_without_a_hand(columns):
    """Trains and open ends as everybody sees them, nothing of any hand, nothing too wide."""
    view = Onlooker().view()
    scene, canvas = scene_of(view), Canvas(columns, 24, ASCII_GLYPHS)
    lines = board_lines(scene, canvas)
    assert all(text_cells(plain_text(line)) <= columns for line in lines)
    assert "(you)" not in written(lines)
    assert all(name in written(lines) for name in ("Ana", "Ben", "Dora", "Mexican"))
    assert status_text(view).endswith("4 connected | you watch")


async def test_who_comes_late_is_shown_the_table_once():
    """As soon as it is known, and not what was played before."""
    _, front, _ = await looked_on(told=[notices.CaughtUp()])
    assert sum("Mexican" in said for said in front.said) == 1


async def test_the_board_is_shown_again_each_time_play_comes_round():
    """A person without a seat has no turn that would show it."""
    node, front = Onlooker(), Reader()
    moments = list(walk(spec_of(12, 4), b"screen", 24))
    turns = [scene.table.to_move for scene in moments]
    rounds = sum(after < before for before, after in itertools.pairwise(turns))
    assert rounds > 3

    async def one_move() -> str | None:
        await trio.testing.wait_all_tasks_blocked()
        if not moments:
            return None
        node.scene = moments.pop(0)
        node.teller.send_nowait(notices.Played(Seat(0), ()))
        return "who"

    front.next_line = one_move
    await sit(node, front, SessionOptions())
    assert sum("Mexican" in said for said in front.said) == rounds


def test_who_lists_those_who_look_on():
    """Their names below the seats."""
    lines = who_lines(Onlooker().view(), Canvas(80, 24, ASCII_GLYPHS), b"")
    said = [line.strip() for line in written(lines).splitlines()[-2:]]
    assert said == ["Watching: zoe", "You watch. For a seat type sit."]


def test_who_is_at_a_table_that_forms_has_no_seat_yet():
    """They may be reading the rules, and sit down in a moment."""
    comes, goes = (notices.WatcherChanged("zoe", watches=here) for here in (True, False))
    assert notice_text(None, comes) == "zoe is here, without a seat."
    assert notice_text(None, goes) == "zoe has left."
    scene = scene_after(12, 4, 24)
    assert notice_text(scene, comes) == "zoe watches."
    assert notice_text(scene, goes) == "zoe no longer watches."


def test_the_lobby_tells_who_only_looks_on_how_to_sit_down():
    """Somebody who waits for a seat is told to wait."""
    view = replace(Onlooker().view(), stage=TableStage.LOBBY, table=None)
    assert not view.sits
    canvas = Canvas(80, 24, ASCII_GLYPHS)
    assert "Type sit" in written(lobby_lines(LobbyScene(view, b"zoe", watches=True), canvas))
    assert "Type sit" not in written(lobby_lines(LobbyScene(view, b"zoe"), canvas))


# ---- what is typed --------------------------------------------------------------------------


@pytest.mark.parametrize("hosts", [True, False])
async def test_help_tells_only_those_of_seats_who_could_have_one(hosts):
    """Not the host of a wall, who opened the table without a seat."""
    node, front = Onlooker(), Reader("help")
    view = replace(node.view(), is_host=hosts)
    node.view = lambda: view
    await sit(node, front, SessionOptions())
    for verb in ("\n sit ", "\n watch "):
        assert (verb in "".join(front.said)) is not hosts


async def test_who_looks_on_may_ask_for_a_seat_and_take_that_back():
    """With one word each."""
    node, front, _ = await looked_on("sit", "watch")
    assert node.asked == [("take_seat", None), ("look_on", None)]
    assert "You only watch now, and no longer wait for a seat." in front.said


@pytest.mark.parametrize(
    ("line", "asked", "said"),
    [
        ("", [("take_seat", None)], "You watch this round, and can sit down at the next."),
        ("n", [], "You watch. For a seat at the next round type sit."),
        ("sit", [("take_seat", None)], "You have asked for a seat at the next round."),
        ("quit", [], "You have left the table."),
    ],
)
async def test_who_comes_late_is_asked_as_in_the_lobby(line, asked, said):
    """At a table that would give a seat; who says no watches."""
    node, front, _ = await looked_on("who", line, told=[notices.CaughtUp()], looks_first=True)
    assert node.asked == asked
    assert front.said.count("Sit down? [Y/n]") == 1
    assert any(said in each for each in front.said)


@pytest.mark.parametrize("why", [WhyNoSeat.WATCH, WhyNoSeat.LAST_ROUND, WhyNoSeat.KICKED])
async def test_who_comes_late_for_no_seat_is_told_why_and_not_asked(why):
    """Nobody is asked what would be refused; an Enter then asks for nothing."""
    node, front = Onlooker(), Reader("", "y")
    node.no_seat = NoSeat(why)
    node.teller.send_nowait(notices.CaughtUp())
    await sit(node, front, SessionOptions(looks_first=True))
    assert why.sentence in front.said
    assert "Sit down? [Y/n]" not in front.said
    assert node.asked == []


async def test_one_place_is_told_by_status_line_list_and_answer():
    """Somebody whose seat was given up has none: not by any of the three."""
    node, front = FakeNode(scene_after(12, 4, 43)), Reader("sit", "who")
    seen = view_of(node.scene)
    seats = tuple(replace(each, left=each.key == node.key) for each in seen.seats)
    own = [OwnPlace.WATCHING]
    node.view = lambda: replace(seen, seats=seats, can_move=False, own=own[-1])

    async def take_seat():
        own.append(OwnPlace.ASKED)

    node.take_seat = take_seat
    assert status_text(node.view()).endswith("| you watch")
    await sit(node, front, SessionOptions())
    assert own[-1] is OwnPlace.ASKED
    assert "You have asked for a seat at the next round." in front.said
    assert any("You watch, and have asked for a seat." in said for said in front.said)
    assert status_text(node.view()).endswith("| you watch, and ask for a seat")
    assert not any("You have a seat here" in said for said in front.said)


async def test_who_only_looks_on_decides_nothing():
    """Neither a move nor a vote, and leaving needs no second word."""
    node, front, code = await looked_on("without ben", "draw", "quit")
    assert node.asked == []
    assert code is ExitCode.OK
    assert sum("You have left the table." in said for said in front.said) == 1
    assert not any("cannot play on" in said for said in front.said)


class GoneOn(Onlooker):
    """A table whose players have gone on without Ana, who is back and watches."""

    def view(self):
        """Her seat is there, and no longer hers; she got no tiles in the new deal."""
        whole = FakeNode.view(self)
        gone = replace(whole.seats[0], left=True)
        game = struct.replace(whole.table.game, gone=1)
        table = struct.replace(whole.table, game=game)
        seats = (gone, *whole.seats[1:])
        hand = Hand(Seat(0), ())
        return replace(
            whole, seats=seats, table=table, hand=hand, can_move=False, own=OwnPlace.WATCHING
        )


async def test_who_was_gone_on_without_is_told_to_watch_and_not_to_wait():
    """No hand, no turn, no odds; a seat can be asked for, or not; nobody waits for who quits."""
    lines = ("hand", "draw", "6-5", "hint", "odds", "plan", "why", "why draw", "sit", "watch")
    node = GoneOn()
    node.key = b"Ana"
    front = Reader(*lines, "quit")
    await sit(node, front, SessionOptions())
    watches = "You only watch this table."
    assert front.said.count("You hold no tiles.") == 4
    assert sum(said.startswith(watches) for said in front.said) == 4
    assert node.asked == [("take_seat", None), ("look_on", None)]
    assert not any("Your hand is empty" in said or "turn" in said for said in front.said)
    assert not any(said.startswith("Leave?") for said in front.said)
    scene = scene_of(node.view())
    assert {"sit", "watch"} <= {each.text for each in complete("", scene)}


async def test_who_looks_on_reads_that_there_is_no_hand():
    """Something is always answered."""
    _, front, _ = await looked_on("hand", "why", "hint train")
    assert front.said[:3] == [
        *("You hold no tiles.", "You only watch this table.", "You hold no tiles.")
    ]


async def test_who_has_a_seat_keeps_it():
    """Looking on is for those who have none."""
    node, front = FakeNode(scene_after(12, 4, 43)), Reader("sit", "watch")
    await sit(node, front, SessionOptions())
    assert node.asked == []
    assert front.said.count("You have a seat here; type leave to give it up.") == 2


async def test_a_script_that_gets_no_seat_ends_and_a_person_stays():
    """A person may want to look on all the same."""
    answer = notices.SeatLater("The game has begun: you watch.", granted=False)
    _, front, code = await looked_on(told=[answer])
    assert code is ExitCode.OK
    assert answer.sentence in front.said
    node, script = Onlooker(), Reader()
    script.asks_back, script.lines = False, ["say hello"] * 50
    node.chat = lambda _text: node.take_seat()
    node.teller.send_nowait(answer)
    assert await sit(node, script, SessionOptions()) is ExitCode.REFUSED


# ---- finding --------------------------------------------------------------------------------


def test_tables_that_play_are_listed_as_such():
    """Where one may watch, that is said."""
    assert ", playing, can be watched, " in ad_sentence(BEGUN)
    assert ", can be watched with its join code, " in ad_sentence(replace(BEGUN, code_number=7))
    assert ", open to all, " in ad_sentence(OPEN)
    assert ", asks for its join code, " in ad_sentence(replace(OPEN, code_number=7))
    assert ", full, " in ad_sentence(replace(OPEN, seats_taken=OPEN.seats_offered))
    assert "can be watched" not in ad_sentence(replace(BEGUN, phase="over"))


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
    """Unless somebody only watches, or names the other."""
    found = fitting((OPEN, BEGUN), wanted, begun=begun, watches=watches)
    assert [ad.name for ad in found] == names


# ---- whole programs -------------------------------------------------------------------------


def test_a_game_is_watched_from_the_middle_to_its_end(party, tmp_path):
    """The players hear of the watcher in one line, and its record verifies."""
    port = free_port()
    record = tmp_path / "zoe.rec"
    host = party(
        *("Ann", "host", "--open", "--set", "6", "--rounds", "1", "--port", port),
        *("--seats", "2", "--bots", "1"),
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
    assert boneyard("verify", record).returncode == 0


@pytest.mark.campaign
def test_who_comes_late_reads_what_becomes_of_the_seat(party, tmp_path):
    """At a table that seats newcomers between rounds, and at one that does not."""
    for option, said in (("seated", "get a seat when round 2 is dealt"), ("watch", "only watch")):
        port = free_port()
        host = party(
            *(f"Ann-{option}", "host", "--open", "--set", "6", "--port", port),
            *("--seats", "2", "--bots", "1", "--latecomers", option),
        )
        host.wait_for("is dealt")
        late = party(f"Cy-{option}", "join", f"127.0.0.1:{port}")
        late.wait_for(said)
    script = boneyard("join", f"127.0.0.1:{port}", "--plain", data=tmp_path / "late")
    assert script.returncode == ExitCode.REFUSED
