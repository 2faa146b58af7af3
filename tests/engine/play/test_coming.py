"""Seats that join the table between two rounds. [docs/rules.md §7.12]"""

import pytest
from msgspec.structs import replace

from engine.play.latecomers import with_seats
from engine.play.leavers import leave, void_round
from engine.scoring import totals
from engine.table.rounds import begin_round, next_round, round_winners
from engine.table.table import Ending, Outcome, Scored, absentees
from engine.table.trains import Seat
from engine.table.turn import GameMemory
from engine.tiles import Tile
from tests.engine.deals import spec_of

ANN, BOB, CY, DEB = map(Seat, range(4))


def scored(*past, seats=3, rounds=4, out=ANN, lead=ANN, **switches):
    """Return a double-nine table whose rounds so far had these scores, with the last one scored."""
    spec = spec_of(9, seats, rounds, **switches)
    number = len(past) - 1
    hubs = tuple(Tile(9 - earlier, 9 - earlier) for earlier in range(number))
    hub = Tile(9 - number, 9 - number)
    table = begin_round(spec, number, lead, hub, past=(), game=GameMemory(hubs=hubs))
    ending = Ending.BLOCKED if out is None else Ending.OUT
    return replace(table, past=past, now=Scored(Outcome(ending, out)))


def more(table, seats):
    """Return a spec for this many seats, with as many rounds as the table's game has."""
    return spec_of(9, seats, table.spec.rounds)


def test_who_comes_back_keeps_a_worse_total():
    """A seat that comes back keeps its own total if a newcomer would be given a better one."""
    left = leave(scored((0, 30, 12, 88), seats=4), (DEB,))
    back = with_seats(left, left.spec, (DEB,))
    assert totals(back) == (0, 30, 12, 88)


def test_points_that_were_given_are_told_from_those_of_play():
    """A seat counts as absent in a round for which it was given a score, not if it kept its own."""
    before = leave(scored((5, 9, 30, 70), seats=4), (ANN, DEB))
    back = with_seats(before, more(before, 5), (ANN, DEB))
    assert back.past == ((30, 9, 30, 70, 30),)
    assert absentees(back) == (0b10001,)
    assert next_round(back).game.absent == (0b10001,)


@pytest.mark.parametrize("seat", [None, BOB])
def test_who_was_not_there_has_not_won_the_round(seat):
    """The winner of a round is a seat that played it, never one that was given its score."""
    left = leave(scored((5, 9, 30, 7), seats=4, out=seat), (ANN,))
    late = replace(left, past=((70, 9, 80, 7), (0, 20, 5, 6)))
    back = with_seats(late, more(late, 5), (ANN,))
    assert back.past[-1] == (5, 20, 5, 6, 5)
    assert round_winners(back)[0] == (CY if seat is None else BOB)


def test_a_newcomer_stays_when_others_leave_or_a_round_is_given_up():
    """A newcomer keeps its place when others leave before the deal or a round is dealt again."""
    before = scored((0, 30, 12))
    table = with_seats(before, more(before, 5))
    after = next_round(leave(table, (DEB, BOB)))
    assert [bool(hand) for hand in after.hands] == [True, False, True, False, True]
    again = next_round(void_round(next_round(table), (BOB,)))
    assert again.round_number == 1
    assert [bool(hand) for hand in again.hands] == [True, False, True, True, True]


def test_a_round_goes_on_of_which_only_newcomers_are_left():
    """If all earlier players leave before the deal, the newcomers play on alone."""
    table = scored((30, 12), seats=2, out=None)
    after = leave(with_seats(table, more(table, 5)), (ANN, BOB))
    assert round_winners(after)[0] in (2, 3, 4)
    assert next_round(after).present == (2, 3, 4)


def test_seats_that_come_one_after_the_other_have_all_missed_the_round():
    """Seats may join twice between two rounds; none of them counts as winner of the earlier one."""
    late = scored((70, 90), (9, 5), seats=2, out=None)
    both = with_seats(with_seats(late, more(late, 3)), more(late, 4))
    assert both.past[-1] == (9, 5, 5, 5)
    assert round_winners(both) == (BOB,)
