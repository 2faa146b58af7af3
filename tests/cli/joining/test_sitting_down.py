"""Before somebody sits down they read what is played, and are asked."""

from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio

from cli.arguments.parser import read_arguments
from cli.commands import tables
from cli.exits import ExitCode
from cli.scene import LobbyScene
from cli.session.invitation import Invitation, renamed_text, seats_text
from cli.session.loop import sit
from cli.session.stay import NextTableOffer, SessionOptions
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import SeatInfo, TableStage
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.wire.messages import Settings
from tests.cli.commands.test_tables import free_port, party
from tests.cli.pseudoterminals import Terminal
from tests.cli.scenes import scenes_of, written
from tests.cli.session.test_calls import FakeFront, FakeNode, view_of

__all__ = ["party"]

NAMES = ("Ann", "Zoe", "Ada")


class Lobby(FakeNode):
    """A table that waits, seen by somebody who has no seat yet."""

    def __init__(self, *, host: bool = False) -> None:
        super().__init__(next(iter(scenes_of("walnut", 1))))
        self.is_host = host
        self.stage = TableStage.LOBBY
        self.no_seat: NoSeat | None = None

    def view(self):
        """Ann's table, at which walnut is played with blanks that cost."""
        return replace(
            view_of(self.scene),
            stage=self.stage,
            spec=None,
            table=None,
            seat=None,
            hand=None,
            settings=Settings("walnut", ("blanks=25-50",), 9, 4, 0, 0),
            seats=(SeatInfo("Ann", b"a", "abcd", False, True),),
            is_host=self.is_host,
            seats_offered=4,
            own=OwnPlace.WATCHING,
            no_seat=self.no_seat,
        )

    async def take_seat(self) -> None:
        """Remember that a seat was asked for."""
        self.asked.append(("take_seat", None))


class Guest(FakeFront):
    """Somebody who types these lines, and remembers blocks of lines too."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.lobbies = 0

    def show(self, lines) -> None:
        """Remember."""
        self.said += [" ".join(written(lines).split())]

    def tell(self, occasion) -> None:
        """Remember that the lobby was shown."""
        super().tell(occasion)
        self.lobbies += isinstance(occasion, LobbyScene)


async def visited(*lines: str, looks_first: bool = True, host: bool = False, known=None):
    """Come to the table, type these lines, and leave."""
    node, front = Lobby(host=host), Guest(*lines)
    node.teller.send_nowait(notices.LobbyChanged())
    code = await sit(node, front, SessionOptions(looks_first=looks_first, known=known))
    return node, front, code


@pytest.mark.parametrize("line", ["", "y", "YES"])
async def test_who_says_yes_asks_for_a_seat(line):
    """Enter is yes."""
    node, front, _ = await visited(line)
    assert node.asked == [("take_seat", None)]
    told = "\n".join(front.said)
    assert "+ Each blank half left in the hand costs 25" in told
    assert "* A turn may have any number of doubles" in told
    assert "Seated: Ann." in told
    assert "Sit down? [Y/n]" in told


async def test_an_answer_before_the_question_is_none():
    """Somebody who presses Enter too soon has not read anything yet."""
    node, front = Lobby(), Guest("", "")
    await sit(node, front, SessionOptions(looks_first=True))
    assert node.asked == []


@pytest.mark.parametrize("line", ["n", "no", "quit"])
async def test_who_says_no_leaves_without_a_seat(line):
    """Nobody hears of it, and it is not asked again."""
    node, front, code = await visited(line)
    assert node.asked == []
    assert code is ExitCode.OK
    assert "You have left the table. Come back with: boneyard join" in front.said
    assert front.lobbies == 0


async def test_the_whole_sheet_can_be_read_before_answering():
    """Other commands are answered, and the question stays open."""
    node, front, _ = await visited("rules", "rules cover", "who", "y")
    told = "\n".join(front.said)
    assert "The opening" in told
    assert "anywhere-then-duty" in told
    assert node.asked == [("take_seat", None)]


@pytest.mark.parametrize("later", [None, NoSeat(WhyNoSeat.WATCH)], ids=["seated", "watch"])
async def test_a_game_that_begins_meanwhile_is_said(later):
    """Who reads too long watches, and is asked again if the table lets people sit down late."""
    node, front = Lobby(), Guest("who", "who", "y")
    node.teller.send_nowait(notices.LobbyChanged())

    async def begin():
        await trio.testing.wait_all_tasks_blocked()
        for stage, no_seat, notice in (
            (TableStage.FORMING, NoSeat(WhyNoSeat.STARTED), notices.LobbyChanged()),
            (TableStage.DEALING, later, notices.GameStarted()),
        ):
            node.stage, node.no_seat = stage, no_seat
            node.teller.send_nowait(notice)
            await trio.testing.wait_all_tasks_blocked()

    front.next_line = slowly(front.next_line)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(begin)
        code = await sit(node, front, SessionOptions(looks_first=True))
    assert code is ExitCode.OK
    assert "The game has begun without you: you watch." in front.said
    assert front.said.count("Sit down? [Y/n]") == (2 if later is None else 1)
    assert ("At this table people who come late only watch." in front.said) == (later is not None)
    assert node.asked == ([("take_seat", None)] if later is None else [])


def slowly(next_line):
    """Type each line only after all of the game has been heard."""

    async def line():
        for _ in range(6):
            await trio.testing.wait_all_tasks_blocked()
        return await next_line()

    return line


async def test_at_a_full_table_nobody_is_asked_until_a_seat_is_free():
    """It is said once that all are taken; then the question comes."""
    node, front = Lobby(), Guest("who", "y")
    node.no_seat = NoSeat(WhyNoSeat.TAKEN, 4)
    for _ in range(2):
        node.teller.send_nowait(notices.LobbyChanged())

    async def frees():
        for _ in range(3):
            await trio.testing.wait_all_tasks_blocked()
        assert front.said.count("All 4 seats at this table are taken.") == 1
        assert "Sit down? [Y/n]" not in front.said
        node.no_seat = None
        node.teller.send_nowait(notices.LobbyChanged())

    front.next_line = slowly(front.next_line)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(frees)
        await sit(node, front, SessionOptions(looks_first=True))
    assert "There is a seat free now." in front.said
    assert front.said.count("Sit down? [Y/n]") == 1
    assert node.asked == [("take_seat", None)]


async def test_whose_seat_was_taken_back_is_told_so_and_not_asked():
    """The answer would be no."""
    node, front = Lobby(), Guest("y")
    node.no_seat = NoSeat(WhyNoSeat.KICKED)
    node.teller.send_nowait(notices.LobbyChanged())
    assert await sit(node, front, SessionOptions(looks_first=True)) is ExitCode.REFUSED
    assert "The host has taken your seat back." in front.said
    assert "Sit down? [Y/n]" not in front.said
    assert node.asked == []


async def test_who_does_not_look_first_is_told_all_the_same():
    """With `--yes`, or where nobody can answer, the rules are printed once and the lobby shown."""
    node, front, _ = await visited(looks_first=False)
    assert node.asked == []
    assert sum("costs 25" in said for said in front.said) == 1
    assert front.lobbies == 1
    assert not any("Sit down" in said for said in front.said)


async def test_rules_that_were_just_played_are_not_told_again():
    """The next table of the same company is shown all the same."""
    _, front, _ = await visited(looks_first=False, known=Lobby().view().settings)
    assert not any("costs 25" in said for said in front.said)
    assert front.lobbies == 1


async def test_a_host_knows_what_is_played_and_can_read_it():
    """The rules are not printed to who chose them, but `rules` shows the sheet in the lobby."""
    _, front, _ = await visited(looks_first=False, host=True)
    assert not any("costs 25" in said for said in front.said)
    _, front, _ = await visited("rules", looks_first=False, host=True)
    assert any("The opening" in said and "costs 25" in said for said in front.said)


def test_yes_is_an_option_of_join():
    """For those who know the table."""
    assert read_arguments(["join", "--yes"]).yes
    assert not read_arguments(["join"]).yes


def test_a_guest_at_a_terminal_is_asked_and_sits_down(party, tmp_path):
    """The whole way: rules, question, yes, a seat."""
    port = free_port()
    host = party("Ann", "host", "--open", "--rules", "walnut", "--port", port)
    host.wait_for("Type start")
    guest = Terminal(tmp_path / "guest", "join", f"127.0.0.1:{port}", "--name", "Bob")
    try:
        guest.wait_until(lambda: guest.has("Sit down? [Y/n]"))
        assert guest.has("(cover=anywhere-then-duty)")
        guest.process.send("y\r")
        host.wait_for("Bob sits down. 2 of")
        guest.wait_until(lambda: guest.has("Waiting for the host"))
    finally:
        guest.process.close(force=True)


def test_who_comes_and_goes_is_told_in_a_line():
    """With how many seats are taken, and whose name was taken before."""
    seats = [SeatInfo(name, name.encode(), "abcd", False, True) for name in ("Ann", "Ben", "ben-2")]
    view = replace(Lobby().view(), seats=tuple(seats), seats_offered=8)
    two = {b"Ann": "Ann", b"Ben": "Ben"}
    assert seats_text(two, view, b"Ann", "Ann") == "ben-2 sits down. 3 of 8 seats taken."
    you = "You are called ben-2: there is Ben already. 3 of 8 seats taken."
    assert seats_text(two, view, b"ben-2", "ben") == you
    assert renamed_text(view, b"ben-2", "ben") == you.partition(".")[0] + "."
    assert renamed_text(view, b"Ben", "Ben") == ""
    assert renamed_text(view, b"ben-2", "ben-2") == ""  # so called at every table
    gone = {**two, b"ben-2": "ben-2", b"Zoe": "Zoe"}
    assert seats_text(gone, view, b"Ann", "Ann") == "Zoe has left. 3 of 8 seats taken."
    old = {**two, b"Ben": "Bob", b"ben-2": "ben-2"}
    assert seats_text(old, view, b"Ann", "Ann") == "Bob is now called Ben. 3 of 8 seats taken."
    assert seats_text(old, view, b"Ben", "Ben") == "You are now called Ben. 3 of 8 seats taken."
    old = {**two, b"ben-2": "Zoe"}
    you = "You are called ben-2: there is Ben already. 3 of 8 seats taken."
    assert seats_text(old, view, b"ben-2", "ben") == you


async def test_the_whole_lobby_is_shown_once_and_then_what_is_new():
    """A link that comes up changes nothing; bare Enter shows all again."""
    node, front = Lobby(), Guest("who")
    lobby, told = node.view(), []
    front.tell = lambda occasion: told.append(occasion)
    more = replace(lobby, seats=(*lobby.seats, SeatInfo("Zoe", b"z", "abcd", False, True)))
    invitation = Invitation(node, front, SessionOptions(), None, None, undecided=False)
    for node.view in (lambda: lobby, lambda: lobby, lambda: more):
        invitation.lobby_changed()
    invitation.show_again()
    assert [each.news for each in told] == ["", "Zoe sits down. 2 of 4 seats taken.", ""]


async def test_bots_that_leave_before_their_host_opens_the_table_anew_are_no_news():
    """They come along with it; a person who leaves is told of."""
    node, front, told = Lobby(), Guest("who"), []
    front.tell = lambda occasion: told.append(occasion)
    ann, zoe, ada = (SeatInfo(name, name.encode(), "ab", name == "Ada", True) for name in NAMES)
    lobby = replace(node.view(), seats=(ann, zoe, ada))
    invitation = Invitation(node, front, SessionOptions(), None, None, undecided=False)
    for seats in ((ann, zoe, ada), (ann, zoe), (ann,)):
        node.view = lambda seats=seats: replace(lobby, seats=seats)
        invitation.lobby_changed()
    assert [each.news for each in told] == ["", "Zoe has left. 1 of 4 seats taken."]


async def test_a_lobby_known_from_before_is_shown_when_its_host_is_linked(autojump_clock):
    """Nobody reads that the host of the table they have just come to is not connected."""
    node, front, told = Lobby(), Guest(), []
    front.tell = lambda occasion: told.append((trio.current_time(), occasion))
    far = replace(node.view(), host_key=b"a")
    away = replace(far, seats=(replace(far.seats[0], connected=False),))
    views = [away, away, far]
    changed = trio.Event()
    changed.set()
    node.view = lambda: views.pop(0) if len(views) > 1 else views[0]
    node.when_changed = lambda: changed
    invitation = Invitation(node, front, SessionOptions(), None, None, undecided=False)
    await invitation.show_kept()
    ((_, lobby),) = told
    assert lobby.view == far
    node.view, node.when_changed = lambda: away, trio.Event
    gone = Invitation(node, front, SessionOptions(), None, None, undecided=False)
    began = trio.current_time()
    await gone.show_kept()
    assert told[-1][0] - began < 5


@pytest.mark.parametrize(
    ("ends", "options"),
    [
        (NextTableOffer("127.0.0.1:1", sits=False), (True, False)),
        (NextTableOffer("127.0.0.1:1"), (False, False)),
    ],
)
async def test_who_watches_comes_along_as_they_are(ends, options, monkeypatch):
    """Nobody who came to watch is asked to sit down; whoever has sat down meanwhile sits."""
    ends, seen = [ends], []

    @asynccontextmanager
    async def join_table(seat, _where):
        seen.append((seat.watches, seat.looks_first))
        yield FakeNode(next(iter(scenes_of("walnut", 1))))

    async def sit(_node, _front, sitting):
        assert sitting.watches == seen[-1][0]
        return ends.pop(0) if ends else ExitCode.OK

    monkeypatch.setattr(tables, "join_table", join_table)
    monkeypatch.setattr(tables, "sit", sit)
    await tables.join(Guest(), read_arguments(["join", "127.0.0.1:1", "--watch"]))
    assert seen == [(True, False), options]
