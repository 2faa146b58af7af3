"""Seats between two rounds: a new roster, a new session, and the scores kept."""

import pytest

from engine.scoring import totals
from netgame.protocol import notices
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import (
    MINUTE,
    come_late,
    end_whole,
    late_table,
    new_table,
    until_round,
)


def test_who_has_missed_a_round_has_the_points_of_last_place_and_is_told_so():
    """Whoever is gone scores nothing, and would gain by it with few tiles left in the hand."""
    table = new_table(MINUTE, seed=4, rounds=4)
    ann, cy = table.host, table.sitters[2]
    until_round(table)
    seat = ann.state.seat_of(cy.key)
    table.run(lambda: len(ann.state.table.hands[seat]) < 3)
    kill(table, cy)
    until_round(table, 2)
    before = totals(ann.state.table)
    revive(table, cy)
    link_all(table)
    table.run(lambda: bool(cy.told_of(notices.SeatsCame)))
    assert cy.told_of(notices.SeatsCame) == [notices.SeatsCame(("Cy",), ("Cy",), ("Cy",))]
    assert totals(ann.state.table)[seat] > before[seat]
    assert {each.returns for each in cy.told_of(notices.SeatLater)} == {True}


# ---- who comes late -------------------------------------------------------------------------


OPTIONS = {
    "plain": ("patience=minute",),
    "keys": ("audit=keys",),
    "seeds, hidden draws": ("audit=seeds", "draws=hidden"),
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_who_comes_late_plays_from_the_next_round_on(options):
    """Zoe watches the first round, sits last, and has as many points as the last."""
    table = late_table(options=options)
    zoe = come_late(table)
    until_round(table, 1)
    state = table.host.state
    assert [member.name for member in state.seats] == [*(m.name for m in state.seats[:2]), "Zoe"]
    sums = totals(state.table)
    assert sums[2] == max(sums[:2])
    assert len(state.table.hands[2]) >= 4
    end_whole(table)
    assert len(zoe.state.table.past[1]) == 3
    assert zoe.state.table.past == table.host.state.table.past
