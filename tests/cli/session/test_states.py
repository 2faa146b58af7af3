"""The states of a session: docs/architecture.md and the code have the same rows in each table."""

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from itertools import product

import pytest

from cli.session import contacts
from cli.session.commentary import (
    ABSENCE_TRANSITIONS,
    COURSE_TRANSITIONS,
    LOG_TRANSITIONS,
    AbsenceRead,
    Commentary,
    Course,
    CourseNews,
    LogNews,
    LogProgress,
    OwnAbsence,
    course_after,
    progress_after,
)
from cli.session.contacts import Contact, ContactChange, Contacts
from cli.session.endings import outlook
from cli.session.endings.outlook import AfterGame, Learnt, Opened, after
from cli.session.invitation import QUESTION_TRANSITIONS, Invitation, SeatNews, SeatQuestion
from netgame.protocol import notices
from netgame.protocol.peer.view import TableStage
from netgame.protocol.seating import NoSeat, WhyNoSeat
from tests.cli.fakes import FakeFront, sitting_with
from tests.cli.joining.test_sitting_down import lobby
from tests.cli.session.test_seat_parts import SCENE, away_from, commented, gone_seat, heard
from tests.tree import ROOT

TABLE = Opened("10.0.0.2:4747", b"Ben")
NEWS = {
    notices.FaultFound(
        "Ben (ab)", "fork", "Ben lied.", "e.bin", notices.AfterFault.STOPS
    ): CourseNews.FAULT,
    notices.PlaysOn(): CourseNews.ON,
    notices.GameOver((), None): CourseNews.END,
    notices.CaughtUp(): None,
}
"""The news about a table's course that each notice brings; None if it brings none."""


def on_page(heading: str, at: int = 0) -> set[tuple[str, str, str]]:
    """Return the rows of a table in docs/architecture.md: the state, what happens, the next state.

    It is table number `at`, from 0, under this heading. A row for several states becomes several.
    """
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    part = page.partition(f"### {heading}\n")[2].partition("\n#")[0]
    tables = [block for block in part.split("\n\n") if block.startswith("|")]
    return set(_rows(tables[at]))


def _rows(table: str) -> Iterator[tuple[str, str, str]]:
    for line in table.splitlines()[2:]:
        states, happens, then = (cell.strip() for cell in line.strip("|").split(" | "))
        for state in states.split(", "):
            yield state.strip("`"), happens, then.strip("`")


def in_code(transitions) -> set[tuple[str, str, str]]:
    """Return the rows of a table in the code as the page writes them."""
    return {(state.name, what.value, _name(then)) for (state, what), then in transitions.items()}


def _name(state) -> str:
    return state.name if isinstance(state, Enum) else state.__name__


def test_the_page_has_the_rows_of_the_next_table():
    """The page and the code have the same rows for the next table."""
    assert on_page("The next table") == in_code(outlook.TRANSITIONS)


def test_the_page_has_the_rows_of_those_who_are_away():
    """The page and the code have the same rows for each of the others."""
    assert on_page("Each of the others") == in_code(contacts.TRANSITIONS)


def test_the_page_has_the_rows_of_the_commentary():
    """The page's tables for the course, the player's own absence and the log match the code."""
    assert on_page("The commentary") == in_code(COURSE_TRANSITIONS)
    assert on_page("The commentary", 1) == in_code(ABSENCE_TRANSITIONS)
    assert on_page("The commentary", 2) == in_code(LOG_TRANSITIONS)


def test_the_page_has_the_rows_of_the_question_to_sit_down():
    """The page and the code have the same rows for the question to sit down."""
    assert on_page("The question to sit down") == in_code(QUESTION_TRANSITIONS)


@pytest.mark.parametrize("state", [*AfterGame, TABLE])
@pytest.mark.parametrize("learnt", Learnt)
def test_what_is_learnt_of_the_next_table_moves_it_by_its_row(state, learnt):
    """News of the next table changes the state as its row says; without a row the state stays."""
    then = outlook.TRANSITIONS.get((state, learnt), state)
    assert after(state, learnt, TABLE.where, TABLE.host) == (TABLE if then is Opened else then)


REACHED = {
    Contact.HERE: (),
    Contact.AWAY: (ContactChange.DOWN,),
    Contact.AWAITED: (ContactChange.DOWN, ContactChange.WAIT),
    Contact.MISSED: (ContactChange.DOWN, ContactChange.LONG),
    Contact.ADVISED: (ContactChange.DOWN, ContactChange.LONG, ContactChange.ADVICE),
    Contact.PARTED: (ContactChange.FAREWELL,),
}
"""The changes that lead to each state."""


@pytest.mark.parametrize(("state", "change"), [*product(Contact, ContactChange)])
def test_what_becomes_of_one_of_the_others_is_their_row(state, change):
    """A change moves a contact to the state in its row; without a row the state stays.

    A link's change is news only if it has a row.
    """
    ben = Contacts()
    for each in (*REACHED[state], change):
        is_news = happens(ben, each)
    row = contacts.TRANSITIONS.get((state, change))
    assert ben.contacts.get("Ben", Contact.HERE) is (row or state)
    if change in (ContactChange.UP, ContactChange.DOWN):
        assert is_news == (row is not None)


@pytest.mark.parametrize("state", Contact)
@pytest.mark.parametrize("came", [True, False])
def test_an_answer_that_is_awaited_moves_contacts_as_a_link_does(state, came):
    """A missing answer moves a contact like a lost link, and a new answer like a restored link."""
    others = Contacts({"Ben": state})
    is_news = others.is_news(notices.AnswerAwaited("Ben", came))
    row = contacts.TRANSITIONS.get((state, ContactChange.UP if came else ContactChange.DOWN))
    assert (is_news, others.contacts["Ben"]) == (row is not None, row or state)


def happens(others: Contacts, change: ContactChange) -> bool:
    """Make this change happen to Ben; return True if it is news or brings advice."""
    match change:
        case ContactChange.FAREWELL:
            return others.is_news(notices.SaidFarewell("Ben"))
        case ContactChange.ADVICE:
            return bool(others.advice(away_from(SCENE, "Ben"), SCENE))
        case ContactChange.WAIT:
            return bool(others.advice(replace(away_from(SCENE, "Ben"), needed=4), SCENE))
        case ContactChange.LONG:
            others.long_away("Ben", others.losses["Ben"])
            return False
        case _:
            is_up = change is ContactChange.UP
            end = None if is_up else notices.LinkEnd.QUIT
            return others.is_news(notices.LinkChanged("Ben", up=is_up, end=end))


@pytest.mark.parametrize("state", Course)
@pytest.mark.parametrize(("notice", "news"), NEWS.items())
def test_how_a_table_goes_on_follows_from_its_row(state, notice, news):
    """A notice changes the course of a table as its row says; without a row, not at all."""
    assert course_after(state, notice) is COURSE_TRANSITIONS.get((state, news), state)


@pytest.mark.parametrize(("state", "what"), [*product(OwnAbsence, AbsenceRead)])
def test_what_is_read_of_ones_own_absence_has_its_row(state, what):
    """The state of a player's own absence changes as the row for what they read says.

    Without a row, the state stays.
    """
    _, commentary = commented(absence=state)
    commentary.has_read(what)
    assert commentary.absence is ABSENCE_TRANSITIONS.get((state, what), state)


def test_each_row_of_ones_own_absence_is_come_to_by_what_is_told(monkeypatch):
    """A returning player who reads of their own removal goes through every row for an absence."""
    reads, true = set(), Commentary.has_read

    def noted(commentary, what):
        before = commentary.absence
        true(commentary, what)
        if commentary.absence is not before:
            reads.add((before, what))

    monkeypatch.setattr(Commentary, "has_read", noted)
    _, commentary = commented(absence=OwnAbsence.RETURNS)
    ana = gone_seat("Ana", named_by=("Ben", "Cy"))
    heard(commentary, notices.SeatsLeft(("Ana",)), departures=(ana,))
    assert reads == set(ABSENCE_TRANSITIONS)
    assert commentary.absence is OwnAbsence.KNOWS_WAY


def test_somebody_who_was_away_when_they_said_farewell_and_comes_back_is_here():
    """A player who comes back after a farewell is not counted as away in the advice."""
    others = Contacts()
    for change in (ContactChange.DOWN, ContactChange.FAREWELL, ContactChange.UP):
        happens(others, change)
    others.is_news(notices.LinkChanged("Cy", up=False, end=notices.LinkEnd.QUIT))
    others.long_away("Cy", 1)
    assert "without Cy (" in others.advice(away_from(SCENE, "Cy"), SCENE)


@pytest.mark.parametrize("state", LogProgress)
@pytest.mark.parametrize(
    ("notice", "news"),
    [
        (notices.FellBehind(), LogNews.AHEAD),
        (notices.CaughtUp(), LogNews.CAUGHT_UP),
        (notices.PlaysOn(), None),
    ],
)
def test_how_far_the_log_is_follows_from_its_row(state, notice, news):
    """A notice changes the log's progress as its row says; without a row, not at all."""
    assert progress_after(state, notice) is LOG_TRANSITIONS.get((state, news), state)


NO_SEAT = {
    SeatNews.NONE: (TableStage.LOBBY, WhyNoSeat.TAKEN),
    SeatNews.NEVER: (TableStage.DEALING, WhyNoSeat.WATCH),
}
"""For each kind of news, the stage of the table and the reason why it gives no seat."""


@pytest.mark.parametrize(("state", "news"), [*product(SeatQuestion, SeatNews)])
async def test_what_becomes_of_the_question_to_sit_down_is_its_row(state, news):
    """Each event changes the state of the question to sit down as its row says.

    The question is asked only if a free seat changes the state.
    """
    node, front = lobby(), FakeFront()
    invitation = Invitation(node, front, sitting_with(), None, None, SeatQuestion.SETTLED)
    invitation.caught_up()
    invitation.question = state
    match news:
        case SeatNews.FREE:
            invitation.ask()
        case SeatNews.BEGINS:
            node.facts["stage"] = TableStage.FORMING
            invitation.lobby_changed()
        case SeatNews.ANSWER:
            invitation.settle()
        case _:
            stage, why = NO_SEAT[news]
            node.facts |= {"stage": stage, "no_seat": NoSeat(why)}
            invitation.ask()
    assert invitation.question is QUESTION_TRANSITIONS.get((state, news), state)
    asks = [said for said in front.said if said == "Sit down? [Y/n]"]
    assert bool(asks) == (news is SeatNews.FREE and invitation.question is not state)
