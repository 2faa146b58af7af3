"""The phase in which a seat left, and the shares that it owed then."""

import pytest

from netgame.protocol.state.phases import Phase
from tests.netgame.protocol.happenings import apart, heal, say_farewell, until_in_play, verified
from tests.netgame.simtable import full_table, standard
from tests.vectors.cut_logs import CUTS


@pytest.mark.parametrize(
    ("log", "phase", "dealing", "drawing"),
    [
        ("cut-in-shares", Phase.SHARES, True, False),
        ("cut-in-shares-of-two", Phase.SHARES, True, False),
        ("cut-in-drawn", Phase.DRAWN, False, True),
        ("cut-in-high-draw", Phase.DRAWN, False, True),
        ("cut-in-search", Phase.PLAY, False, False),
        ("cut-in-opening-commit", Phase.OPENING_COMMIT, False, False),
    ],
)
def test_a_record_shows_who_went_while_shares_were_due(log, phase, dealing, drawing):
    """A record shows the phase in which a seat left, and whether shares were due then.

    `while_dealing` is true if they were due for the hands, and `while_drawing` if they were due
    for a drawn or shown tile.
    """
    (went,) = verified(CUTS[log]().record_octets).departures
    assert went.phase is phase
    assert (went.while_dealing, went.while_drawing) == (dealing, drawing)


def test_who_has_drawn_and_goes_owes_no_share():
    """A seat that leaves after drawing a tile owes no share of that tile."""
    table = full_table(("Ann", "Ben", "Cy"), standard(rounds=1, hand=2), seed=bytes([0]) * 32)
    until_in_play(table)
    to_move = table.host.state.table.to_move
    drawer, other, late = (
        next(each for each in table.sitters if each.seat == (to_move + on) % 3) for on in range(3)
    )
    apart(table, [late], [drawer, other])
    table.until(other, Phase.DRAWN)
    assert other.state.table.to_move == drawer.seat
    say_farewell(table, drawer)
    table.run(lambda: not drawer.alive)
    heal(table, [late], [other])
    table.run(lambda: bool(other.state.gone))
    (went,) = other.view.departures
    assert went.phase is Phase.DRAWN
    assert not went.owing
    assert not went.while_drawing
