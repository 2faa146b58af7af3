"""The parts of a seat's loop, each by itself, without a loop around it."""

import json
from dataclasses import replace

import pytest
import trio
from msgspec.structs import replace as replace_struct

from cli.exits import ExitCode
from cli.render.sheets import who_lines
from cli.render.status import status_text
from cli.scene import LobbyScene, calls
from cli.screens.json_lines import as_json, facts_of
from cli.session import stay
from cli.session.commentary import Commentary
from cli.session.desk import Desk
from cli.session.frontend import EveningShown, NoticeShown, ScoresShown, TableShown, TurnBegins
from cli.session.invitation import Invitation
from cli.session.loop import sit
from cli.session.stay import SessionOptions, WayOut
from cli.session.verbs.orders import why_not_first
from cli.session.votes import go_on_without, must_wait
from cli.wording.moves import HeldDraws
from engine.table import events
from engine.table.trains import Position, Seat
from netgame.protocol import notices
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import SeatInfo
from netgame.protocol.seating import NoSeat, WhyNoSeat
from tests.cli.joining.test_sitting_down import Guest, Lobby
from tests.cli.render.test_game_end import END, EVENING
from tests.cli.scenes import scene_after, scenes_of, written
from tests.cli.session.test_calls import FakeFront, FakeNode, played, tapping, view_of


def away_from(scene, *names):
    """The view of a table from which these are away."""
    view = view_of(scene)
    seats = (replace(info, connected=info.name not in names) for info in view.seats)
    return replace(view, seats=tuple(seats))


def vote_cast(name, without, needed, by):
    """Somebody would go on without another, and so would these."""
    agreed = (notices.Agreed((without,), by),)
    return notices.VoteCast(name, (without,), needed, own=False, may_agree=False, agreed=agreed)


def gone_seat(name, *, farewell=False, named_by=(), not_needed=(), promised=False):
    """Somebody who went in round 2, in front of step 61."""
    return GoneSeat(name, name.encode(), 61, 1, farewell, named_by, not_needed, promised)


def test_a_link_is_news_only_after_it_was_lost():
    """Links come up one after the other when a table meets; only one that comes back is told."""
    front = FakeFront()
    commentary = Commentary(front, HeldDraws(), reminds=True)
    for up in (True, False, True):
        end = None if up else notices.LinkEnd.QUIT
        commentary.take(None, notices.LinkChanged("Ben", up=up, end=end))
    assert front.said == ["", "Ben has quit, and may come back.", "Ben is back."]
    for up in (False, True):
        end = None if up else notices.LinkEnd.ENDED_HERE
        commentary.take(None, notices.LinkChanged("Ben", up=up, end=end))
    assert front.said[3:] == ["", ""]


def test_links_to_bots_of_ones_own_are_no_news():
    """They play in this program, and come back one after the other with it."""
    front = FakeFront()
    commentary = Commentary(front, HeldDraws(), reminds=True)
    lost = notices.LinkChanged("Ben", up=False, end=notices.LinkEnd.BROKEN)
    for bots in (["Ben"], []):
        commentary.take(None, lost, own_bots=bots)
    assert [bool(said) for said in front.said] == [False, True]


def test_what_can_be_done_about_somebody_away_is_said_once():
    """Where there are enough to vote; and it is said that the others have gone on without you."""
    front, scene = FakeFront(), scene_after(12, 4, 43)
    commentary = Commentary(front, HeldDraws(), reminds=False, own_name=scene.names[scene.seat])
    away = next(name for name in scene.names if name != commentary.own_name)
    for up in (False, True, False):
        end = None if up else notices.LinkEnd.QUIT
        commentary.take(scene, notices.LinkChanged(away, up=up, end=end))
    gone = gone_seat(commentary.own_name, named_by=("Ben", "Cy"))
    commentary.take(scene, notices.SeatsLeft((commentary.own_name,)), departures=[gone])
    vote = vote_cast(away, commentary.own_name, 2, (away,))
    commentary.take(scene, vote)
    said = f"{away} has quit, and may come back."
    assert front.said[:3] == [said, f"{away} is back.", said]
    assert front.said[3] == (
        "Ben and Cy went on without you in round 2 (step 61): you were away, or kept them waiting. "
        "You watch now, and get your seat back at the next round; the record is kept. If you "
        "quit first, come back with: boneyard join"
    )
    assert front.said[4].endswith(f"(1 of 2 needed: {away}). It lapses when you move.")
    advice = f"Rather than wait, you can vote: without {away} (3 of 4 must agree)."
    assert commentary.advice(away_from(scene, away), scene) == advice
    assert commentary.advice(away_from(scene, away), scene) == ""


async def test_what_can_be_done_is_said_once_for_all_who_go_in_one_moment(autojump_clock):
    """Nobody reads that they can vote and that they can only wait."""
    node, front = FakeNode(scene_after(12, 4, 43)), FakeFront()
    front.next_line = trio.sleep_forever
    for name in ("Ben", "Cy"):
        broken = notices.LinkChanged(name, up=False, end=notices.LinkEnd.BROKEN)
        node.teller.send_nowait(broken)
    view = away_from(node.scene, "Ben", "Cy")
    node.view = lambda: view
    with trio.move_on_after(60):
        await sit(node, front, SessionOptions())
    advice = [said for said in front.said if "vote" in said or "wait" in said]
    assert advice == [must_wait(view)]


def test_whoever_has_left_for_good_is_not_missed():
    """Neither the status line nor the list of players says that they are not connected."""
    front, scene = FakeFront(), scene_after(12, 4, 43)
    commentary = Commentary(front, HeldDraws(), reminds=False)
    commentary.take(scene, notices.SaidFarewell("Ben"))
    commentary.take(scene, notices.LinkChanged("Ben", up=False, end=notices.LinkEnd.ENDED_HERE))
    assert front.said == ["Ben leaves for good.", ""]
    assert commentary.advice(view_of(scene), scene) == ""
    view = view_of(scene)
    ben = replace(view.seats[1], connected=False, parted=True)
    gone = replace(view, seats=(view.seats[0], ben, *view.seats[2:]))
    canvas = front.canvas()
    said = f"{status_text(gone)} {written(who_lines(gone, canvas, b'Ana'))}"
    assert "not connected" not in said
    assert "left for good" in said


def test_a_bots_vote_is_explained():
    """It has no will of its own."""
    front, scene = FakeFront(), scene_after(12, 4, 43)
    commentary = Commentary(front, HeldDraws(), reminds=False)
    vote = vote_cast("Cy", "Ben", 3, ("Cy", "Dora"))
    commentary.take(scene, vote, bots=["Cy"])
    commentary.take(scene, replace_struct(vote, name="Dora"), bots=["Cy"])
    rule = "A bot votes with a person, or once the time is up that the table has set."
    assert front.said[0].endswith(f"(2 of 3 needed: Cy and Dora). {rule}")
    assert front.said[1].endswith("(2 of 3 needed: Cy and Dora).")


def test_a_draw_that_a_removal_undoes_is_told_once():
    """The seat draws again from the new deck."""
    scene = scene_after(12, 4, 43)
    seat, undone = Seat(2), Position(999)
    name, held = scene.names[2], scene.table.hands[2][0]
    draws = HeldDraws()
    drawn = [notices.Played(seat, (events.TileDrawn(seat, at),)) for at in (undone, held)]
    assert draws.told(scene, drawn[0], "") == ""
    assert draws.told(scene, notices.SeatsLeft(("Ben",)), "Gone.") == "Gone."
    assert draws.told(scene, drawn[1], "") == ""
    assert draws.told(scene, notices.SeatsLeft(("Dora",)), "Gone.") == "Gone."
    passed = notices.Played(seat, (events.Passed(seat),))
    assert draws.told(scene, passed, "") == f"{name} drew a tile and passed."


def test_where_too_few_are_here_one_reads_who_must_come_back():
    """All of them, or so many; at a table of two it takes both."""
    front, scene = FakeFront(), scene_after(12, 4, 43)
    commentary = Commentary(front, HeldDraws(), reminds=False)
    for name in ("Ben", "Cy"):
        broken = notices.LinkChanged(name, up=False, end=notices.LinkEnd.BROKEN)
        commentary.take(scene, broken)
    rest = "to go on without somebody, 3 of the 4 players must agree."
    said = commentary.advice(away_from(scene, "Ben", "Cy"), scene)
    assert said == f"You can only wait until Ben or Cy comes back: {rest}"
    alone = must_wait(away_from(scene, "Ben", "Cy", "Dora"))
    assert alone == f"You can only wait until 2 of Ben, Cy and Dora come back: {rest}"
    assert must_wait(away_from(scene, "Ben")) == ""
    two = away_from(scene, "Ben")
    two = replace(two, seats=two.seats[:2], needed=2)
    assert must_wait(two).startswith("You can only wait for Ben to come back: at a table of two, ")
    lone = away_from(scene, "Ben", "Cy")
    lone = replace(lone, seats=lone.seats[:3], needed=3)
    assert must_wait(lone).startswith("You can only wait for Ben and Cy to come back: to go on")


async def test_a_vote_needs_more_than_half_who_are_here():
    """Who else is away may be named, too; where too few are here one can only wait."""
    node, front = FakeNode(scene_after(12, 4, 43)), FakeFront()
    eve = SeatInfo("Eve", b"Eve", "abcd", False, True, decides=True)
    away = (b"Ben", b"Cy")
    seats = [replace(info, connected=info.key not in away) for info in (*node.view().seats, eve)]
    five = replace(node.view(), seats=tuple(seats), needed=3)
    tables = [five, replace(five, seats=tuple(seats[:4]))]
    node.view, node.is_missed = lambda: tables[0], lambda key: key in away
    await go_on_without(node, front, ("ben",))
    assert front.said == ["Cy is away too. To go on without all: without Ben Cy"]
    await go_on_without(node, front, ("ben", "cy"))
    tables.pop(0)
    await go_on_without(node, front, ("ben",))
    assert front.said[1:] == [must_wait(tables[0])]
    two = replace(five, seats=tuple(seats[:2]), needed=2)
    node.view = lambda: two
    await go_on_without(node, front, ("ben",))
    assert front.said[2:] == [must_wait(two)]
    votes = [[b"Ben"], [b"Ben", b"Cy"]]
    assert node.asked == [("without", each) for each in votes]


async def test_whoever_watches_or_was_gone_on_without_has_no_vote():
    """The players decide."""
    node, front = FakeNode(scene_after(12, 4, 43)), FakeFront()
    view = node.view()
    node.view = lambda: replace(view, own=OwnPlace.WATCHING)
    await go_on_without(node, front, ("ben",))
    assert front.said == ["You only watch; the players decide that."]
    assert node.asked == []


def test_votes_are_in_the_status_line_and_beside_names():
    """How many would go on without whom, who they are, and who has gone by whose word."""
    scene, canvas = scene_after(12, 4, 43), FakeFront().canvas()
    view = away_from(scene, "Ben")
    ben = replace(view.seats[1], missed_by=("Ana", "Dora"))
    voted = replace(view, seats=(view.seats[0], ben, *view.seats[2:]))
    assert "not connected: Ben" in status_text(view)
    assert status_text(voted).endswith("| without Ben: 2 of 3")
    listed = written(who_lines(voted, canvas, b"Ana"))
    assert "Ana and Dora would go on without Ben (2 of 3 needed)." in listed
    left = replace(view.seats[1], left=True)
    for farewell, said in ((True, "left for good"), (False, "Ana and Dora went on without Ben.")):
        gone = gone_seat("Ben", farewell=farewell, named_by=() if farewell else ("Ana", "Dora"))
        seats = (view.seats[0], left, *view.seats[2:])
        now = replace(view, seats=seats, departures=(gone,))
        assert said in written(who_lines(now, canvas, b"Ana"))


def test_the_status_line_says_who_goes_with_how_many_votes():
    """Those on whom the same agree stand together, those with the most votes first."""
    view = away_from(scene_after(12, 4, 43), "Ben", "Cy", "Dora")
    agreed = {"Ben": ("Ana",), "Cy": ("Ana", "Eve"), "Dora": ("Ana",)}
    seats = tuple(replace(info, missed_by=agreed.get(info.name, ())) for info in view.seats)
    said = status_text(replace(view, seats=seats))
    assert said.endswith("| without Cy: 2 of 3 | without Ben and Dora: 1 of 3")


def test_a_farewell_of_ones_own_is_told_as_such():
    """Who comes back reads when they left, and how they sit again."""
    front, scene = FakeFront(), scene_after(12, 4, 43)
    commentary = Commentary(front, HeldDraws(), reminds=False, own_name="Ana")
    left = notices.SeatsLeft(("Ana",))
    commentary.take(scene, left, departures=[gone_seat("Ana", farewell=True)])
    assert front.said[0].startswith("You left this table for good in round 2 (step 61). You watch")
    ben = gone_seat("Ben", named_by=("Ana", "Cy"))
    commentary.take(scene, notices.SeatsLeft(("Ben",)), departures=[ben])
    assert front.said[1] == "The table goes on without Ben, as you and Cy agreed."
    commentary.take(scene, notices.SeatsLeft(("Cy",)), departures=[gone_seat("Cy", farewell=True)])
    assert front.said[2] == "The table goes on without Cy."


async def test_moves_that_are_taken_back_are_told_and_the_board_is_drawn_anew(autojump_clock):
    """One sentence, and the table as it is now."""
    node, front = FakeNode(scene_after(12, 4, 43)), FakeFront()
    front.next_line, told, shown = trio.sleep_forever, front.tell, []

    def tell(occasion):
        told(occasion)
        shown.append(type(occasion))

    front.tell = tell
    node.teller.send_nowait(notices.MovesUndone())
    with trio.move_on_after(60):
        await sit(node, front, SessionOptions())
    sentence = "The last moves are taken back: not everybody who plays on had seen them."
    assert front.said.count(sentence) == 1
    assert shown[-2:] in ([NoticeShown, TableShown], [NoticeShown, TurnBegins])


def test_a_reminder_is_said_when_it_is_new():
    """Once for what can be called, again when it could not be called in between."""
    front, scene = FakeFront(), tapping()
    quiet = next(each for each in scenes_of("roundhouse", 60) if not calls(each))
    commentary = Commentary(front, HeldDraws(), reminds=True)
    for seen in (scene, scene, quiet, scene):
        commentary.take(seen, notices.DealStage(""))
    assert front.said.count("One tile left: type tap.") == 2


async def test_the_first_reason_to_end_counts():
    """Whatever else happens while the loop is being ended."""
    way_out = WayOut(FakeNode(scene_after(12, 4, 43)), FakeFront())
    way_out.end(ExitCode.REFUSED)
    way_out.end(ExitCode.OK)
    assert await way_out.taken() is ExitCode.REFUSED


async def test_a_game_that_is_over_ends_by_itself(autojump_clock):
    """Also if the table never says that it is done."""
    way_out = WayOut(FakeNode(scene_after(12, 4, 43)), FakeFront())
    way_out.end_after(15.0)
    began = trio.current_time()
    assert await way_out.taken() is ExitCode.OK
    assert trio.current_time() - began == 15.0


@pytest.mark.parametrize("for_good", [False, True])
async def test_whoever_plays_against_bots_is_told_of_no_others(for_good):
    """The game waits, or is given up; at a table with people it is they who wait or go on."""
    scene = scene_after(12, 4, 43)
    view = view_of(scene)
    bots = tuple(replace(info, bot=info.name != scene.names[scene.seat]) for info in view.seats)
    for seats, told in ((bots, False), (view.seats, True)):
        node, front = FakeNode(scene), FakeFront()
        node.view = lambda seats=seats: replace(view, is_host=True, seats=seats)
        await WayOut(node, front).quit(for_good=for_good)
        assert any("others" in said for said in front.said) == told


@pytest.mark.parametrize("connected", [False, True])
async def test_a_farewell_that_nobody_hears_promises_nothing(connected):
    """The others go on without whoever leaves only if they learn of it."""
    scene = scene_after(12, 4, 43)
    view, node, front = view_of(scene), FakeNode(scene), FakeFront()
    seats = tuple(replace(info, connected=connected or info.key == node.key) for info in view.seats)
    node.view = lambda: replace(view, seats=seats)
    await WayOut(node, front).quit(for_good=True)
    assert ("The others go on" in front.said[0]) == connected
    assert ("Nobody is here" in front.said[0]) != connected


@pytest.mark.parametrize(
    ("closed", "said"),
    [
        (None, ": you watch, and get your old seat at the next round."),
        (NoSeat(WhyNoSeat.LAST_ROUND), ", to watch."),
    ],
)
async def test_whoever_leaves_for_good_reads_what_brings_them_back(monkeypatch, closed, said):
    """To their old seat, where the table gives any."""
    left = []

    async def leave_for_good(node):
        left.append(node)

    monkeypatch.setattr(stay, "leave_for_good", leave_for_good)
    scene = scene_after(12, 4, 43)
    node, front = FakeNode(scene), FakeFront()
    node.view = lambda: replace(view_of(scene), closed=closed)
    await WayOut(node, front).leave(for_good=True)
    assert left == [node]
    assert front.said[-1] == f"boneyard join brings you back{said}"


async def test_any_line_closes_the_question_whether_to_leave():
    """A yes that comes two lines later answers nothing."""
    way_out = WayOut(FakeNode(scene_after(12, 4, 43)), FakeFront())
    await way_out.quit(for_good=False)
    assert way_out.asks
    assert not await way_out.answered("who")
    assert not await way_out.answered("y")


class Hasty(Guest):
    """Somebody whose last two lines alone were begun when the question was on the screen."""

    saw_question = property(lambda self: len(self.lines) < 2)


@pytest.mark.parametrize("line", ["y", "n", ""])
async def test_what_was_typed_before_a_question_is_no_answer(line):
    """It was about something else, and would take a seat, or leave the table."""
    early = "You typed that before the question was there: read it first."
    node, front = Lobby(), Hasty(line)
    node.teller.send_nowait(notices.LobbyChanged())
    await sit(node, front, SessionOptions(looks_first=True))
    assert node.asked == []
    assert front.said.count(early) == 1
    front = Hasty("quit", line)
    await sit(FakeNode(scene_after(12, 4, 43)), front, SessionOptions())
    assert front.said.count(early) == 1
    assert "You stay." not in front.said
    assert front.lines == ["yes"], "the question has waited for its answer, and quit is one"


async def test_an_invitation_takes_no_answer_before_its_question():
    """Enter at a lobby that has not been shown asks for nothing."""
    node, front = Lobby(), Guest()
    invitation = Invitation(
        node, front, SessionOptions(), WayOut(node, front), Desk(node, front), undecided=True
    )
    assert not await invitation.answered("y")
    invitation.lobby_changed()
    invitation.ask()
    assert not await invitation.answered("who")
    assert await invitation.answered("y")
    assert node.asked == [("take_seat", None)]


def test_who_plays_first_is_named_only_where_the_rules_ask():
    """Else the rules decide."""
    view = view_of(scene_after(12, 4, 43))
    assert why_not_first(view, "Ben") == "These rules decide who plays first; type start alone."


@pytest.mark.parametrize(
    ("occasion", "kind", "keys"),
    [
        (
            NoticeShown(notices.ChatHeard("Ben", "hi"), "Ben: hi"),
            "chat-heard",
            {"name", "said", "text"},
        ),
        (TurnBegins(scene_after(12, 4, 43)), "turn", {"plays", "hand", "duties", "moves", "table"}),
        (ScoresShown(scene_after(12, 4, 43)), "scores", {"names", "rounds", "totals"}),
        (END, "result", {"winners", "longest", "text", "seats"}),
        (EveningShown(EVENING), "evening", {"games", "seats"}),
        (
            LobbyScene(view_of(scene_after(12, 4, 43)), b"Ana", code="7-otter-violin"),
            "lobby",
            {"seats", "offered", "host", "addresses", "code"},
        ),
    ],
    ids=["notice", "turn", "scores", "result", "evening", "lobby"],
)
def test_each_occasion_is_an_object_for_programs(occasion, kind, keys):
    """Its type and its facts, which JSON can hold."""
    found, facts = facts_of(occasion)
    assert (found, set(facts)) == (kind, keys)
    assert json.loads(json.dumps(facts, default=as_json))


async def test_only_who_is_away_can_be_voted_on():
    """Whoever is here is named in the refusal, and nothing is cast."""
    node, front = await played(scene_after(12, 4, 43), "without cy", "without ben")
    assert node.asked == [("without", [b"Ben"])]
    assert any(said.startswith("Cy is here. You can vote only") for said in front.said)


async def test_who_comes_back_reads_what_was_played_meanwhile_under_a_heading():
    """Once, and not where nothing was."""
    front, scene = FakeFront(), scene_after(12, 4, 43)
    play = notices.Played(Seat(1), (events.Passed(Seat(1)),))
    commentary = Commentary(front, HeldDraws(), reminds=True, returns=True)
    for notice in (play, play):
        commentary.take(scene, notice)
    assert front.said.count("Since you left:") == 1
    commentary = Commentary(front, HeldDraws(), reminds=True, returns=True)
    for notice in (notices.YourTurn(), play):
        commentary.take(scene, notice)
    assert front.said.count("Since you left:") == 1
    commentary = Commentary(front, HeldDraws(), reminds=True, returns=True)
    commentary.take(scene, notices.Played(Seat(1), (events.TileDrawn(Seat(1), Position(90)),)))
    assert front.said.count("Since you left:") == 1, "what came of the draw is told with it"
    commentary.take(scene, play)
    assert front.said.count("Since you left:") == 2
