"""Sentences after a computer has slept, and notices about catching up."""

from dataclasses import replace
from functools import partial

import pytest

from cli.session.commentary import OwnAbsence
from cli.session.loop import sit
from cli.wording.notices import notice_text, time_text
from engine.table import events
from engine.table.trains import Seat
from netgame.protocol import notices
from netgame.protocol.notices import LinkEnd
from tests.cli.fakes import FakeFront, sitting_with, view_of
from tests.cli.session.test_after_a_cut import Table, invitations
from tests.cli.session.test_seat_parts import SCENE, away_from, commented, heard, with_bots

SLEPT = notices.ComputerSlept(45.2)
SAID = "This computer slept for 45 s. Connecting to the others again."


def down(name, end=LinkEnd.ENDED_HERE):
    """Return the notice that the link to `name` ended, by default at this end.

    That is how all links end when a computer wakes.
    """
    return notices.LinkChanged(name, up=False, end=end)


def up(name):
    """Return the notice of a link that came up."""
    return notices.LinkChanged(name, up=True)


async def woken(*steps):
    """Return the sentences shown after a computer has slept and woken.

    Each step is a time to wait, or a view and the notices that come with it.
    """
    away = away_from(SCENE, "Ben", "Cy", "Dora")
    node = Table(view_of(SCENE))
    front = FakeFront(
        partial(node.becomes, away, SLEPT, *map(down, ("Ben", "Cy", "Dora"))),
        *(partial(node.becomes, *each) if isinstance(each, tuple) else each for each in steps),
    )
    await sit(node, front, sitting_with())
    return front.said


async def test_it_says_that_it_slept_and_not_that_the_others_are_gone(autojump_clock):
    """After waking, the player reads that the computer slept, and nothing about the others."""
    back = (view_of(SCENE), *map(up, ("Ben", "Cy", "Dora")))
    said = await woken(back, 120)
    assert said.count(SAID) == 1
    others = [text for text in said if "Ben" in text or "Dora" in text]
    assert others == []


async def test_who_is_still_out_of_reach_after_a_while_is_named(autojump_clock):
    """If a player stays out of reach after waking, they are named, and later a vote is suggested.

    No vote is suggested if the player comes back in time.
    """
    view = away_from(SCENE, "Ben")
    some = (view, *map(up, ("Cy", "Dora")))
    early = await woken(some, 5)
    assert not any("Ben" in text for text in early)
    late = await woken(some, 60)
    assert late.count("Ben is not connected. Trying again.") == 1
    assert not any("Cy is" in text for text in late)
    front = FakeFront()
    front.said = await woken(some, 100)
    assert len(invitations(front)) == 1
    back = await woken(some, 30, (view_of(SCENE), up("Ben")), 90)
    front.said = back
    assert back.count("Ben is back.") == 1
    assert invitations(front) == []


@pytest.mark.parametrize("returns", [True, False])
async def test_who_comes_back_first_is_told_who_is_not_there_and_who_comes(returns, autojump_clock):
    """A returning player reads after a moment who is missing, and later who arrives.

    A player who is there for the first time reads neither.
    """
    node = Table(away_from(SCENE, "Ben", "Cy"))
    front = FakeFront(
        partial(node.becomes, away_from(SCENE, "Ben"), up("Cy")),
        30,
        partial(node.becomes, view_of(SCENE), up("Ben")),
        5,
    )
    await sit(node, front, sitting_with(returns=returns))
    told = [each for each in front.said if "Cy is" in each or "Ben is" in each]
    assert told == ["Ben is not connected. Trying again.", "Ben is back."] * returns


def test_whoever_plays_alone_has_nobody_to_connect_to():
    """A player alone with bots is told nothing about connecting to others again."""
    front, commentary = commented()
    alone = with_bots("Ben", "Cy", "Dora") | {"is_host": True}
    heard(commentary, SLEPT, **alone)
    heard(commentary, SLEPT)
    heard(commentary, notices.ProgramStopped(20.0), **alone)
    heard(commentary, notices.ProgramStopped(20.0))
    stopped = "This program was stopped for 20 s."
    assert front.said == [
        "This computer slept for 45 s.",
        SAID,
        stopped,
        f"{stopped} Connecting to the others again.",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(5.4, "5 s"), (99.4, "99 s"), (100.0, "2 min"), (5_500.0, "92 min"), (29_000.0, "8 h")],
)
def test_a_time_is_said_as_people_say_it(seconds, said):
    """A time is given in seconds, minutes or hours, depending on its length."""
    assert time_text(seconds) == said
    assert f"slept for {said}." in notice_text(None, notices.ComputerSlept(seconds))


# ---- caught up --------------------------------------------------------------------------------

PLAY = notices.Played(Seat(1), (events.Passed(Seat(1)),))
BEHIND = "The others have played on meanwhile: your program is catching up."
LEVEL = "You have caught up with the table."
SHORT = "The rest of what the others have played has not come yet."
OUT_OF_TURN = replace(SCENE, can_move=False)


def caught_up(*told, **how):
    """Return the sentences that a player who is not to move reads about these notices."""
    front, commentary = commented(**how)
    for notice in told:
        heard(commentary, notice, OUT_OF_TURN)
    return [text for text in front.said if text]


def test_caught_up_is_said_when_it_is_true():
    """After the others' moves, a player reads of having caught up, or of moves still missing."""
    behind = notices.FellBehind()
    assert caught_up(behind, PLAY, notices.CaughtUp()) == [BEHIND, "Ben passed.", LEVEL]
    assert caught_up(behind, PLAY, notices.CaughtUp(is_level=False))[-1] == SHORT


def test_a_latecomer_has_nothing_to_catch_up_with():
    """A player who has not fallen behind is told nothing about catching up."""
    assert caught_up(notices.CaughtUp()) == []


def test_who_returns_has_a_heading_for_what_they_missed():
    """A returning player reads the missed moves under a heading, and then of having caught up."""
    told = caught_up(notices.FellBehind(), PLAY, notices.CaughtUp(), absence=OwnAbsence.RETURNS)
    assert told == ["Since you left:", "Ben passed.", LEVEL]
