"""Sentences and screens after a cut of the network, or when players are away repeatedly."""

from dataclasses import replace
from functools import partial

import pytest
import trio
import trio.testing
from msgspec.structs import replace as with_facts

from cli.input.resolution import NotFound, resolve
from cli.render.board import board_lines
from cli.render.status import status_text
from cli.scene import scene_of
from cli.session.answers import CATCHING_UP
from cli.session.frontend import TableShown, tell_reader
from cli.session.loop import sit
from cli.session.verbs.play import Choose
from cli.session.votes import go_on_without, must_wait, vote_advice
from engine.table import events
from engine.table.trains import Seat
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage
from tests.cli.fakes import FakeFront, FakeNode, sitting_with, view_of
from tests.cli.scenes import written
from tests.cli.session.test_seat_parts import SCENE, away_from, commented, heard, with_bots

DORAS = with_facts(SCENE.table, to_move=Seat(3))
OUT_OF_TURN = replace(SCENE, table=DORAS, can_move=False)


class Table(FakeNode):
    """A fake node whose view a test can change, with or without a notice."""

    def __init__(self, view) -> None:
        super().__init__(scene_of(view))
        self.view = lambda: view
        self.moved = trio.Event()

    def when_moved(self) -> trio.Event:
        """Return an event that `becomes` sets."""
        self.moved = trio.Event() if self.moved.is_set() else self.moved
        return self.moved

    def becomes(self, view, *told: notices.Notice) -> None:
        """Change the view, and send these notices."""
        self.view = lambda: view
        self.tell(*told)
        self.moved.set()


async def at_table(view, *steps) -> FakeFront:
    """Sit at a table while these steps happen, and return the screen.

    A step is a typed line, or a tuple of a view and the notices that come with it.
    """
    node = Table(view)
    happens = (each if isinstance(each, str) else partial(node.becomes, *each) for each in steps)
    front = FakeFront(*happens)
    await sit(node, front, sitting_with())
    return front


def tables(front: FakeFront) -> list[object]:
    """Return the tables that were shown."""
    return [each.scene.table for each in front.shown if isinstance(each, TableShown)]


# ---- who is away once more --------------------------------------------------------------------


def test_what_can_be_done_is_said_anew_whenever_it_changes():
    """Whenever the advice changes it is given once: to vote, or to wait if too few are here."""
    advice = vote_advice(away_from(SCENE, "Ben"), ["Ben"])
    assert advice.startswith("Rather than wait, you can vote: without Ben (3 of 4 must agree).")
    _, commentary = commented()
    for changed, away, said in (
        *(("Ben", ["Ben"], advice), ("Ben", [], "")) * 3,
        ("Ben", ["Ben"], advice),
        ("Cy", ["Ben", "Cy"], must_wait(away_from(SCENE, "Ben", "Cy"))),
        ("Cy", ["Ben"], advice),
    ):
        end = notices.LinkEnd.SILENT if changed in away else None
        heard(commentary, notices.LinkChanged(changed, up=end is None, end=end))
        commentary.contacts.long_away("Ben", commentary.contacts.losses["Ben"])
        for told in (said, ""):
            assert commentary.contacts.advice(away_from(SCENE, *away), SCENE) == told


LOST = notices.LinkChanged("Ben", up=False, end=notices.LinkEnd.BROKEN)
BACK = notices.LinkChanged("Ben", up=True)


def invitations(front) -> list[str]:
    """Return the sentences that suggest a vote."""
    return [said for said in front.said if said.startswith("Rather than wait")]


async def test_nobody_is_invited_to_vote_before_a_minute_is_over(autojump_clock):
    """A vote is advised only after a minute, because most players are back by then."""
    away = away_from(SCENE, "Ben")
    for seconds, invited in ((55.0, 0), (65.0, 1)):
        node = Table(view_of(SCENE))
        front = FakeFront(partial(node.becomes, away, LOST), seconds - 5.0)
        await sit(node, front, sitting_with())
        assert len(invitations(front)) == invited
    (said,) = invitations(front)
    assert said == vote_advice(away, ["Ben"])


async def test_the_minute_begins_anew_whenever_somebody_is_back(autojump_clock):
    """Two absences of half a minute do not add up to a minute."""
    here, away = view_of(SCENE), away_from(SCENE, "Ben")
    node = Table(here)
    lost, back = partial(node.becomes, away, LOST), partial(node.becomes, here, BACK)
    front = FakeFront(lost, 30, back, lost, 45)
    await sit(node, front, sitting_with())
    assert invitations(front) == []
    node = Table(here)
    lost, back = partial(node.becomes, away, LOST), partial(node.becomes, here, BACK)
    front = FakeFront(lost, 30, back, lost, 65)
    await sit(node, front, sitting_with())
    assert len(invitations(front)) == 1


async def test_nobody_is_blamed_for_the_time_in_which_this_computer_was_cut_off(autojump_clock):
    """No vote is advised while this computer is cut off, or in the first minute after that."""
    away = away_from(SCENE, "Ben")
    lost = notices.NetworkChanged(notices.NetworkState.LOST, notices.NetworkState.WORKS)
    back = notices.NetworkChanged(notices.NetworkState.WORKS, notices.NetworkState.LOST)
    for seconds, invited in ((55.0, 0), (65.0, 1)):
        node = Table(view_of(SCENE))
        steps = (partial(node.becomes, away, LOST, lost), 100.0, partial(node.becomes, away, back))
        front = FakeFront(*steps, seconds - 5.0)
        await sit(node, front, sitting_with())
        assert len(invitations(front)) == invited
    node = Table(view_of(SCENE))
    alone = replace(away_from(SCENE, "Ben"), needed=4)
    front = FakeFront(partial(node.becomes, alone, lost, LOST), 20.0)
    await sit(node, front, sitting_with())
    assert must_wait(alone) not in front.said


async def test_that_one_can_only_wait_is_said_at_once(autojump_clock):
    """If too few players are here for a vote, you read at once that you can only wait."""
    away = replace(away_from(SCENE, "Ben"), needed=4)
    front = await at_table(view_of(SCENE), (away, LOST))
    assert must_wait(away) in front.said
    assert invitations(front) == []


# ---- this computer is the one that is cut off ---------------------------------------------------


@pytest.mark.parametrize("state", [notices.NetworkState.LOST, notices.NetworkState.DOUBTED])
def test_who_was_cut_off_is_the_one_who_comes_back(state):
    """After this computer was cut off, others are reported as connected again, not as back.

    Only a player who was already away for long before that is reported as back.
    """
    front, commentary = commented()
    silent = partial(notices.LinkChanged, up=False, end=notices.LinkEnd.SILENT)
    for name in ("Dora", "Ben"):
        heard(commentary, silent(name))
        assert front.said.pop() == f"{name} has not answered for 15 seconds. Trying again."
        commentary.contacts.long_away("Dora", 1)
    cut = notices.NetworkChanged(state, notices.NetworkState.WORKS)
    for notice in (cut, silent("Cy"), notices.NetworkChanged(notices.NetworkState.WORKS, state)):
        heard(commentary, notice)
    lost, gone, back = front.said[-3:]
    assert "your own computer" in lost or "Your computer has lost the network" in lost
    assert gone == ""
    assert back.startswith("Your computer is back" if state is notices.NetworkState.LOST else "")
    for name, said in (
        ("Ben", "You are connected to Ben again."),
        ("Cy", "You are connected to Cy again."),
        ("Dora", "Dora is back."),
        ("Ben", ""),
    ):
        heard(commentary, notices.LinkChanged(name, up=True))
        assert front.said.pop() == said


@pytest.mark.parametrize("state", notices.NetworkState)
async def test_nobody_votes_on_others_who_is_cut_off(state):
    """A player whose own computer is cut off cannot vote, and reads why."""
    node, front = FakeNode(SCENE, network=state), FakeFront()
    await go_on_without(node, front, ("ben",))
    told = "Your own computer is cut off, so nobody would hear your vote." in front.said
    assert told is (state is not notices.NetworkState.WORKS)
    assert (node.asked == []) is told


def test_a_table_of_bots_needs_no_network():
    """A lost network is not reported to a player who plays only with their own bots."""
    front, commentary = commented()
    lost = notices.NetworkChanged(notices.NetworkState.LOST, notices.NetworkState.WORKS)
    for own_bots, is_told in (((), True), (SCENE.names[1:], False)):
        heard(commentary, lost, **with_bots(*own_bots))
        assert bool(front.said.pop()) is is_told
        facts = {**with_bots(*own_bots), "network": notices.NetworkState.LOST}
        status = status_text(view_of(SCENE, **facts))
        assert status.endswith("this computer has no network") is is_told


# ---- the table while the log comes after the others' --------------------------------------------


async def test_a_table_that_is_over_is_not_shown_and_the_one_that_is_now_once(autojump_clock):
    """While the log is incomplete, neither a notice nor the command `board` shows a table.

    The table is shown once when the log is complete.
    """
    then = OUT_OF_TURN
    now = replace(then, table=with_facts(DORAS, to_move=Seat(2)))
    front = await at_table(
        view_of(then),
        (view_of(then, catching_up=True), notices.MovesUndone(), notices.YourTurn()),
        "board",
        "",
        (view_of(now), notices.CaughtUp()),
    )
    assert front.said.count(CATCHING_UP) == 2
    assert tables(front) == [now.table]
    assert "catching up with the table | 4 connected" in front.status


async def test_a_turn_that_is_shown_when_all_is_here_is_shown_once(autojump_clock):
    """A turn that two notices announce is shown once."""
    now = (view_of(SCENE), notices.YourTurn(), notices.CaughtUp())
    front = await at_table(view_of(OUT_OF_TURN, catching_up=True), now)
    assert tables(front) == [SCENE.table]


def test_what_was_played_meanwhile_is_told_without_a_time():
    """Moves that others made while this player was behind are told without a time of day.

    Nobody knows when they were made.
    """
    (front, commentary), told = commented(), []
    front.tell, front.recount = partial(tell_reader, front), told.append
    play, chat = notices.Played(Seat(1), (events.Passed(Seat(1)),)), notices.ChatHeard("Ben", "hi")
    for notice in (play, notices.FellBehind(), play, chat, notices.CaughtUp(), play):
        heard(commentary, notice, OUT_OF_TURN)
    assert told == ["Ben passed."]
    behind, level = front.said.pop(1), front.said.pop(2)
    assert behind.startswith("The others have played on meanwhile")
    assert level == "You have caught up with the table."
    assert front.said == ["Ben passed.", "Ben: hi", "Ben passed."]


async def test_a_turn_that_is_owed_and_then_told_is_shown_once(autojump_clock):
    """A turn that begins while moves are taken back is shown once, however many notices come."""
    now, soon = view_of(SCENE), view_of(SCENE, can_move=False)
    for steps in (
        [(soon, notices.MovesUndone()), (now, notices.YourTurn()), (now, notices.CaughtUp())],
        [(now, notices.MovesUndone()), (now, notices.YourTurn())],
    ):
        front = await at_table(soon, *steps)
        assert tables(front) == [SCENE.table]
        assert sum(said.startswith("The last moves are taken back: ") for said in front.said) == 1


async def test_a_draw_that_was_not_told_yet_is_taken_back_in_silence(autojump_clock):
    """If only draws are taken back, and the player has not seen them, nothing is said."""
    seen = view_of(OUT_OF_TURN)
    front = await at_table(seen, (seen, notices.MovesUndone(only_draws=True)))
    assert tables(front) == []
    assert not any("taken back" in said for said in front.said)


async def test_moves_taken_back_are_shown_when_the_boneyard_is_made_anew(autojump_clock):
    """If moves are taken back during a reshuffle, the table is shown only when that has ended."""
    now, mixing = view_of(OUT_OF_TURN), view_of(OUT_OF_TURN, stage=TableStage.DEALING)
    for then, count in (((), 0), ((now,), 1)):
        front = await at_table(mixing, (mixing, notices.MovesUndone()), *([then] if then else []))
        assert tables(front) == [OUT_OF_TURN.table] * count


def test_a_boneyard_that_is_made_anew_has_no_number():
    """During a reshuffle the board shows `?` as the number of tiles in the boneyard."""
    canvas = FakeFront().canvas()
    mixing = scene_of(view_of(OUT_OF_TURN, stage=TableStage.DEALING))
    assert "Boneyard ?" in written(board_lines(mixing, canvas))
    assert "Boneyard ?" not in written(board_lines(OUT_OF_TURN, canvas))


def test_whoever_was_gone_on_without_has_no_hand():
    """A player whom the table went on without watches, and has no hand."""
    assert scene_of(view_of(OUT_OF_TURN, own=OwnPlace.WATCHING)).hand is None


async def test_the_status_line_is_true_also_where_nothing_is_told(autojump_clock):
    """The status line follows the table's view at once, even if no notice announces the change."""
    views = away_from(OUT_OF_TURN, "Ben", missed_by=("Dora",)), view_of(OUT_OF_TURN)
    front = await at_table(*views[:1], "who", views[1:])
    assert front.status == [*map(status_text, views)]


# ---- whom a step waits for ----------------------------------------------------------------------


def drawn(*lacking: str, away: tuple[str, ...] = ()):
    """Return a view of the player's own turn, in which not everybody has signed the last step yet.

    `lacking` names those whose parts are missing, and `away` those who are not connected.
    """
    seats = tuple(Seat(SCENE.names.index(name)) for name in lacking)
    return replace(away_from(SCENE, *away), can_move=False, lacking=seats)


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        (("Ben",), "One moment: Ben has yet to confirm the last move."),
        (("Ana", "Ben", "Cy"), "One moment: Ben and Cy have yet to confirm the last move."),
        (("Ana",), "One moment: what was played last is still on its way."),
    ],
)
def test_whoever_is_early_reads_whom_the_table_waits_for(lacking, said):
    """A player who moves too early reads which other players' parts are missing, if any."""
    scene = scene_of(drawn(*lacking))
    assert scene.table.to_move == scene.seat
    assert resolve(Choose(1, None), scene) == NotFound(said)


def test_the_status_line_says_whose_part_of_a_step_is_missing():
    """The status line names players whose part is missing only if they cannot be reached.

    The others will sign in a moment.
    """
    assert status_text(drawn("Ben")).startswith("your turn, one moment")
    waits = status_text(drawn("Ben", "Cy", away=("Cy",)))
    assert waits == "your turn, waiting for Cy"
    view = away_from(OUT_OF_TURN, "Cy", "Dora")
    seen = replace(view, lacking=(Seat(1), Seat(2)))
    assert status_text(seen).startswith("Dora's turn, waiting for Cy | not connected: Dora")
    for lacking, said in (
        ((Seat(3),), "waiting for Dora: it is Dora's turn | not connected: Cy"),
        ((Seat(2), Seat(3)), "waiting for Cy and Dora: it is Dora's turn"),
        ((), "Dora's turn | not connected: Cy, Dora"),
    ):
        assert status_text(replace(view, lacking=lacking)).startswith(said)
