"""Who told of the last tile in time, and who was caught. [docs/rules.md §7.7]"""

from engine.play.apply import apply
from engine.play.calls import apply_calls, call_by_itself, calls_due, offenders
from engine.play.judge import why_illegal
from engine.play.legal_moves import legal_moves
from engine.refusals import RefusalCode
from engine.table.events import Caught, Tapped
from engine.table.moves import Catch, Quiet, Tap
from engine.table.table import Hand
from engine.table.trains import Seat
from tests.engine.play.small_tables import ANN, BOB, CY, chain, lay, table_of


def untold():
    """Three seats of which the first has just left itself one tile, silently."""
    return lay(table_of(2, 5, 5, last_tile="tap", tap_penalty="2"), 1, 6)


def held(table):
    """How many tiles each seat holds."""
    return [len(hand) for hand in table.hands]


def test_a_tap_is_quicker_right_after_the_own_turn():
    """In the moment after the turn that left one tile, who tells is not caught."""
    table = untold()
    assert calls_due(table) == (ANN, BOB, CY)
    told, events = apply_calls(table, [Catch(BOB, ANN), Tap(ANN), Quiet(CY)])
    assert held(told) == [1, 5, 5]
    assert events == (Tapped(ANN),)
    assert calls_due(told) == ()


def test_a_catch_is_quicker_than_a_late_tap():
    """Once another turn has been played, a catch of the same moment beats the tap."""
    table = lay(untold(), 2, 6)
    assert offenders(table) == (ANN,)
    caught, events = apply_calls(table, [Tap(ANN), Quiet(BOB), Catch(CY, ANN)])
    assert held(caught) == [3, 4, 5]
    assert [type(event) for event in events[:1]] == [Caught]
    assert Tapped(ANN) not in events
    told, _ = apply_calls(table, [Tap(ANN), Quiet(BOB), Quiet(CY)])
    assert held(told) == [1, 4, 5]
    assert calls_due(told) == ()


def test_of_two_seats_the_only_moment_is_right_after_the_turn():
    """With two seats the next turn is the other's, and then play is back: a tap is in time."""
    table = lay(table_of(5, 2, first=BOB, last_tile="tap", tap_penalty="1"), 1, 6)
    assert held(apply_calls(table, [Catch(ANN, BOB), Tap(BOB)])[0]) == [5, 1]
    assert calls_due(lay(table, 2, 6)) == ()


def test_of_several_catches_the_first_in_seat_order_counts():
    """One seat is caught once, by the lowest seat that called."""
    caught, events = apply_calls(untold(), [Catch(CY, ANN), Catch(BOB, ANN)])
    assert held(caught) == [3, 5, 5]
    assert events[0] == Caught(ANN, by=BOB, count=2)


def test_nobody_catches_itself_or_a_seat_that_is_not_there():
    """A catch names another seat that has not told."""
    for move in (Catch(ANN, ANN), Catch(BOB, Seat(9)), Catch(BOB, CY)):
        assert why_illegal(untold(), move).code is RefusalCode.NOT_ALLOWED


def opened_at_once(order, **switches):
    """An opening of all at once of which the first and the last seat keep one tile."""
    table = table_of(2, 3, 2, opening="simultaneous", tap_penalty="1", **switches)
    for seat in order:
        table, _ = apply(table, chain(table, seat, (seat + 1, 6)))
    return table


def test_all_who_opened_at_once_have_just_played():
    """After an opening of all at once each seat is in time, and may be caught, alike."""
    table = opened_at_once((ANN, BOB, CY), last_tile="tap")
    assert table == opened_at_once((CY, BOB, ANN), last_tile="tap")
    assert offenders(table) == (ANN, CY)
    after, _ = apply_calls(table, [Tap(ANN), Catch(BOB, ANN), Catch(BOB, CY), Quiet(CY)])
    assert held(after) == [1, 2, 2]


def test_nobody_can_tell_before_an_opening_of_all_at_once():
    """Where it is said before the play, nobody is caught for silence in such an opening."""
    table = opened_at_once((ANN, BOB, CY), last_tile="before-play")
    assert offenders(table) == ()


def test_a_courtesy_is_said_once_a_turn():
    """A tap without a penalty changes nothing, so a seat cannot go on tapping for ever."""
    table = table_of(2, 5, 5, last_tile="courtesy")
    assert Tap(ANN) in legal_moves(table, Hand(ANN, ()))
    table, _ = apply(table, Tap(ANN))
    assert why_illegal(table, Tap(ANN)).code is RefusalCode.NOT_ALLOWED
    assert Tap(ANN) not in legal_moves(table, Hand(ANN, ()))


def test_who_does_not_attend_calls_by_itself():
    """The own last tile is told; another is caught only once a turn has gone by since."""
    table = untold()
    assert call_by_itself(table, ANN) == Tap(ANN)
    assert call_by_itself(table, BOB) == Quiet(BOB)
    later = lay(table, 2, 6)
    assert call_by_itself(later, CY) == Catch(CY, ANN)
    assert call_by_itself(later, ANN) == Tap(ANN)
