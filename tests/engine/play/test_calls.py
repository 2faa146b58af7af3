"""Announcing the last tile, and catching a seat that did not. [docs/rules.md §7.7]"""

from engine.play.calls import call_by_itself
from engine.play.judge import why_illegal
from engine.refusals import RefusalCode
from engine.table.moves import Catch, Quiet, Tap
from engine.table.trains import Seat
from tests.engine.play.small_tables import ANN, BOB, CY, lay, table_of


def untold():
    """Return a table of three on which the first seat has one tile and did not announce it."""
    return lay(table_of(2, 5, 5, last_tile="tap", tap_penalty="2"), 1, 6)


def test_nobody_catches_itself_or_a_seat_that_is_not_there():
    """A seat can catch only another seat that exists and kept silent about its last tile."""
    for move in (Catch(ANN, ANN), Catch(BOB, Seat(9)), Catch(BOB, CY)):
        assert why_illegal(untold(), move).code is RefusalCode.NOT_ALLOWED


def test_who_does_not_attend_calls_by_itself():
    """An unattended seat announces its last tile, and catches a silent seat one turn later."""
    table = untold()
    assert call_by_itself(table, ANN) == Tap(ANN)
    assert call_by_itself(table, BOB) == Quiet(BOB)
    later = lay(table, 2, 6)
    assert call_by_itself(later, CY) == Catch(CY, ANN)
    assert call_by_itself(later, ANN) == Tap(ANN)
