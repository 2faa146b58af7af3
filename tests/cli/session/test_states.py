"""The states of a session: every row of every table, on the page as in the code."""

from collections.abc import Iterator
from itertools import product

import pytest

from cli.session import contacts
from cli.session.commentary import (
    ABSENCE_TRANSITIONS,
    AbsenceRead,
    Course,
    OwnAbsence,
    course_after,
)
from cli.session.contacts import Contact, ContactChange, Contacts
from cli.session.endings import outlook
from cli.session.endings.outlook import LOOKING, AfterGame, Learnt, Opened, after
from netgame.protocol import notices
from tests.cli.session.test_seat_parts import SCENE, away_from, commented
from tests.tree import ROOT

TABLE = Opened("10.0.0.2:4747")
FOUND = "the host answers, with another table"
STOPS = notices.FaultFound("Ben (ab)", "fork", "Ben lied.", "e.bin", notices.AfterFault.STOPS)
COURSES = (
    (Course.RUNS, STOPS, "a fault stops the table", Course.STOPPED),
    (Course.RUNS, notices.GameOver((), None), "the game is over", Course.OVER),
    (Course.STOPPED, notices.PlaysOn(), "the table plays on", Course.RUNS),
    (Course.STOPPED, notices.GameOver((), None), "the game is over", Course.OVER),
)


def on_page(heading: str, at: int = 0) -> set[tuple[str, str, str]]:
    """The rows of a table under this heading, one for each state."""
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
    """The rows of a table of the code, in the words of the page."""
    return {(state.name, what.value, then.name) for (state, what), then in transitions.items()}


def test_the_page_has_the_rows_of_the_next_table():
    """One for each state in which the host's door is looked at, too."""
    found = {(state.name, FOUND, Opened.__name__) for state in LOOKING}
    assert on_page("The next table") == in_code(outlook.TRANSITIONS) | found


def test_the_page_has_the_rows_of_those_who_are_away():
    """Each of the others has a state."""
    assert on_page("Each of the others") == in_code(contacts.TRANSITIONS)


def test_the_page_has_the_rows_of_the_commentary():
    """How the table goes on, and what a person who was away has read."""
    courses = {(state.name, words, then.name) for state, _, words, then in COURSES}
    assert on_page("The commentary") == courses
    assert on_page("The commentary", 1) == in_code(ABSENCE_TRANSITIONS)


@pytest.mark.parametrize("state", [*AfterGame, TABLE])
@pytest.mark.parametrize("learnt", [*Learnt, TABLE])
def test_what_is_learnt_of_the_next_table_moves_it_by_its_row(state, learnt):
    """Without one nothing changes; the last state is one that nothing changes."""
    rows = on_page("The next table")
    name = state.name if isinstance(state, AfterGame) else Opened.__name__
    words = learnt.value if isinstance(learnt, Learnt) else FOUND
    then = [each for at, happens, each in rows if (at, happens) == (name, words)]
    found = after(state, learnt)
    assert (found.name if isinstance(found, AfterGame) else Opened.__name__) == (then or [name])[0]
    assert found == TABLE or found in AfterGame


REACHED = {
    Contact.HERE: (),
    Contact.AWAY: (ContactChange.DOWN,),
    Contact.ADVISED: (ContactChange.DOWN, ContactChange.ADVICE),
    Contact.PARTED: (ContactChange.FAREWELL,),
}
"""How one comes to each state."""


@pytest.mark.parametrize(("state", "change"), [*product(Contact, ContactChange)])
def test_what_becomes_of_one_of_the_others_is_their_row(state, change):
    """A change of a link that has none is no news; a farewell always is."""
    ben = Contacts()
    for each in (*REACHED[state], change):
        is_news = happens(ben, each)
    row = contacts.TRANSITIONS.get((state, change))
    assert ben.contacts.get("Ben", Contact.HERE) is (row or state)
    if change in (ContactChange.UP, ContactChange.DOWN):
        assert is_news == (row is not None)


def happens(others: Contacts, change: ContactChange) -> bool:
    """Have this happen to Ben; whether it is news."""
    match change:
        case ContactChange.FAREWELL:
            return others.is_news(notices.SaidFarewell("Ben"))
        case ContactChange.ADVICE:
            return bool(others.advice(away_from(SCENE, "Ben"), SCENE))
        case _:
            is_up = change is ContactChange.UP
            end = None if is_up else notices.LinkEnd.QUIT
            return others.is_news(notices.LinkChanged("Ben", up=is_up, end=end))


@pytest.mark.parametrize("state", Course)
@pytest.mark.parametrize(
    "notice", [STOPS, notices.PlaysOn(), notices.GameOver((), None), notices.CaughtUp()]
)
def test_how_a_table_goes_on_follows_from_its_row(state, notice):
    """A game that is over is not taken up again."""
    then = [each for at, heard, _, each in COURSES if (at, heard) == (state, notice)]
    assert course_after(state, notice) is (then or [state])[0]


@pytest.mark.parametrize(("state", "what"), [*product(OwnAbsence, AbsenceRead)])
def test_what_is_read_of_ones_own_absence_has_its_row(state, what):
    """Once somebody knows the way back, they know it for good."""
    _, commentary = commented(absence=state)
    commentary.has_read(what)
    assert commentary.absence is ABSENCE_TRANSITIONS.get((state, what), state)


def test_somebody_who_was_away_when_they_said_farewell_and_comes_back_is_here():
    """No advice counts them among those who are away."""
    others = Contacts()
    for change in (ContactChange.DOWN, ContactChange.FAREWELL, ContactChange.UP):
        happens(others, change)
    others.is_news(notices.LinkChanged("Cy", up=False, end=notices.LinkEnd.QUIT))
    assert "without Cy (" in others.advice(away_from(SCENE, "Cy"), SCENE)
