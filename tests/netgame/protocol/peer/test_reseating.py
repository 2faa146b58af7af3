"""Corner cases of coming, leaving and coming back: seats, names, notices and wishes."""

from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import apart, go_on, seated, until_turn
from tests.netgame.simtable import SimTable, kill, link_all, revive
from tests.netgame.small_games import (
    MINUTE,
    come_late,
    end_whole,
    late_table,
    new_table,
    until_round,
)


def table_of_five(seed=4):
    """Return a table of five bots, where a seat is given up only if the players ask for it."""
    settings = wire.Settings("standard", (), 6, 5, 2, 4, ("patience=vote",))
    table = SimTable(settings, bytes([seed]) * 32)
    seated(table, *NAMES[:5])
    return table


# ---- giving up ------------------------------------------------------------------------------


def test_who_comes_back_to_a_seat_that_was_given_up_is_seen_to_watch():
    """A player back at a given-up seat is shown as watching, to everybody and to themselves."""
    table = table_of_five()
    ann, ben, cy, dee, eve = table.sitters
    until_turn(table, eve)
    kill(table, eve)
    table.pass_time(30.0)
    go_on(table, (ann, ben, dee), eve)
    table.run(lambda: bool(cy.told_of(notices.SeatsLeft)))
    assert ann.view.watchers == ()
    assert not ann.view.seats[ann.state.seat_of(eve.key)].watches
    revive(table, eve)
    link_all(table)
    table.run(lambda: bool(eve.state.gone))
    for sitter in table.sitters:
        view = sitter.view
        assert view.watchers == ("Eve",), sitter.name
        assert [info.name for info in view.seats if info.watches] == ["Eve"]


def test_who_comes_back_misses_nobody_before_the_time_is_up():
    """A player who comes back counts nobody as missing before the time is up.

    The time runs from the restart. During the player's own turn nobody is missing, because the
    table does not wait for the others.
    """
    table = new_table(MINUTE)
    cy = table.sitters[2]
    until_turn(table, cy)
    kill(table, cy)
    now = table.now + 25_000.0
    core = Core(cy.signer, "Cy", expand(table.seed, "again"), cy.secret, ())
    core.restore(cy.record, now, cy.journal)
    core.start(now)
    core.wake(now + 300.0)
    assert core.parts.wishes.misses() == frozenset()
    revive(table, cy)
    link_all(table)
    until_turn(table, table.host)
    kill(table, cy)
    now = table.now + 50_000.0
    core = Core(cy.signer, "Cy", expand(table.seed, "again"), cy.secret, ())
    core.restore(cy.record, now, cy.journal)
    assert len(core.view().seats) == 4
    core.start(now)
    assert core.parts.wishes.misses() == frozenset()
    core.wake(now + 61.0)
    assert len(core.parts.wishes.misses()) == 3


def test_a_wish_is_for_a_person_and_not_for_a_number():
    """A wish to go on without a person still means that person after the seats are drawn.

    Others read of the vote once, with the right name.
    """
    table = table_of_five(1)
    ann, ben, *_, eve = table.sitters
    table.until(ann, Phase.COIN_REVEAL)
    apart(table, [ann, ben], [eve])
    go_on(table, (ann,), eve)
    last, before = eve.key, ann.state.seat_of(eve.key)
    table.run(lambda: bool(ann.state.seats))
    assert ann.state.seat_of(last) != before, "or this shows nothing"
    assert ann.parts.polls.wishes.wanted == {last}
    assert [each.without for each in ben.told_of(notices.VoteCast)] == [("Eve",)]


# ---- coming back ----------------------------------------------------------------------------


def test_a_seat_restarted_between_two_sessions_can_look_at_its_tiles():
    """A seat restarted between two sessions still shows its tiles of the last round.

    The deck of these tiles and the keys that open it belong to the earlier session.
    """
    table = late_table()
    come_late(table)
    ben = table.sitters[1]
    table.run(lambda: len(ben.state.company.sessions) == 2)
    assert ben.state.phase is Phase.DEAL
    shown = ben.view.hand
    kill(table, ben)
    revive(table, ben)
    assert ben.view.hand == shown
    link_all(table)
    end_whole(table)


def test_who_was_lost_before_the_seats_were_drawn_comes_under_its_own_name():
    """A player lost before the seats were drawn comes back under their own name, as one member."""
    table = new_table(MINUTE, rounds=3)
    dee = table.sitters[3]
    table.until(dee, Phase.ROSTER)
    kill(table, dee)
    until_round(table)
    revive(table, dee)
    link_all(table)
    until_round(table, 1)
    state = table.host.state
    assert state.seats[-1].name == "Dee"
    assert len({member.key for member in state.members}) == len(state.members)
    assert all(state.member(seat.key) == seat for seat in state.seats)
    end_whole(table)
