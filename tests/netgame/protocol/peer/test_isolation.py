"""A network that keeps guests apart: who is heard through others is not away, until they vanish."""

from itertools import combinations

import pytest

from netgame.limits import IDLE_S, SUSPECT_S
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import apart, go_on, gone, heal
from tests.netgame.simtable import SimTable, kill, revive
from tests.netgame.small_games import MINUTE, end_whole, is_its_turn

VOTE = ("patience=vote",)
PATIENCE_S = 60.0
SLACK_S = 20.0
"""What a poll takes, and the pauses before its ballots."""


def kept_apart(seats=5, options=MINUTE, rounds=1, seed=1, *, people=False):
    """A host, and guests who never have a link to each other; the game begins by itself."""
    settings = wire.Settings("standard", (), 6, seats, rounds, 3, options)
    table = SimTable(settings, bytes([seed]) * 32)
    for name in NAMES[:seats]:
        table.seat(name, start_at=None if table.sitters else seats)
        apart(table, *([each] for each in table.sitters[1:]))
    for each in table.sitters if people else ():
        each.place.attend()
    return table


def in_play(table):
    """Let time pass until a guest's turn is due for everybody; who that is."""

    def movers():
        steps = {each.state.step for each in table.sitters}
        return [each for each in table.sitters[1:] if len(steps) == 1 and is_its_turn(each)]

    table.bots = False
    while not movers():
        table.run(lambda: bool(may_move(table)))
        play_on(table)
        table.pass_time(1.0)
    return movers()[0]


def think(table, seconds):
    """Play on to the end; whose turn it is thinks for so long about every move."""
    table.bots = False
    while not all(each.finished for each in table.sitters):
        table.run(lambda: all(s.finished for s in table.sitters) or bool(may_move(table)), 600)
        table.pass_time(seconds)
        play_on(table)


def play_on(table):
    """Whoever may make a move makes one."""
    for each in may_move(table):
        table.move(each)


def may_move(table):
    """All who may make a move."""
    return [each for each in table.sitters if each.view.can_move]


def nobody_was_missed(table):
    """A failure if anybody was told of a vote, or that somebody went or was out of reach."""
    for each in table.sitters:
        assert not each.told_of(notices.VoteCast), each.name
        assert not each.told_of(notices.SeatsLeft), each.name
        ends = {notice.end for notice in each.told_of(notices.LinkChanged) if not notice.up}
        assert each.finished or not ends


def claims(table, liar, *victims):
    """Somebody says to all whom it has a link to that it misses these."""
    state = liar.state
    seats = sum(1 << state.seat_of(each.key) for each in victims)
    frame = encode(wire.Missed(state.log_id, seats.to_bytes(32, "little")))
    for other in table.sitters:
        table._send(liar, other.key, frame)


# ---- nobody is missed -------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 5])
def test_guests_who_are_kept_apart_play_a_whole_game(seats):
    """At the pace of people, who think for longer than half of the patience: nobody is missed."""
    table = kept_apart(seats)
    in_play(table)
    began = table.now
    think(table, 40.0)
    assert table.now - began > 5 * PATIENCE_S
    assert not any(map(gone, table.sitters))
    nobody_was_missed(table)
    end_whole(table)


def test_who_thinks_for_long_behind_the_host_is_not_missed():
    """Their program signs nothing meanwhile; the host, who has a link to them, does not miss."""
    table = kept_apart()
    in_play(table)
    table.pass_time(10 * PATIENCE_S)
    assert not any(map(gone, table.sitters))
    nobody_was_missed(table)
    table.bots = True
    play_on(table)
    end_whole(table)


def test_who_owes_nothing_cannot_show_that_they_are_there():
    """The host thinks; guests have signed nothing for as long, and none is away for another."""
    table = kept_apart()
    in_play(table)
    while not is_its_turn(table.host):
        play_on(table)
        table.pass_time(1.0)
    table.pass_time(5 * PATIENCE_S)
    nobody_was_missed(table)
    views = [each.view for each in table.sitters[1:]]
    assert all(info.here for view in views for info in view.seats)
    assert sum(info.through for info in views[0].seats) == len(table.sitters) - 2


def test_a_network_that_begins_to_keep_guests_apart_throws_nobody_out():
    """Their links are lost in play: they are away until an entry of theirs comes by the host."""
    table = kept_apart(people=True)
    mover = in_play(table)
    heal(table, table.sitters)
    table.pass_time(5.0)
    apart(table, *([each] for each in table.sitters[1:]))
    table.pass_time(PATIENCE_S - 5.0)
    table.move(mover)
    think(table, 40.0)
    assert not any(map(gone, table.sitters))
    other = next(each for each in table.sitters[1:] if each is not mover)
    said = [each.up for each in other.told_of(notices.LinkChanged) if each.name == mover.name]
    assert said[:4] == [True, False, True], "away, and back when the move came"


# ---- who vanishes is missed --------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_guest_who_vanishes_behind_the_host_goes_once_the_patience_is_over(seats):
    """And not before; those who heard it through the host follow the host's word."""
    table = kept_apart(seats)
    victim = in_play(table)
    kill(table, victim)
    table.bots = True
    table.pass_time(PATIENCE_S - 1.0)
    assert not any(map(gone, table.sitters))
    table.pass_time(SLACK_S)
    rest = [each for each in table.sitters if each is not victim]
    assert all(gone(each) == {victim.name} for each in rest)
    end_whole(table)
