"""The points that a seat gets for a round that it missed."""

from engine.scoring import totals
from netgame.protocol import notices
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import MINUTE, new_table, until_round


def test_who_has_missed_a_round_has_the_points_of_last_place_and_is_told_so():
    """A player who missed a round gets the points of last place, and is told so.

    Otherwise a player with few tiles left could gain by being absent.
    """
    table = new_table(MINUTE, seed=4, rounds=4)
    ann, cy = table.host, table.sitters[2]
    until_round(table)
    seat = ann.state.seat_of(cy.key)
    table.run(lambda: len(ann.state.table.hands[seat]) < 3)
    kill(table, cy)
    until_round(table, 2)
    before = totals(ann.state.table)
    assert before[seat] < max(before)
    revive(table, cy)
    link_all(table)
    table.run(lambda: bool(cy.told_of(notices.SeatsCame)))
    assert cy.told_of(notices.SeatsCame) == [notices.SeatsCame(("Cy",), ("Cy",), ("Cy",))]
    points = list(totals(ann.state.table))
    assert points.pop(seat) == max(points)
    assert {each.returns for each in cy.told_of(notices.SeatLater)} == {True}
