"""Before people sit down, they read the rules and are asked whether they want a seat."""

from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, repeat

import pytest
import trio

from cli.arguments.parser import read_arguments
from cli.commands import tables
from cli.exits import ExitCode
from cli.joining import evening, ways
from cli.scene import LobbyScene
from cli.session.invitation import Invitation, SeatQuestion, renamed_text, seats_text
from cli.session.loop import sit
from cli.session.stay import GoTo, NextTableOffer
from cli.wording.seats import NO_SEAT
from netgame.errors import Disconnected
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.wire.messages import Settings
from tests.cli.fakes import FakeFront, FakeNode, seats_of, sitting_with
from tests.cli.players import free_port
from tests.cli.scenes import scenes_of


def lobby(*names: str, **facts) -> FakeNode:
    """Return a node at Ann's lobby, as a watcher sees it: walnut, with points for blanks."""
    waits = {
        "stage": TableStage.LOBBY,
        **dict.fromkeys(("spec", "table", "seat", "hand")),
        "settings": Settings("walnut", ("blanks=25-50",), 9, 4, 0, 0),
        "seats": seats_of(*names or ("Ann",)),
        "seats_offered": 4,
        "own": OwnPlace.WATCHING,
    }
    return FakeNode(next(iter(scenes_of("walnut", 1))), **waits | facts)


async def visited(*lines: str, looks_first: bool = True, known=None, **facts):
    """Come to the table, type these lines and leave; return node, front and exit code."""
    node, front = lobby(**facts), FakeFront(*lines)
    node.tell(notices.LobbyChanged())
    code = await sit(node, front, sitting_with(looks_first=looks_first, known=known))
    return node, front, code


@pytest.mark.parametrize("line", ["", "y", "YES"])
async def test_who_says_yes_asks_for_a_seat(line):
    """`y` or Enter alone asks for a seat."""
    node, front, _ = await visited(line)
    assert node.asked == [("take_seat",)]
    told = "\n".join(front.said)
    for part in ("+ Each blank half left in the hand costs 25", "Seated: Ann.", "Sit down? [Y/n]"):
        assert part in told


async def test_an_answer_before_the_question_is_none():
    """Enter before the question asks for no seat, because nothing has been read yet."""
    node, front = lobby(), FakeFront("", "")
    await sit(node, front, sitting_with(looks_first=True))
    assert node.asked == []


@pytest.mark.parametrize("line", ["n", "quit"])
async def test_who_says_no_leaves_without_a_seat(line):
    """A no ends the visit: no seat is asked for, and no lobby is shown."""
    node, front, code = await visited(line)
    assert node.asked == []
    assert code is ExitCode.OK
    assert "You have left the table. Come back with: boneyard join" in front.said
    assert not front.count(LobbyScene)


async def test_the_whole_sheet_can_be_read_before_answering():
    """Commands such as `rules` are answered, and the question stays open."""
    node, front, _ = await visited("rules", "rules cover", "who", "y")
    told = "\n".join(front.said)
    assert "The opening" in told
    assert "anywhere-then-duty" in told
    assert node.asked == [("take_seat",)]


@pytest.mark.parametrize("later", [None, NoSeat(WhyNoSeat.WATCH)], ids=["seated", "watch"])
async def test_a_game_that_begins_meanwhile_is_said(later, autojump_clock):
    """A guest who is still reading when the game begins is told that they watch.

    A table that seats latecomers then asks them once more.
    """
    node = lobby()
    begun = NoSeat(WhyNoSeat.FORMING)
    forms = partial(becomes, node, notices.LobbyChanged(), stage=TableStage.FORMING, no_seat=begun)
    deals = partial(becomes, node, notices.GameStarted(), stage=TableStage.DEALING, no_seat=later)
    front = FakeFront(partial(becomes, node, notices.LobbyChanged()), forms, deals, "y")
    code = await sit(node, front, sitting_with(looks_first=True))
    assert code is ExitCode.OK
    assert "The game has begun without you: you watch." in front.said
    assert front.said.count("Sit down? [Y/n]") == (2 if later is None else 1)
    assert ("At this table people who come late only watch." in front.said) == (later is not None)
    assert node.asked == ([("take_seat",)] if later is None else [])


def becomes(node: FakeNode, *told: notices.Notice, **facts) -> None:
    """Change the table's facts, and send the node these notices."""
    node.facts |= facts
    node.tell(*told)


async def test_at_a_full_table_nobody_is_asked_until_a_seat_is_free(autojump_clock):
    """A full table is reported once, and the question is asked as soon as a seat is free."""
    changed = notices.LobbyChanged()
    node = lobby(no_seat=NoSeat(WhyNoSeat.TAKEN, 4))
    node.tell(changed, changed)
    front = FakeFront("who", partial(becomes, node, changed, no_seat=None), "y")
    await sit(node, front, sitting_with(looks_first=True))
    full, asks = "All 4 seats at this table are taken.", "Sit down? [Y/n]"
    order = [said for said in front.said if said in (full, asks, "There is a seat free now.")]
    assert order == [full, "There is a seat free now.", asks]
    assert node.asked == [("take_seat",)]


@pytest.mark.parametrize("before", [{"returns": True}, {"company": frozenset({b"Bo"})}])
async def test_who_knows_all_of_a_lobby_already_is_asked_too(before, autojump_clock):
    """A guest is asked to sit down even if the lobby sends no notice."""
    node, front = lobby(), FakeFront(4, "y")
    await sit(node, front, sitting_with(looks_first=True, **before))
    assert "Sit down? [Y/n]" in front.said
    assert node.asked == [("take_seat",)]


async def test_whose_seat_was_taken_back_is_told_so_and_not_asked():
    """A guest reads that they were kicked, and is not asked: the table would refuse the seat."""
    node, front, code = await visited("y", no_seat=NoSeat(WhyNoSeat.KICKED))
    assert code is ExitCode.REFUSED
    assert NO_SEAT[WhyNoSeat.KICKED] in front.said
    assert "Sit down? [Y/n]" not in front.said
    assert node.asked == []


async def test_who_does_not_look_first_is_told_all_the_same():
    """With `--yes`, or if nobody can answer, the rules are shown once, followed by the lobby."""
    node, front, _ = await visited(looks_first=False)
    assert node.asked == []
    assert sum("costs 25" in said for said in front.said) == 1
    assert front.count(LobbyScene) == 1
    assert not any("Sit down" in said for said in front.said)


async def test_rules_that_were_just_played_are_not_told_again():
    """The next table with the same rules shows its lobby, but not the rules."""
    _, front, _ = await visited(looks_first=False, known=lobby().facts["settings"])
    assert not any("costs 25" in said for said in front.said)
    assert front.count(LobbyScene) == 1


async def test_a_host_knows_what_is_played_and_can_read_it():
    """A host, who chose the rules, sees their sheet only after typing `rules`."""
    for line in ("who", "rules"):
        _, front, _ = await visited(line, looks_first=False, is_host=True)
        shown = any("The opening" in said and "costs 25" in said for said in front.said)
        assert shown == (line == "rules")


def test_a_guest_at_a_terminal_is_asked_and_sits_down(party, start):
    """A guest reads the rules and a question that stays in sight; Enter then takes a seat."""
    port = free_port()
    host = party("Ann", "host", "--open", "--rules", "walnut", "--port", port)
    host.wait_for("Type start")
    guest = start("join", f"127.0.0.1:{port}", name="Bob")
    guest.wait_until(lambda: guest.has("(cover=anywhere-then-duty)"))
    guest.wait_until(lambda: guest.shows("Sit down? [Y/n]") and guest.shows("(Enter) yes"))
    for _ in range(6):
        guest.send("rules cover\r")
    guest.wait_until(lambda: guest.count("> rules cover") == 6 and guest.shows("Sit down? [Y/n]"))
    guest.send("\r")
    host.wait_for("Bob sits down. 2 of")
    guest.wait_until(lambda: not guest.shows("Sit down?"))
    guest.wait_until(lambda: guest.has("Waiting for the host"))


def test_a_latecomer_at_a_terminal_sits_down_by_enter(party, start):
    """A latecomer asks for a seat with Enter, even while the window shows a command's answer."""
    port = free_port()
    words = ("--open", "--set=9", "--bots=1", "--rules=walnut", "--port", port)
    host = party("Ann", "host", *words)
    host.wait_for("Type start")
    host.type("start")
    host.wait_for("Your tiles|You hold")
    guest = start("join", f"127.0.0.1:{port}", name="Bob")
    guest.wait_until(lambda: guest.shows("Sit down? [Y/n]"))
    guest.send("help\r")
    guest.wait_until(lambda: guest.shows("board [TRAIN]") and guest.shows("Sit down? [Y/n]"))
    guest.wait_until(lambda: guest.shows("boneyard> (Enter) yes"))
    guest.send("\r")
    guest.wait_until(lambda: not (guest.shows("Sit down?") or guest.shows("Esc closes")))
    guest.wait_until(lambda: guest.has("Nobody at this table knows you"))
    host.wait_for("Bob asks for a seat")
    host.type("allow bob")
    guest.wait_until(lambda: guest.has("you watch round 1 and get a seat when round 2"))


def test_who_comes_and_goes_is_told_in_a_line():
    """A line says who sat down, left or was renamed, and whether your own name was taken."""
    view = lobby("Ann", "Ben", "ben-2", seats_offered=8).view()
    called = "There is already a Ben here, so you are ben-2."
    two, three = {b"Ann": "Ann", b"Ben": "Ben"}, {each.key: each.name for each in view.seats}
    for before, own, wanted, told in (
        (two, "Ann", "Ann", "ben-2 sits down."),
        (two, "ben-2", "ben", called),
        (three | {b"Zoe": "Zoe"}, "Ann", "Ann", "Zoe no longer sits here."),
        (three | {b"Ben": "Bob"}, "Ann", "Ann", "Bob is now called Ben."),
        (three | {b"Ben": "Bob"}, "Ben", "Ben", "You are now called Ben."),
        (three | {b"ben-2": "Zoe"}, "ben-2", "ben", called),
    ):
        assert seats_text(before, view, own.encode(), wanted) == f"{told} 3 of 8 seats taken."
    # a player who is called so at every table needs no line
    for own, wanted, told in (("ben-2", "ben", called), ("Ben", "Ben", ""), ("ben-2", "ben-2", "")):
        assert renamed_text(view, own.encode(), wanted) == told


async def test_the_whole_lobby_is_shown_once_and_then_what_is_new():
    """The whole lobby is shown at first, and then only who sits down; `show_again` shows it whole.

    The host may have no seat, so even the first to sit down is news.
    """
    node, front = lobby(), FakeFront()
    invitation = Invitation(node, front, sitting_with(), None, None, SeatQuestion.SETTLED)
    for names in ([], ["Ann"], ["Ann"], ["Ann", "Zoe"]):
        node.facts["seats"] = seats_of(*names)
        invitation.lobby_changed()
    invitation.show_again()
    news = [f"{text} sits down. {n} of 4 seats taken." for n, text in ((1, "Ann"), (2, "Zoe"))]
    assert [each.news for each in front.shown] == ["", *news, ""]


@pytest.mark.parametrize("comes", [True, False])
async def test_a_lobby_that_is_opened_anew_is_shown_once_with_its_company(comes, autojump_clock):
    """The lobby is shown once its company is back, or after a while; a later arrival is news."""
    node, front = lobby(), FakeFront()
    sitting = sitting_with(company=frozenset({b"Ann", b"Zoe"}))
    invitation = Invitation(node, front, sitting, None, None, SeatQuestion.SETTLED)
    news, changed = [], trio.Event()
    node.when_changed = lambda: changed
    async with trio.open_nursery() as nursery:
        nursery.start_soon(invitation.show_company)
        for at, names in enumerate((["Ann"], ["Ann", "Ben"], ["Ann", "Ben", "Zoe"])):
            if not comes and at == 2:
                await trio.sleep(4)
            node.facts["seats"] = seats_of(*names)
            invitation.lobby_changed()
            news.append(len(front.shown))
        changed.set()
    assert news == ([0, 0, 0] if comes else [0, 0, 2])
    told = [each.news for each in front.shown]
    assert told == ([""] if comes else ["", "Zoe sits down. 3 of 4 seats taken."])


async def test_bots_that_leave_before_their_host_opens_the_table_anew_are_no_news():
    """Bots, which move to the next table, are not news when they leave; a person is."""
    node, front = lobby(), FakeFront()
    invitation = Invitation(node, front, sitting_with(), None, None, SeatQuestion.SETTLED)
    people, bots = seats_of("Ann", "Zoe"), seats_of("Ada", bot=True)
    for node.facts["seats"] in ((*people, *bots), people, people[:1]):
        invitation.lobby_changed()
    assert [each.news for each in front.shown] == [
        "",
        "Zoe no longer sits here. 1 of 4 seats taken.",
    ]


async def test_a_lobby_known_from_before_is_shown_when_its_host_is_linked(autojump_clock):
    """A kept lobby is shown once its host is linked, or within five seconds if the host is away."""
    node, front, changed = lobby(host_key=b"Ann"), FakeFront(), trio.Event()
    here, away = seats_of("Ann"), seats_of("Ann", connected=False)
    changed.set()
    for seats, when_changed in (([away, away, here], lambda: changed), ([away], trio.Event)):
        views = chain(seats, repeat(seats[-1]))
        node.when_changed, began = when_changed, trio.current_time()

        def view(node=node, views=views) -> TableView:
            seats = next(views)
            return replace(FakeNode.view(node), seats=seats, is_host_here=seats == here)

        node.view = view
        invitation = Invitation(node, front, sitting_with(), None, None, SeatQuestion.SETTLED)
        await invitation.show_kept()
        assert front.shown.pop().view.seats == seats[-1]
        assert trio.current_time() - began < 5


@pytest.mark.parametrize(
    ("ends", "options"),
    [
        (NextTableOffer(GoTo("127.0.0.1:1", b"Ann", sits=False)), (True, False)),
        (NextTableOffer(GoTo("127.0.0.1:1", b"Ann")), (False, False)),
    ],
)
async def test_who_watches_comes_along_as_they_are(ends, options, monkeypatch):
    """A watcher also watches the next table, and a watcher who has sat down sits there too.

    Neither is asked whether to sit down.
    """
    ends, seen = [ends], []

    @asynccontextmanager
    async def join_table(seat, _where):
        seen.append((seat.watches, seat.looks_first))
        yield FakeNode(next(iter(scenes_of("walnut", 1))))

    async def sit(_node, _front, sitting):
        assert sitting.watches == seen[-1][0]
        return ends.pop(0) if ends else ExitCode.OK

    monkeypatch.setattr(ways, "join_table", join_table)
    monkeypatch.setattr(evening, "sit", sit)
    await tables.join(FakeFront(), read_arguments(["join", "127.0.0.1:1", "--watch"]))
    assert seen == [(True, False), options]


async def test_a_door_shut_between_two_tables_is_tried_again(monkeypatch, autojump_clock):
    """Guests try the next table's door again for a while; a first visit fails at a shut door."""
    doors = [True, False, False, True, False]

    @asynccontextmanager
    async def join_table(_seat, _where):
        if not doors.pop(0):
            raise Disconnected("nobody is there")
        yield FakeNode(next(iter(scenes_of("walnut", 1))))

    async def sit(_node, _front, _sitting):
        return ExitCode.OK if len(doors) == 1 else NextTableOffer(GoTo("127.0.0.1:1", b"Ann"))

    monkeypatch.setattr(ways, "join_table", join_table)
    monkeypatch.setattr(evening, "sit", sit)
    options = read_arguments(["join", "127.0.0.1:1"])
    front = FakeFront()
    assert await tables.join(front, options) is ExitCode.OK
    waits = "The table is not open yet. If it opens within 14 seconds you are back at it; "
    assert sum(said.startswith(waits) for said in front.said) == 1
    with pytest.raises(Disconnected):
        await tables.join(FakeFront(), options)
