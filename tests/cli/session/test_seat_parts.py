"""The parts of a seat's loop, most of them tested without the loop."""

from dataclasses import replace

import pytest
import trio
from msgspec import structs

from cli.exits import ExitCode
from cli.render.sheets import who_lines
from cli.render.status import status_text
from cli.scene import calls
from cli.session import stay
from cli.session.commentary import Commentary, OwnAbsence
from cli.session.endings import end_of_game
from cli.session.loop import sit
from cli.session.stay import WayOut
from cli.session.verbs.orders import why_not_first
from cli.session.votes import go_on_without, must_wait
from cli.wording.moves import HeldDraws
from cli.wording.round_end import LEAVING
from engine.table import events
from engine.table.table import Ending, Outcome, PlayOver
from engine.table.trains import Position, Seat
from netgame.protocol import notices
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.log.fault import Offence
from netgame.protocol.peer.view import TableStage
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Settings
from tests.cli.fakes import FakeFront, FakeNode, seats_of, sitting_with, view_of
from tests.cli.joining.test_sitting_down import lobby
from tests.cli.scenes import scene_after, scenes_of, written
from tests.cli.session.test_calls import tapping
from tests.engine.deals import spec_of

SCENE = scene_after(12, 4, 43)


def away_from(scene, *names, **facts):
    """Return the scene's view with these players disconnected and these facts in their seats."""
    view = view_of(scene)
    seats = (
        replace(info, connected=False, **facts) if info.name in names else info
        for info in view.seats
    )
    return replace(view, seats=tuple(seats))


def commented(*, reminds=False, **how):
    """Return Ana's screen, and the commentary that tells her the news on it."""
    front = FakeFront()
    return front, Commentary(b"Ana", front, HeldDraws(), reminds=reminds, **how)


def heard(commentary, notice, scene=SCENE, **facts):
    """Pass a notice to the commentary, at a table whose view has these facts."""
    commentary.take(scene, notice, view_of(SCENE, **facts))


def with_bots(*names):
    """Return facts that make these players bots, and Ana their host if there are any."""
    seats = tuple(replace(each, bot=each.name in names) for each in seats_of(*SCENE.names))
    return {"seats": seats, "is_host": bool(names)}


def vote_cast(name, without, needed, by):
    """Return the notice of a vote by `name` to go on without another; `by` lists all who agree."""
    agreed = (notices.Agreed((without,), by),)
    return notices.VoteCast(name, (without,), needed, own=False, may_agree=False, agreed=agreed)


def gone_seat(name, *, farewell=False, named_by=(), not_needed=(), promised=False):
    """Return the departure of a player's seat in round 2, at step 61."""
    how = farewell, named_by, not_needed, promised
    return GoneSeat(name, name.encode(), 61, 1, *how, Phase.PLAY, owing=False)


def test_a_link_is_news_only_after_it_was_lost():
    """A link that comes up is news only if it was lost before and the loss was told.

    The links of the player's own bots, which run in the player's program, are never news.
    """
    front, commentary = commented()
    for end, own_bots, said in (
        (None, [], ""),
        (notices.LinkEnd.QUIT, [], "Ben has quit, and may come back."),
        (None, [], "Ben is back."),
        (notices.LinkEnd.ENDED_HERE, [], ""),
        (None, [], ""),
        (notices.LinkEnd.QUIT, ["Ben"], ""),
    ):
        link = notices.LinkChanged("Ben", up=end is None, end=end)
        heard(commentary, link, None, **with_bots(*own_bots))
        assert front.said.pop() == said


def test_once_a_game_is_over_people_leave_and_bots_of_ones_own_just_go():
    """After a game, a player whose link ends "has left"; the player's own bots go unmentioned."""
    front, commentary = commented()
    heard(commentary, notices.GameOver((), None))
    gone = notices.LinkChanged("Ben", up=False, end=notices.LinkEnd.QUIT)
    for own_bots, said in (([], "Ben has left."), (["Ben"], "")):
        heard(commentary, gone, **with_bots(*own_bots))
        assert front.said.pop() == said


def test_who_goes_from_a_table_that_a_fault_has_stopped_is_not_waited_for():
    """If a fault has stopped the table, a player who goes "has left".

    Once the table plays on, a player who goes "may come back".
    """
    front, commentary = commented()
    stops = notices.AfterFault.STOPS
    heard(commentary, notices.FaultFound("Ben (ab)", "fork", "Ben lied.", "e.bin", stops))
    gone = notices.LinkChanged("Ben", up=False, end=notices.LinkEnd.QUIT)
    heard(commentary, gone)
    assert front.said.pop() == "Ben has left."
    heard(commentary, notices.PlaysOn())
    heard(commentary, gone)
    assert front.said.pop() == "Ben has quit, and may come back."


async def test_a_stopped_table_says_with_what_result_and_gives_no_advice(
    monkeypatch, autojump_clock
):
    """If a cheat ends the game, the end names the cheater and the result, and gives no advice."""
    ana, ben, *others = view_of(SCENE).seats
    ben = replace(ben, connected=False, offence=Offence.SCORE)
    facts = {"seats": (ana, ben, *others), "stage": TableStage.HALTED, "is_through": True}
    node, front = FakeNode(SCENE, **facts), FakeFront(60.0)
    node.tell(notices.LinkChanged("Ben", up=False, end=notices.LinkEnd.QUIT))
    monkeypatch.setattr(end_of_game, "last_words", lambda *_: ("Check it.",))
    async with trio.open_nursery() as nursery:

        async def finish() -> None:
            await trio.sleep(20.0)
            node.finished.set()

        nursery.start_soon(finish)
        code = await sit(node, front, sitting_with())
    assert code is ExitCode.FAILED
    assert front.said[-3:] == [
        "The game ends here: Ben cheated, and nobody can play on.",
        "No round was scored, so nobody leads.",
        "Check it.",
    ]
    assert not any("only wait" in said or "can vote" in said for said in front.said)


async def test_what_can_be_done_is_said_once_for_all_who_go_in_one_moment(autojump_clock):
    """When two players go at once, one sentence says what can be done."""
    view = away_from(SCENE, "Ben", "Cy")
    node, front = FakeNode(SCENE, seats=view.seats), FakeFront(60.0)
    broken = {"up": False, "end": notices.LinkEnd.BROKEN}
    node.tell(*(notices.LinkChanged(name, **broken) for name in ("Ben", "Cy")))
    await sit(node, front, sitting_with())
    advice = [said for said in front.said if "can vote" in said or "only wait" in said]
    assert advice == [must_wait(view)]


def test_whoever_has_left_for_good_is_not_missed():
    """Neither the status line nor the list calls a player who left for good "not connected"."""
    front, commentary = commented()
    heard(commentary, notices.SaidFarewell("Ben"))
    heard(commentary, notices.LinkChanged("Ben", up=False, end=notices.LinkEnd.ENDED_HERE))
    assert front.said == ["Ben leaves for good.", ""]
    assert commentary.contacts.advice(view_of(SCENE), SCENE) == ""
    for fact in ("parted", "left"):
        gone = away_from(SCENE, "Ben", **{fact: True})
        said = f"{status_text(gone)} {written(who_lines(gone, front.canvas(), b'Ana'))}"
        assert "3 connected" in said
        assert "not connected" not in said
        assert "left for good" in said


def test_a_bots_vote_is_explained():
    """The news of a bot's vote says when bots vote; the news of a person's vote does not."""
    front, commentary = commented()
    for name in ("Cy", "Dora"):
        vote = vote_cast(name, "Ben", 3, ("Cy", "Dora"))
        heard(commentary, vote, **with_bots("Cy") | {"is_host": False})
    rule = "A bot votes with a person, once somebody has been away for a minute."
    assert front.said[0].endswith(f"(2 of 3 needed: Cy and Dora). {rule}")
    assert front.said[1].endswith("(2 of 3 needed: Cy and Dora).")


def test_a_draw_that_a_removal_undoes_is_told_once():
    """A draw is told together with the pass after it, and only if no removal has undone it."""
    seat, draws = Seat(2), HeldDraws()
    for at in (Position(999), SCENE.table.hands[2][0]):
        drawn = notices.Played(seat, (events.TileDrawn(seat, at),))
        assert draws.told(SCENE, drawn, "") == ""
        assert draws.told(SCENE, notices.SeatsLeft(("Ben",)), "Gone.") == "Gone."
    passed = notices.Played(seat, (events.Passed(seat),))
    assert draws.told(SCENE, passed, "") == f"{SCENE.names[2]} drew a tile and passed."


def test_where_too_few_are_here_one_reads_who_must_come_back():
    """The advice to wait names who must come back; a table of two needs both players."""
    rest = "to go on without somebody, 3 of the 4 players must agree."
    for away, count, needed, said in (
        (["Ben"], 4, 3, ""),
        (["Ben", "Cy"], 4, 3, f"until Ben or Cy comes back: {rest}"),
        (["Ben", "Cy", "Dora"], 4, 3, f"until 2 of Ben, Cy and Dora come back: {rest}"),
        (["Ben"], 2, 2, "for Ben to come back: at a table of two, "),
        (["Ben", "Cy"], 3, 3, "for Ben and Cy to come back: to go on"),
    ):
        view = away_from(SCENE, *away)
        told = must_wait(replace(view, seats=view.seats[:count], needed=needed))
        assert told.startswith(f"You can only wait {said}" if said else "")
        assert bool(told) == bool(said)


async def test_a_vote_needs_more_than_half_who_are_here():
    """If too few are here for a vote, a sentence says whom else to name, or that one must wait."""
    node, front = FakeNode(SCENE), FakeFront()
    node.is_missed = lambda key: key in (b"Ben", b"Cy")
    five = (*away_from(SCENE, "Ben", "Cy").seats, *seats_of("Eve"))
    too = "Cy is away too. To go on without all: without Ben Cy"
    for names, count, needed, said in (
        (["ben"], 5, 3, too),
        (["ben", "cy"], 5, 3, ""),
        (["ben"], 4, 3, "You can only wait"),
        (["ben"], 2, 2, "You can only wait"),
    ):
        node.facts = {"seats": five[:count], "needed": needed}
        await go_on_without(node, front, names)
        assert "".join(front.said).startswith(said)
        front.said.clear()
    assert node.asked == [("without", each) for each in ([b"Ben"], [b"Ben", b"Cy"])]


def test_who_is_heard_through_others_is_waited_for_as_anybody_here():
    """Players who are reached through others are not listed as away, and count for a vote."""
    away = away_from(SCENE, "Ben", "Dora")
    assert "not connected: Ben, Dora" in status_text(away)
    assert must_wait(replace(away, needed=3)).startswith("You can only wait")
    heard = away_from(SCENE, "Ben", "Dora", through=True)
    assert status_text(heard) == status_text(view_of(SCENE))
    assert not must_wait(replace(heard, needed=3))


def test_votes_are_in_the_status_line_and_beside_names():
    """The status line counts votes; the list names the voters and says how a seat was lost."""
    canvas, both = FakeFront().canvas(), ("Ana", "Dora")
    assert "not connected: Ben" in status_text(away_from(SCENE, "Ben"))
    voted = away_from(SCENE, "Ben", missed_by=both)
    assert status_text(voted).endswith("| without Ben: 2 of 3")
    listed = written(who_lines(voted, canvas, b"Ana"))
    assert "Ana and Dora would go on without Ben (2 of 3 needed)." in listed
    for by, said in (((), "left for good"), (both, "Ana and Dora went on without Ben.")):
        gone = gone_seat("Ben", farewell=not by, named_by=by)
        now = replace(away_from(SCENE, "Ben", left=True), departures=(gone,))
        assert said in written(who_lines(now, canvas, b"Ana"))


def test_the_status_line_says_who_goes_with_how_many_votes():
    """The status line groups players with the same votes, and the most votes come first."""
    view = away_from(SCENE, "Ben", "Cy", "Dora")
    agreed = {"Ben": ("Ana",), "Cy": ("Ana", "Eve"), "Dora": ("Ana",)}
    seats = tuple(replace(info, missed_by=agreed.get(info.name, ())) for info in view.seats)
    said = status_text(replace(view, seats=seats))
    assert said.endswith("| without Cy: 2 of 3 | without Ben and Dora: 1 of 3")


def test_a_farewell_of_ones_own_is_told_as_such():
    """A player whose seat is gone reads when and why it went, and how to come back.

    The others read who is gone; those who voted for it are reminded that they did.
    """
    back = (
        "You watch now, and get your seat back at the next round; the record is kept. If you "
        "quit first, come back with: boneyard join"
    )
    front, commentary = commented()
    for gone, said in (
        (gone_seat("Ana", farewell=True), "You left this table for good in round 2 (step 61). You"),
        (
            gone_seat("Ana", named_by=("Ben", "Cy")),
            "Ben and Cy went on without you in round 2 (step 61): you were away, or kept them "
            f"waiting. {back}",
        ),
        (
            gone_seat("Ben", named_by=("Ana", "Cy")),
            "The table goes on without Ben, as you and Cy agreed.",
        ),
        (gone_seat("Cy", farewell=True), "The table goes on without Cy."),
    ):
        heard(commentary, notices.SeatsLeft((gone.name,)), departures=(gone,))
        assert front.said.pop().startswith(said)
    heard(commentary, vote_cast("Ben", "Ana", 2, ("Ben",)))
    assert front.said.pop().endswith("(1 of 2 needed: Ben). That vote ends when you move.")


def test_nobody_is_said_to_be_voted_out_who_left_in_the_same_moment():
    """If Ben says farewell while the others vote on Cy, one sentence tells of both."""
    front, commentary = commented()
    gone = (gone_seat("Ben", farewell=True), gone_seat("Cy", named_by=("Ana", "Dora")))
    heard(commentary, notices.SeatsLeft(("Ben", "Cy")), departures=gone)
    assert front.said == ["The table goes on without Ben and Cy."]


def test_the_way_back_to_a_seat_is_told_once():
    """The news of being voted out says how to come back; a promise of a seat does not repeat it."""
    front, commentary = commented()
    told = list[str | None]()
    front.tell = lambda occasion: told.append(occasion.told)
    promise = notices.SeatLater(watched=2, returns=True)
    left = notices.SeatsLeft(("Ana",))
    for notice in (promise, left, promise):
        heard(commentary, notice, departures=(gone_seat("Ana", named_by=("Ben", "Cy")),))
    before, vote, after = told
    assert "get your old seat when round 3" in before
    assert "get your seat back at the next round" in vote
    assert after == ""


def test_a_reminder_is_said_when_it_is_new():
    """A player is reminded to call once, and again only if a call was impossible in between."""
    scene = tapping()
    quiet = next(each for each in scenes_of("roundhouse", 60) if not calls(each))
    front, commentary = commented(reminds=True)
    for seen in (scene, scene, quiet, scene):
        heard(commentary, notices.DealStage(""), seen)
    assert front.said.count("One tile left: type tap.") == 2


async def test_the_first_reason_to_end_counts():
    """The first reason to end the loop gives the exit code; later reasons change nothing."""
    way_out = WayOut(FakeNode(SCENE), FakeFront())
    way_out.end(ExitCode.REFUSED)
    way_out.end(ExitCode.OK)
    await way_out.quit(for_good=False, typed="quit")
    assert not way_out.asks
    assert await way_out.taken() is ExitCode.REFUSED


async def test_a_game_that_is_over_ends_by_itself(autojump_clock):
    """`end_after` ends the loop after the given time, even if the table is never finished."""
    way_out = WayOut(FakeNode(SCENE), FakeFront())
    way_out.end_after(15.0)
    began = trio.current_time()
    assert await way_out.taken() is ExitCode.OK
    assert trio.current_time() - began == 15.0


@pytest.mark.parametrize("attempt", range(8))
async def test_an_interrupt_says_how_to_come_back_last(attempt):
    """After an interrupt, the command for coming back is told last, after all news."""
    node = FakeNode(SCENE)

    def interrupt() -> None:
        node.tell(notices.ChatHeard("Ben", "hello"))
        raise KeyboardInterrupt

    front = FakeFront(interrupt)
    with pytest.RaisesGroup(KeyboardInterrupt):
        await sit(node, front, sitting_with())
    assert front.said[-1] == "You have left the table. Come back with: boneyard resume"


@pytest.mark.parametrize("for_good", [False, True])
async def test_whoever_plays_against_bots_is_told_of_no_others(for_good):
    """The question about leaving mentions the others only if some of them are people."""
    for bot in (True, False):
        seats = (*seats_of("Ana"), *seats_of("Ben", "Cy", "Dora", bot=bot))
        node, front = FakeNode(SCENE, is_host=True, seats=seats), FakeFront()
        await WayOut(node, front).quit(for_good=for_good, typed="leave" if for_good else "quit")
        assert any("others" in said for said in front.said) != bot


@pytest.mark.parametrize(
    ("change", "costs"),
    [
        ({}, True),
        ({"now": PlayOver(Outcome(Ending.OUT, 2))}, False),
        ({"hands": ((),) * 4}, False),
        ({"spec": spec_of(12, 4, scoring="winner-takes", ties="shared")}, False),
    ],
    ids=["in a round", "after it", "without tiles", "where only the winner scores"],
)
async def test_whoever_leaves_for_good_is_warned_of_what_it_costs(change, costs):
    """The question about leaving warns of the points that leaving costs, if it costs any."""
    scene = replace(SCENE, table=structs.replace(SCENE.table, **change))
    for for_good, said in (
        (True, "Leave for good? The others go on without you. Type leave again."),
        (False, "To go for good, and have them go on without you, type leave."),
    ):
        front = FakeFront()
        await WayOut(FakeNode(scene), front).quit(
            for_good=for_good, typed="leave" if for_good else "quit"
        )
        *_, asked = front.said
        assert said in asked
        assert (LEAVING in asked) == costs


@pytest.mark.parametrize(
    ("option", "phase", "costs"),
    [
        ("leaver=rebuild", SCENE.table.now, True),
        ("leaver=redeal", SCENE.table.now, False),
        ("leaver=rebuild", PlayOver(Outcome(Ending.OUT, 2)), False),
    ],
)
async def test_the_last_but_one_reads_who_wins_and_what_else_it_costs(option, phase, costs):
    """If only one other player is left, the question about leaving names that player as winner.

    It warns of the cost in points if the round will be scored.
    """
    seats = (*seats_of("Ana", "Ben"), *seats_of("Cy", "Dora", left=True))
    scene = replace(SCENE, table=structs.replace(SCENE.table, now=phase))
    settings = Settings("standard", (), 12, 4, None, None, (option,))
    for for_good in (True, False):
        node, front = FakeNode(scene, seats=seats, settings=settings), FakeFront()
        await WayOut(node, front).quit(for_good=for_good, typed="leave" if for_good else "quit")
        *_, asked = front.said
        assert f"{scene.names[1 - scene.seat]} win" in asked
        assert (LEAVING in asked) == costs
        node, front = FakeNode(scene, seats=seats, settings=settings, coming=("Zoe",)), FakeFront()
        await WayOut(node, front).quit(for_good=for_good, typed="leave" if for_good else "quit")
        assert "go on without you" in front.said[-1], "Zoe sits down at the next round"


@pytest.mark.parametrize("connected", [False, True])
async def test_a_farewell_that_nobody_hears_promises_nothing(connected):
    """The question about leaving says that the others go on only if one of them is connected."""
    seats = (*seats_of("Ana"), *seats_of("Ben", "Cy", "Dora", connected=connected))
    node, front = FakeNode(SCENE, seats=seats), FakeFront()
    await WayOut(node, front).quit(for_good=True, typed="leave")
    assert ("The others go on" in front.said[0]) == connected
    assert ("Nobody else is connected" in front.said[0]) != connected


@pytest.mark.parametrize(
    ("closed", "said"),
    [
        (None, ": you watch, and get your old seat at the next round."),
        (NoSeat(WhyNoSeat.LAST_ROUND), ", to watch."),
    ],
)
async def test_whoever_leaves_for_good_reads_what_brings_them_back(monkeypatch, closed, said):
    """A player who has left for good reads that `join` leads back, to the old seat or to watch."""
    left = []

    async def leave_for_good(node):
        left.append(node)

    monkeypatch.setattr(stay, "leave_for_good", leave_for_good)
    node, front = FakeNode(SCENE, closed=closed), FakeFront()
    await WayOut(node, front).leave(for_good=True)
    assert left == [node]
    assert front.said[-1] == f"boneyard join brings you back{said}"


class Hasty(FakeFront):
    """A person who has typed all lines but the last two before a question is on the screen."""

    saw_question = property(lambda self: len(self.lines) < 2)


@pytest.mark.parametrize("line", ["y", "n", ""])
async def test_what_was_typed_before_a_question_is_no_answer(line):
    """A line typed before a question is on the screen does not answer the question."""
    early = "You typed that before the question came: read it first."
    node, front = lobby(), Hasty(line)
    node.tell(notices.LobbyChanged())
    await sit(node, front, sitting_with(looks_first=True))
    assert node.asked == []
    assert front.said.count(early) == 1
    front = Hasty("quit", line)
    await sit(FakeNode(SCENE), front, sitting_with())
    assert front.said.count(early) == 1
    assert "You stay." not in front.said
    assert front.lines == ["yes"], "the question has waited for its answer, and quit is one"


def test_who_plays_first_is_named_only_where_the_rules_ask():
    """If the rules decide who plays first, naming somebody is refused."""
    said = "These rules decide who plays first; type start alone."
    assert why_not_first(view_of(SCENE), "Ben") == said


async def test_who_comes_back_reads_what_was_played_meanwhile_under_a_heading():
    """The heading "Since you left" is told once, and only above moves that were missed."""
    play = notices.Played(Seat(1), (events.Passed(Seat(1)),))
    drew = notices.Played(Seat(1), (events.TileDrawn(Seat(1), Position(90)),))
    for told, count in (
        ([play, play], 1),
        ([notices.YourTurn(), play], 0),
        ([drew], 0),  # a draw is told with its result
        ([drew, play], 1),
    ):
        front, commentary = commented(absence=OwnAbsence.RETURNS)
        for notice in told:
            heard(commentary, notice)
        assert front.said.count("Since you left:") == count
