"""A cut-off player reads that their network may be down, and does not stand in for the host."""

import pytest

from netgame.limits import DROP_S, HOST_GONE_S
from netgame.protocol import notices
from netgame.protocol.notices import LinkEnd, NetworkState
from netgame.protocol.peer.people.own_network import count_computers
from netgame.protocol.state.phases import Phase
from tests.netgame.games import NAMES
from tests.netgame.simtable import full_table, standard

LOST = notices.NetworkChanged(NetworkState.LOST, NetworkState.WORKS)
DOUBTED = notices.NetworkChanged(NetworkState.DOUBTED, NetworkState.WORKS)


def in_play(players=3):
    """Return a table at the beginning of play, where nobody moves."""
    table = full_table(NAMES[:players], standard(6, players, 1), bots=False)
    table.until(table.host, Phase.PLAY)
    return table


def lose(table, one, other, end=LinkEnd.SILENT):
    """Cut two sitters apart; the first one's link ends in the given way."""
    table.cut.add(frozenset((one.key, other.key)))
    one.links[other.key].ending = end
    table.disconnect(one, other)


def test_who_hears_nobody_any_more_at_a_table_of_three_doubts_the_own_network():
    """At a table of three, a player who loses all links reads that their network may be down.

    They read it once, before the notice about the last link. Their seat does not stand in for
    the host until it has been linked to others for a while without the host.
    """
    table = in_play()
    ann, ben, cy = table.sitters
    lose(table, ben, ann)
    table.pass_time(5.0)
    assert ben.told_of(notices.NetworkChanged) == []
    lose(table, ben, cy)
    assert ben.told[-2:] == [DOUBTED, notices.LinkChanged("Cy", up=False, end=LinkEnd.SILENT)]
    assert ben.view.network is NetworkState.DOUBTED
    table.pass_time(3 * HOST_GONE_S)
    assert (ben.view.announces, ben.told_of(notices.StandIn)) == (False, [])
    table.cut.discard(frozenset((ben.key, cy.key)))
    table.pass_time(HOST_GONE_S - 2.0)
    back = notices.NetworkChanged(NetworkState.WORKS, NetworkState.DOUBTED)
    assert ben.told_of(notices.NetworkChanged) == [DOUBTED, back]
    assert ben.told[-2:] == [back, notices.LinkChanged("Cy", up=True)]
    assert ben.told_of(notices.StandIn) == []
    table.pass_time(4.0)
    assert len(ben.told_of(notices.StandIn)) == 1, "the host has had its time by then"


@pytest.mark.parametrize(
    ("players", "apart_s", "end"),
    [(2, 0.0, LinkEnd.SILENT), (3, DROP_S + 1.0, LinkEnd.SILENT), (3, 0.0, LinkEnd.BROKEN)],
    ids=["two", "one after the other", "broken"],
)
def test_where_it_may_as_well_be_the_others_nothing_is_said_of_the_own_network(
    players, apart_s, end
):
    """A player reads nothing about their own network if the others may just as well be cut off.

    Their seat then stands in for the host.
    """
    table = in_play(players)
    one, *others = reversed(table.sitters)
    for other in others:
        lose(table, one, other, end)
        table.pass_time(apart_s)
    table.pass_time(HOST_GONE_S + 1.0)
    assert one.told_of(notices.NetworkChanged) == []
    assert one.view.announces, "and it stands in for the host"


@pytest.mark.parametrize(
    ("places", "count"),
    [
        ([], 0),
        ([{"10.0.0.1"}], 1),
        ([{"10.0.0.1"}, {"10.0.0.2"}], 2),
        ([{"10.0.0.1"}, {"10.0.0.1", "10.8.0.1"}], 1),
        ([{"10.0.0.1"}, {"10.8.0.1"}, {"10.0.0.1", "10.8.0.1"}], 1),
        ([set(), {"10.0.0.1"}], 1),
    ],
)
def test_programs_that_share_an_address_are_at_one_computer(places, count):
    """Programs that share an address count as one computer, which may die as a whole."""
    assert count_computers(map(frozenset, places)) == count


def test_what_the_system_says_of_the_network_is_told_at_once_and_at_a_table_of_two():
    """A player reads at once that the system calls the network lost, even at a table of two.

    Their seat does not stand in for the host, and a new link shows that the network is back.
    """
    table = in_play(2)
    ann, ben = table.sitters
    table.act(ben, lambda parts: parts.own_network.note(has_network=False))
    assert ben.told_of(notices.NetworkChanged) == [LOST]
    lose(table, ben, ann)
    table.pass_time(3 * HOST_GONE_S)
    assert ben.told_of(notices.StandIn) == []
    table.cut.clear()
    table.pass_time(2.0)
    back = notices.NetworkChanged(NetworkState.WORKS, NetworkState.LOST)
    assert ben.told_of(notices.NetworkChanged) == [LOST, back], "a new link is proof enough"
    assert ben.told[ben.told.index(back) + 1] == notices.LinkChanged("Ann", up=True)
    table.act(ben, lambda parts: parts.own_network.note(has_network=True))
    assert len(ben.told_of(notices.NetworkChanged)) == 2


def test_links_that_die_of_a_cut_which_is_over_raise_no_doubt():
    """Links that end because of an outage that is over raise no doubt about the network."""
    table = in_play()
    ann, ben, cy = table.sitters
    for has in (False, True):
        table.act(ben, lambda parts, has=has: parts.own_network.note(has_network=has))
    for other in (ann, cy):
        lose(table, ben, other)
    assert ben.view.network is NetworkState.WORKS


def test_who_stands_in_when_the_network_goes_still_does_when_it_is_back():
    """A stand-in whose network is lost and comes back still stands in, with no new notice."""
    table = in_play()
    ann, *others = table.sitters
    for other in others:
        lose(table, other, ann, LinkEnd.BROKEN)
    table.pass_time(HOST_GONE_S + 1.0)
    (heir,) = (each for each in others if each.view.announces)
    told = heir.told_of(notices.StandIn)
    table.act(heir, lambda parts: parts.own_network.note(has_network=False))
    table.pass_time(HOST_GONE_S)
    table.act(heir, lambda parts: parts.own_network.note(has_network=True))
    table.pass_time(1.0)
    assert heir.told_of(notices.StandIn) == told
    assert heir.view.announces
