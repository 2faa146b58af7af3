"""The invariants of docs/peer.md (7, 8.2), in games in which much goes wrong."""

import pytest

from lab.simulation.game import play_game
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.people.absence import Away, HeardThrough, Linked
from netgame.protocol.peer.people.seeking import (
    Admitted,
    Applying,
    Asked,
    HostElsewhere,
    HostHere,
    HostLost,
    LooksOn,
    NotAsking,
    Promised,
    WantsSeat,
)
from netgame.protocol.peer.people.wishes import NamedAway
from netgame.protocol.state.latecomers import is_coming

GAMES = (
    {"seed": 2, "company": True},
    {"seed": 6, "company": True},
    {"seed": 5, "leave": True, "apart": True, "faults": False},
    {"seed": 8, "leave": True},
    {"seed": 3},
)


def look_at_joiner(core):
    """Check the states of this peer on the way to its seat, and return them."""
    context, joiner = core.context, core.parts.joiner
    request, later = joiner._request, joiner._next_seat
    if isinstance(request, Asked | Admitted):
        assert joiner.host in context.links.peers
    if context.sits(context.key):
        assert isinstance(later, NotAsking)
        assert not joiner._introduced
    if not isinstance(joiner.purpose, WantsSeat) and not is_coming(context.state, context.key):
        assert not isinstance(later, Applying | Promised)
    if isinstance(joiner._host_link, HostElsewhere):
        assert not context.in_lobby
    return request, later, joiner._host_link, joiner.purpose


def look_at_contacts(core):
    """Check how this peer reaches the seats; return the state of each."""
    context, absence = core.context, core.parts.absence
    greeted, contacts = context.links.greeted(), absence.contacts
    assert tuple(contacts) == context.state.company.now.here
    for key, contact in contacts.items():
        if key == context.key or key in greeted:
            assert isinstance(contact, Linked)
        if isinstance(contact, HeardThrough):
            assert greeted
        if isinstance(contact, Away):
            assert contact.since <= context.now
    assert absence._due.since <= context.now
    return tuple(contacts.values())


def look_at_wishes(core):
    """Check whom this peer's person has named, and what others have said.

    Return how each seat is named.
    """
    context, wishes = core.context, core.parts.wishes
    linked = context.links.peers.keys()
    told = wishes.others.direct
    assert told.keys() <= linked
    assert wishes._told_missed.keys() <= linked
    assert not any(sayer in wish.since for sayer, wish in told.items())
    assert wishes.wanted <= frozenset(context.state.company.now.here) - {context.key}
    return tuple(wishes._named.values())


@pytest.fixture
def seen(monkeypatch):
    """Check each peer after every input; return the set of all kinds of states that occur."""
    kinds, true = set(), Core.flush

    def flush(core):
        effects = true(core)
        for look in (look_at_joiner, look_at_contacts, look_at_wishes):
            kinds.update(map(type, look(core)))
        return effects

    monkeypatch.setattr(Core, "flush", flush)
    return kinds


def test_what_always_holds_after_every_input(seen):
    """The invariants are true after every input, in games where people come, go and name others."""
    for each in GAMES:
        game = play_game(**each)
        assert not game.trouble, (each, game.trouble, game.story)
    assert {Asked, Admitted, HostHere, HostLost, Applying, Promised, LooksOn} <= seen
    assert {Linked, HeardThrough, Away, NamedAway} <= seen
