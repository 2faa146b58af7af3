"""A network that was cut, or somebody who goes more than once: what is said, and what is drawn."""

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
from cli.session.commentary import Commentary
from cli.session.frontend import TableShown, TurnBegins, tell_reader
from cli.session.loop import sit
from cli.session.stay import SessionOptions
from cli.session.verbs.play import Choose
from cli.session.votes import must_wait
from cli.wording.moves import HeldDraws
from engine.table import events
from engine.table.trains import Seat
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage
from tests.cli.fakes import FakeFront, FakeNode, view_of
from tests.cli.scenes import scene_after, written
from tests.cli.session.test_seat_parts import away_from

IN_TURN = scene_after(12, 4, 43)
DORAS = with_facts(IN_TURN.table, to_move=Seat(3))
OUT_OF_TURN = replace(IN_TURN, table=DORAS, can_move=False)


class Table(FakeNode):
    """A table whose view changes, of which something is told or not."""

    def __init__(self, view) -> None:
        super().__init__(scene_of(view))
        self.seen = view
        self.moved = trio.Event()

    def view(self):
        """What it is now."""
        return self.seen

    def when_moved(self) -> trio.Event:
        """Set by `becomes`."""
        self.moved = trio.Event() if self.moved.is_set() else self.moved
        return self.moved

    def becomes(self, view, *told: notices.Notice) -> None:
        """It looks otherwise now."""
        self.seen = view
        for notice in told:
            self.teller.send_nowait(notice)
        self.moved.set()


class Watcher(FakeFront):
    """Somebody who looks at tables and at the status line."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.status: list[str] = []
        self.shown: list[object] = []

    def scene_is(self, _place, status, *_beside) -> None:
        """Remember the status line where it changes."""
        if self.status[-1:] != [status]:
            self.status.append(status)

    def show(self, lines) -> None:
        """Read what is drawn."""
        self.said.append(written(lines))

    def tell(self, occasion) -> None:
        """Remember each table that is shown, too."""
        super().tell(occasion)
        if isinstance(occasion, TableShown | TurnBegins):
            self.shown.append(occasion.scene.table)


async def at_table(node: Table, front: Watcher, *steps) -> None:
    """Sit there; what happens does so a while apart."""
    typing, taken = front.lines, iter(steps)

    async def next_line() -> str:
        for step in taken:
            if isinstance(step, str):
                return step
            step()
            await trio.sleep(5)
        return typing.pop(0)

    front.next_line = next_line
    await sit(node, front, SessionOptions())


# ---- who is away once more --------------------------------------------------------------------


def lost(commentary: Commentary, scene, *names: str, up: bool = False) -> None:
    """Links to these go down, or come up."""
    end = None if up else notices.LinkEnd.SILENT
    for name in names:
        commentary.take(scene, notices.LinkChanged(name, up=up, end=end))


def test_whoever_is_away_once_more_may_be_voted_on_once_more():
    """And the advice says so: nobody remembers what to type an hour later."""
    scene = IN_TURN
    commentary = Commentary(FakeFront(), HeldDraws(), reminds=False)
    advice = "Rather than wait, you can vote: without Ben (3 of 4 must agree)."
    for _ in range(3):
        lost(commentary, scene, "Ben")
        assert commentary.advice(away_from(scene, "Ben"), scene) == advice
        assert commentary.advice(away_from(scene, "Ben"), scene) == ""
        lost(commentary, scene, "Ben", up=True)
        assert commentary.advice(away_from(scene), scene) == ""


def test_when_enough_are_back_to_vote_it_is_said():
    """Before that one read that one can only wait."""
    scene = IN_TURN
    commentary = Commentary(FakeFront(), HeldDraws(), reminds=False)
    lost(commentary, scene, "Ben", "Cy")
    both = away_from(scene, "Ben", "Cy")
    assert commentary.advice(both, scene) == must_wait(both)
    lost(commentary, scene, "Cy", up=True)
    said = "Rather than wait, you can vote: without Ben (3 of 4 must agree)."
    assert commentary.advice(away_from(scene, "Ben"), scene) == said
    assert commentary.advice(away_from(scene, "Ben"), scene) == ""


# ---- the table while the log comes after the others' --------------------------------------------


async def test_a_table_that_is_over_is_not_shown_and_the_one_that_is_now_once(autojump_clock):
    """Not by what happens, nor when somebody asks for it, before all of it is here."""
    then = OUT_OF_TURN
    now = replace(then, table=with_facts(DORAS, to_move=Seat(2)))
    coming = replace(view_of(then), catching_up=True)
    node, front = Table(view_of(then)), Watcher()
    await at_table(
        node,
        front,
        lambda: node.becomes(coming, notices.MovesUndone(), notices.YourTurn()),
        "board",
        "",
        lambda: node.becomes(view_of(now), notices.CaughtUp()),
    )
    assert front.said.count(CATCHING_UP) == 2
    assert front.shown == [now.table]
    assert "catching up with the table | 3 connected" in front.status


async def test_a_turn_that_is_shown_when_all_is_here_is_shown_once(autojump_clock):
    """Two notices say so."""
    then, now = OUT_OF_TURN, IN_TURN
    node, front = Table(replace(view_of(then), catching_up=True)), Watcher()
    await at_table(
        node, front, lambda: node.becomes(view_of(now), notices.YourTurn(), notices.CaughtUp())
    )
    assert front.shown == [now.table]


def test_what_was_played_meanwhile_is_told_without_a_time():
    """Nobody knows when that was: least of all at the moment of coming back."""
    front, scene = FakeFront(), OUT_OF_TURN
    told = []
    front.tell = lambda occasion: tell_reader(front, occasion)
    front.recount = told.append
    play = notices.Played(Seat(1), (events.Passed(Seat(1)),))
    commentary = Commentary(front, HeldDraws(), reminds=False)
    chat = notices.ChatHeard("Ben", "hi")
    for notice in (play, notices.FellBehind(), play, chat, notices.CaughtUp(), play):
        commentary.take(scene, notice)
    assert told == ["Ben passed."]
    assert front.said == ["Ben passed.", "Ben: hi", "Ben passed."]


async def test_a_turn_that_is_owed_and_then_told_is_shown_once(autojump_clock):
    """It may begin a moment after moves were taken back, or come before that is told."""
    now = view_of(IN_TURN)
    soon = replace(now, can_move=False)
    for steps in (
        [(soon, notices.MovesUndone()), (now, notices.YourTurn()), (now, notices.CaughtUp())],
        [(now, notices.MovesUndone()), (now, notices.YourTurn())],
    ):
        node, front = Table(soon), Watcher()
        await at_table(node, front, *(partial(node.becomes, *step) for step in steps))
        assert front.shown == [IN_TURN.table]


async def test_a_draw_that_was_not_told_yet_is_taken_back_in_silence(autojump_clock):
    """Nobody reads that moves are taken back who has seen none of them."""
    node, front = Table(view_of(OUT_OF_TURN)), Watcher()
    undone = notices.MovesUndone(only_draws=True)
    await at_table(node, front, lambda: node.becomes(view_of(OUT_OF_TURN), undone))
    assert front.shown == []
    assert not any("taken back" in said for said in front.said)


async def test_moves_taken_back_are_shown_when_the_boneyard_is_made_anew(autojump_clock):
    """Between that and its end nobody knows what lies in it."""
    scene = OUT_OF_TURN
    mixing = replace(view_of(scene), stage=TableStage.DEALING)
    node, front = Table(mixing), Watcher()
    shown = []
    await at_table(
        node,
        front,
        lambda: node.becomes(mixing, notices.MovesUndone()),
        lambda: shown.extend(front.shown),
        lambda: node.becomes(view_of(scene)),
    )
    assert (shown, front.shown) == ([], [scene.table])


def test_a_boneyard_that_is_made_anew_has_no_number():
    """It is empty in the log, and will not be."""
    canvas = FakeFront().canvas()
    mixing = scene_of(replace(view_of(OUT_OF_TURN), stage=TableStage.DEALING))
    assert "Boneyard ?" in written(board_lines(mixing, canvas))
    assert "Boneyard ?" not in written(board_lines(OUT_OF_TURN, canvas))


def test_whoever_was_gone_on_without_has_no_hand():
    """They watch, and are not told that they hold nothing."""
    view = view_of(OUT_OF_TURN)
    scene = scene_of(replace(view, own=OwnPlace.WATCHING))
    assert OUT_OF_TURN.names[OUT_OF_TURN.seat] == "Ana"
    assert scene.hand is None


async def test_the_status_line_is_true_also_where_nothing_is_told(autojump_clock):
    """A vote that lapses is no news, and must not stand there until the next move."""
    view = away_from(OUT_OF_TURN, "Ben")
    ben = replace(view.seats[1], missed_by=("Dora",))
    voted = replace(view, seats=(view.seats[0], ben, *view.seats[2:]))
    node, front = Table(voted), Watcher()
    await at_table(node, front, lambda: None, lambda: node.becomes(view_of(OUT_OF_TURN)))
    assert front.status == [status_text(voted), status_text(view_of(OUT_OF_TURN))]


# ---- whom a step waits for ----------------------------------------------------------------------


def drawn(*lacking: str, away: tuple[str, ...] = ()):
    """One's own turn, in which a tile was drawn; these have yet to sign that."""
    view = away_from(IN_TURN, *away)
    seats = tuple(Seat(IN_TURN.names.index(name)) for name in lacking)
    return replace(view, can_move=False, lacking=seats)


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        (("Ben",), "One moment: Ben has yet to confirm the last move."),
        (("Ana", "Ben", "Cy"), "One moment: Ben and Cy have yet to confirm the last move."),
        ((), "One moment: what was played last is still on its way."),
        (("Ana",), "One moment: what was played last is still on its way."),
    ],
)
def test_whoever_is_early_reads_whom_the_table_waits_for(lacking, said):
    """It need not be who played last; one's own program is nobody to wait for."""
    scene = scene_of(drawn(*lacking))
    assert scene.table.to_move == scene.seat
    assert resolve(Choose(1, None), scene) == NotFound(said)


def test_the_status_line_says_whose_part_of_a_step_is_missing():
    """Of those who cannot be reached: all others sign in a moment."""
    assert status_text(drawn("Ben")).startswith("your turn, one moment")
    waits = status_text(drawn("Ben", "Cy", away=("Cy",)))
    assert waits.startswith("your turn, waiting for Cy | not connected: Cy")
    view = away_from(OUT_OF_TURN, "Cy", "Dora")
    seen = replace(view, lacking=(Seat(1), Seat(2)))
    assert status_text(seen).startswith("Dora's turn, waiting for Cy | not connected: Cy, Dora")
    seen = replace(view, lacking=(Seat(3),))
    assert status_text(seen).startswith("Dora's turn | not connected: Cy, Dora")
