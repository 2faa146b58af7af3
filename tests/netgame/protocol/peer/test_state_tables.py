"""The state tables in docs/peer.md (7, 8.1, 8.2) match the code, and are applied correctly."""

import re
from typing import get_args

import pytest

from netgame.protocol.peer.people import absence, seeking, wishes
from netgame.protocol.peer.state_table import after
from netgame.protocol.peer.status import recovery
from tests.netgame.wire.pages import PEER, section, table_under, words

TABLES = {
    ("7", "purpose"): (seeking.Purpose, seeking.PurposeEvent, seeking.PURPOSES),
    ("7", "request"): (seeking.Request, seeking.RequestEvent, seeking.REQUESTS),
    ("7", "host"): (seeking.HostLink, seeking.HostEvent, seeking.HOST_LINKS),
    ("7", "key"): (seeking.HostsWord, seeking.WelcomeEvent, seeking.HOSTS_WORDS),
    ("7", "next seat"): (seeking.NextSeat, seeking.SeatingEvent, seeking.NEXT_SEATS),
    ("8.1", "recovery"): (recovery.RecoveryState, recovery.RecoveryEvent, recovery.RECOVERIES),
    ("8.2", "contact"): (absence.Contact, absence.ContactEvent, absence.CONTACTS),
    ("8.2", "seats"): (absence.Formation, absence.FormationEvent, absence.FORMATIONS),
    ("8.2", "named"): (wishes.Named, wishes.NamedEvent, wishes.NAMINGS),
}
"""Section and head on the page; the union of states, its events, and the table in the code."""


def on_page(kind):
    """Return a state's name as the page writes it: `heard-through`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


@pytest.mark.parametrize("place", TABLES, ids="-".join)
def test_the_page_prints_each_table(place):
    """The page prints each table of the code: each state, event and next state.

    States that an event moves to the same next state share a row.
    """
    _, _, table = TABLES[place]
    printed = [
        (state, happens, next_)
        for states, happens, cell in table_under(*place, PEER)
        for state in words(states)
        for next_ in words(cell)
    ]
    declared = [(on_page(s), event.value, on_page(to)) for (s, event), to in table.items()]
    assert sorted(printed) == sorted(declared)


@pytest.mark.parametrize("place", TABLES, ids="-".join)
def test_each_state_can_be_come_to_and_each_event_moves_something(place):
    """Each state is the first one or can be reached from another, and each event has a row.

    The page names all states.
    """
    union, events, table = TABLES[place]
    states = get_args(union)
    reached = {states[0]} | {to for (state, _), to in table.items() if to is not state}
    assert reached == set(states)
    assert {event for _, event in table} == set(events)
    meant = re.sub(r"(?m)^\|.*$", "", section(place[0], PEER))
    assert {on_page(state) for state in states} <= set(words(meant))


def test_the_page_gives_each_reason_for_which_a_seat_is_missed():
    """The page lists the reasons for missing a seat in the code's order.

    A reason with several conditions has a row for each.
    """
    printed = [words(row[0])[0] for row in table_under("8.2", "reason", PEER)]
    assert list(dict.fromkeys(printed)) == [each.value for each in wishes.WhyMissed]


def test_what_is_in_no_row_changes_nothing():
    """An event without a row for the present state changes nothing."""
    state = seeking.Asked(7)
    assert after(seeking.REQUESTS, state, seeking.RequestEvent.SEAT_GONE) is state


def test_a_new_state_knows_what_it_is_told_and_else_what_the_one_before_knew():
    """A new state takes its fields from the arguments, or from the state before it.

    A field that neither of the two has is a mistake in the code, and raises KeyError.
    """
    events = seeking.RequestEvent
    unasked, asked = seeking.Unasked(), seeking.Asked(7)
    assert after(seeking.REQUESTS, unasked, events.ASKED, step=7) == asked
    assert after(seeking.REQUESTS, asked, events.SEATED) == seeking.Admitted(7)
    assert after(seeking.REQUESTS, asked, events.LINK_GONE) == unasked
    with pytest.raises(KeyError):
        after(seeking.REQUESTS, unasked, events.ASKED)
