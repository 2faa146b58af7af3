"""Corners of coming, leaving and coming back: who is seated, named, told, and never split."""

from typing import ClassVar

import pytest

from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.protocol.happenings import apart, go_on, seated, until_turn
from tests.netgame.simtable import LATENCY_S, SimTable, Sitter, kill, link_all, revive
from tests.netgame.small_games import (
    MINUTE,
    come_late,
    expect_whole,
    late_table,
    mine,
    new_table,
    playing,
)

FIVE = ("Ann", "Ben", "Cy", "Dee", "Eve")


class SlowTable(SimTable):
    """A table on whose links frames may take their time, by the names of both ends."""

    lags: ClassVar[dict[tuple[str, str], float]] = {}

    def delays(self, sitter: Sitter, other: Sitter) -> tuple[float, ...]:
        """As long as the test says."""
        return (self.lags.get((sitter.core.place.name, other.core.place.name), LATENCY_S),)


def table_of_five(seed: int = 4) -> SlowTable:
    """Five bots, and nobody goes but by people's wishes."""
    settings = wire.Settings("standard", (), 6, 5, 2, 4, ("patience=vote",))
    table = SlowTable(settings, bytes([seed]) * 32)
    seated(table, *FIVE)
    return table


# ---- giving up ------------------------------------------------------------------------------


def test_who_comes_back_to_a_seat_that_was_given_up_is_seen_to_watch() -> None:
    """By everybody, and by oneself; as long as there is a link."""
    table = table_of_five()
    ann, ben, cy, dee, eve = table.sitters
    until_turn(table, eve)
    kill(table, eve)
    table.pass_time(30.0)
    go_on(table, (ann, ben, dee), eve)
    table.run(lambda: bool(cy.told_of(notices.SeatsLeft)))
    assert ann.core.view().watchers == ()
    assert not ann.core.view().seats[ann.core.state.seat_of(eve.core.key)].watches
    revive(table, eve)
    link_all(table)
    table.run(lambda: bool(eve.core.state.gone))
    for sitter in table.sitters:
        view = sitter.core.view()
        assert view.watchers == ("Eve",), sitter.core.place.name
        assert [info.name for info in view.seats if info.watches] == ["Eve"]


def test_who_comes_back_misses_nobody_before_the_time_is_up() -> None:
    """Whoever looks at the table before the first link is up has waited for nobody yet."""
    table = new_table(MINUTE)
    cy = table.sitters[2]
    until_turn(table, cy)
    kill(table, cy)
    now = table.now + 50_000.0
    core = Core(cy.signer, "Cy", expand(table.seed, "again"), cy.secret, ())
    core.restore(cy.record, now, cy.journal)
    assert len(core.view().seats) == 4
    core.start(now)
    assert core.parts.wishes.misses() == frozenset()
    core.wake(now + 61.0)
    assert len(core.parts.wishes.misses()) == 3


def test_two_that_go_one_after_the_other_never_part_the_table() -> None:
    """Who hears late of the first cut, and of the second, closes all steps alike."""
    table = table_of_five()
    ann, ben, cy, dee, eve = table.sitters
    until_turn(table, cy)
    kill(table, cy)
    table.lags = {("Dee", "Ann"): 5.0, ("Dee", "Eve"): 5.0, ("Dee", "Ben"): 1.0}
    go_on(table, (ann, ben, dee, eve), cy)
    table.pass_time(0.1)
    table.lags |= {("Eve", "Ben"): 3.0, ("Ann", "Ben"): 3.0}
    kill(table, dee)
    go_on(table, (ann, ben, eve), cy, dee)
    table.run(lambda: len(ann.core.state.gone) == len(eve.core.state.gone) == 2)
    table.lags = {}
    table.run(lambda: len(ben.core.state.gone) == 2)
    table.run_game()
    expect_whole(table)


def test_a_wish_is_for_a_person_and_not_for_a_number() -> None:
    """Places in the roster become seats, and whoever was meant is meant still."""
    table = table_of_five(1)
    ann = table.sitters[0]
    table.run(lambda: ann.core.state.phase is Phase.ROSTER)
    eve = table.sitters[-1]
    apart(table, [ann], [eve])
    go_on(table, (ann,), eve)
    last, before = eve.core.key, ann.core.state.seat_of(eve.core.key)
    table.run(lambda: bool(ann.core.state.seats))
    assert ann.core.state.seat_of(last) != before, "or this shows nothing"
    assert ann.core.parts.polls.wishes.wanted == {last}
    told = table.sitters[1].told_of(notices.VoteCast)
    assert [each.without for each in told] == [("Eve",)]


def test_who_would_go_on_without_a_seat_and_is_restarted_waits_for_nothing_of_it() -> None:
    """Cy's head names an entry that reached nobody; Ben, back, decides with the others."""
    table = table_of_five(1)
    ann, ben, cy, dee, eve = table.sitters
    table.run(lambda: ann.core.state.phase is Phase.OPEN)
    apart(table, [cy], [ann, ben, dee, eve])
    table.run(lambda: len(ann.core.ledger.slots) == 4)
    kill(table, dee)
    go_on(table, (ann, ben), cy)
    kill(table, ben)
    revive(table, ben)
    table.pass_time(5.0)
    assert not ann.core.state.gone
    go_on(table, (ann, ben, eve), cy, dee)
    table.run(lambda: all(len(each.core.state.gone) == 2 for each in (ann, ben, eve)))
    table.cut.clear()
    table.run_game()
    expect_whole(table)


def test_who_has_left_keeps_nobody_silent() -> None:
    """Ben, given up, says that his log goes on and on, when Cy's process is started again."""
    table = late_table(seats=3, rounds=2)
    ann, ben, cy = table.sitters
    until_turn(table, ben)
    apart(table, [ben], [ann, cy])
    table.run(lambda: ann.core.state.phase is Phase.REBUILD)
    kill(table, cy)
    table.cut.clear()
    table.act(ben, lambda parts: parts.joiner.look_on())  # he does not ask for his seat again
    link_all(table)
    table.cut.add(frozenset((ann.core.key, cy.core.key)))
    revive(table, cy)
    table.connect(ben, cy)
    table.pass_time(1.0)
    lie = encode(wire.Head(999, bytes(64), bytes(32), 0))
    table.do(ben, (fx.Send(cy.core.key, lie),))
    ben.alive = False  # that was its last word; the link stays
    table.pass_time(1.0)
    table.cut.clear()
    table.run(lambda: ann.core.state.phase is Phase.OVER)
    assert ben.core.state.phase is not Phase.OVER


# ---- coming back ----------------------------------------------------------------------------


def test_a_seat_restarted_between_two_sessions_can_look_at_its_tiles() -> None:
    """The last round's deck is of the session before, and so are the keys that open it."""
    table = late_table()
    come_late(table)
    ben = table.sitters[1]
    table.run(lambda: len(ben.core.state.company.sessions) == 2)
    assert ben.core.state.phase is Phase.DEAL
    shown = ben.core.view().hand
    kill(table, ben)
    revive(table, ben)
    assert ben.core.view().hand == shown
    link_all(table)
    table.run_game()
    expect_whole(table)


def test_who_was_lost_before_the_seats_were_drawn_comes_under_its_own_name() -> None:
    """It is a member once, and nobody's namesake."""
    table = new_table(MINUTE, rounds=3)
    dee = table.sitters[3]
    table.run(lambda: dee.core.state.phase is Phase.ROSTER)
    kill(table, dee)
    table.run(lambda: playing(table))
    revive(table, dee)
    link_all(table)
    table.run(lambda: playing(table, 1))
    state = table.sitters[0].core.state
    assert state.seats[-1].name == "Dee"
    assert len({member.key for member in state.members}) == len(state.members)
    assert all(state.member(seat.key) == seat for seat in state.seats)
    table.run_game()
    expect_whole(table)


@pytest.mark.campaign
def test_a_latecomer_given_up_while_it_is_linked_asks_once_more(monkeypatch) -> None:
    """It asked over this very link before it sat; now it wants its seat again."""
    table = late_table(rounds=4, options=("patience=vote",))
    zoe, yan = come_late(table), table.seat("Yan")
    ann, ben = table.sitters[:2]
    table.run(lambda: playing(table, 1) and mine(zoe.core.state, zoe))
    with monkeypatch.context() as paused:
        paused.setattr(table, "move", lambda _: None)
        go_on(table, (ann, ben, yan), zoe)
        table.run(lambda: bool(ann.core.state.gone))
    table.run(lambda: len(ann.core.state.company.sessions) == 3)
    assert not ann.core.state.gone
    table.run_game()
    expect_whole(table)


# ---- seats promised -------------------------------------------------------------------------


def test_who_asked_sits_though_a_seat_is_lost_in_the_step_of_the_scores() -> None:
    """What the chair's scores say holds also where another's scores never came."""
    table = late_table(seats=3)
    come_late(table)
    cy = table.sitters[2]
    table.run(lambda: cy.core.state.phase is Phase.SCORE)
    kill(table, cy)
    table.run(lambda: playing(table, 1))
    state = table.sitters[0].core.state
    assert [member.name for member in state.seats[3:]] == ["Zoe"]
    table.run_game()
    expect_whole(table)


def test_of_six_who_come_at_once_those_are_promised_a_seat_who_get_one() -> None:
    """The rules have room for four more, and the two others are told so while they wait."""
    table = late_table()
    table.run(lambda: playing(table))
    late = [table.seat(f"Zoe{number}") for number in range(6)]
    table.run(lambda: playing(table, 1))
    for each in late:
        said = [n.granted for n in each.told if isinstance(n, notices.SeatLater)]
        assert said[:1] == [each.core.state.seat_of(each.core.key) is not None]
        assert True not in said[1:]
    assert len(table.sitters[0].core.state.seats) == 6
