"""Applicants for a seat between two rounds: the promises they get, and how these are kept."""

import pytest

from netgame.limits import LATECOMERS_MAX, SEATS_MAX
from netgame.protocol import notices
from netgame.protocol.peer.parts import kick, leave_for_good
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.seating import LATER, NoSeat, WhyNoSeat
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import apart, look_on, take_seat
from tests.netgame.protocol.peer.test_coming_and_going import told_of_seat
from tests.netgame.protocol.peer.test_watching import Guest
from tests.netgame.simtable import SimTable, full_table, kill, link_all, revive
from tests.netgame.small_games import (
    come_late,
    end_whole,
    given_up_and_back,
    late_table,
    until_round,
)


def crowd(rounds=2, options=()):
    """Return a table of seven in the first round, with two tiles each."""
    table = full_table(NAMES[:7], wire.Settings("standard", (), 6, 7, rounds, 2, options))
    until_round(table)
    return table


def leave(table, *who):
    """Let these players say farewell, one after the other, and close their programs."""
    ann = table.host
    for each in who:
        table.act(each, leave_for_good)
        table.run(lambda each=each: ann.state.seat_of(each.key) in ann.state.gone)
        kill(table, each)


def come_back(table, *who):
    """Restart the programs of these players, at the same table."""
    for each in who:
        revive(table, each, f"second life of {each.name}")
    link_all(table)


def promises(who):
    """Return, for each promise that this player read, how many rounds they watch first."""
    return [each.watched for each in who.told_of(notices.SeatLater)]


# ---- old seats ------------------------------------------------------------------------------


def test_all_five_who_come_back_in_one_round_have_their_old_seats():
    """Five players who come back in one round all get their old seats in the next."""
    table = crowd(options=("audit=keys",))
    leave(table, *table.sitters[2:])
    come_back(table, *table.sitters[2:])
    ann = table.host.core
    old = {each.key: ann.state.seat_of(each.key) for each in table.sitters}
    table.until(ann, Phase.ROSTER)
    for each in table.sitters[2:]:
        assert promises(each) == [1]
    until_round(table, 1)
    assert not ann.state.gone
    assert {key: ann.state.seat_of(key) for key in old} == old
    assert all(each.view.own is OwnPlace.SEAT for each in table.sitters)
    end_whole(table)


def test_as_many_can_come_back_as_there_are_seats_beside_the_chair():
    """As many players can come back as there are seats besides the chair's."""
    assert LATECOMERS_MAX == SEATS_MAX - 1


def test_strangers_take_no_room_from_who_comes_back():
    """Strangers take no room from a player who comes back, even if they ask first."""
    settings = wire.Settings("standard", (), 6, 4, 3, 5)  # room for one newcomer beside the four
    table = full_table(NAMES[:4], settings)
    until_round(table)
    dee = table.sitters[3]
    leave(table, dee)
    zoe, yan = table.seat("Zoe"), table.seat("Yan")
    table.run(lambda: bool(told_of_seat(zoe)) and bool(told_of_seat(yan)))
    come_back(table, dee)
    table.run(lambda: bool(told_of_seat(dee)))
    assert [told_of_seat(each) for each in (zoe, yan, dee)] == [[True], [False], [True]]
    until_round(table, 1)
    state = table.host.state
    assert not state.gone
    assert [member.name for member in state.seats[4:]] == ["Zoe"]


# ---- strangers ------------------------------------------------------------------------------


def two_for_one_seat():
    """Return a table with one seat to give, the applicant who is promised it, and one without."""
    table = full_table(NAMES[:2], wire.Settings("standard", (), 6, 2, 3, 9))
    until_round(table)
    zoe = table.seat("Zoe")
    table.run(lambda: bool(told_of_seat(zoe)))
    yan = table.seat("Yan")
    table.run(lambda: bool(told_of_seat(yan)))
    return table, zoe, yan


def test_a_stranger_for_whom_there_is_no_room_is_told_so_and_stays_asked():
    """A stranger reads that there is no room, but gets the seat if the first applicant gives up."""
    table, zoe, yan = two_for_one_seat()
    assert yan.view.own is OwnPlace.ASKED
    look_on(table, zoe)
    table.run(lambda: len(told_of_seat(yan)) > 1)
    assert told_of_seat(yan) == [False, True]
    assert yan.view.own is OwnPlace.PROMISED
    until_round(table, 1)
    assert [member.name for member in table.host.state.seats[2:]] == ["Yan"]


def test_a_stranger_who_is_left_over_hears_that_the_table_is_full():
    """A stranger without a seat reads that others come first, and later that the table is full."""
    table, _, yan = two_for_one_seat()
    until_round(table, 2)
    whys = [each.no_seat for each in yan.told_of(notices.SeatLater)]
    assert whys == [NoSeat(WhyNoSeat.OTHERS_FIRST), NoSeat(WhyNoSeat.FULL, 3)]


def test_nobody_is_promised_what_another_seat_has_already_signed():
    """An applicant who asks after the chair has signed its scores is seated one round later."""
    table = late_table(rounds=3, seats=3)
    ann, ben, cy = table.sitters
    until_round(table)
    zoe = table.seat("Zoe", watches=True)
    table.until(ann, Phase.SCORE)
    assert ann.ledger.slot(ann.state.step, ann.state.chair) is not None
    apart(table, [ben], [ann, cy, zoe])
    take_seat(table, zoe)
    table.run(lambda: zoe.key in ann.parts.applicants.waiting)
    table.pass_time()
    assert not told_of_seat(zoe)
    table.cut.clear()
    link_all(table)
    table.run(lambda: bool(told_of_seat(zoe)))
    assert promises(zoe) == [2]
    end_whole(table)
    assert zoe.seat == 3


# ---- who can promise ------------------------------------------------------------------------


def without_the_chair():
    """Return a table in play, and Zoe, whose request for a seat reaches all but the chair."""
    table = late_table(rounds=3)
    zoe = come_late(table)
    ann, ben = table.sitters[:2]
    table.until(zoe, Phase.PLAY)
    apart(table, [zoe], [ann])  # before it has asked anybody
    table.run(lambda: zoe.key in ben.parts.applicants.waiting)
    return table, zoe


def test_only_who_can_keep_a_promise_makes_one():
    """Only the chair promises seats: an applicant who cannot reach it gets none in this game."""
    table, zoe = without_the_chair()
    table.pass_time(0.02)
    assert not told_of_seat(zoe)
    assert zoe.view.own is OwnPlace.ASKED
    table.until(zoe, Phase.OVER)
    assert told_of_seat(zoe) == [False]


def test_a_stranger_promises_no_seat_and_fills_no_screen():
    """A promise from another stranger counts for nothing, and shows no notice."""
    table, zoe = without_the_chair()
    stranger = Guest(table, zoe)
    for code in (LATER, WhyNoSeat.WATCH.value, LATER):
        for number in range(20):
            stranger.say(wire.JoinAnswer(code, (number,)))
    assert not told_of_seat(zoe)
    assert zoe.view.own is OwnPlace.ASKED


def test_who_becomes_the_chair_answers_those_who_wait():
    """A seat that becomes the chair answers an applicant who is still waiting."""
    table = crowd(rounds=3)
    ann, ben = table.sitters[:2]
    zoe = table.seat("Zoe")
    table.run(lambda: bool(zoe.told_of(notices.CaughtUp)))
    apart(table, [zoe], [ann])
    table.pass_time(0.1)
    assert told_of_seat(zoe) == [True]
    table.act(ann, leave_for_good)
    table.run(lambda: bool(ben.state.gone))
    kill(table, ann)
    assert zoe.view.own is OwnPlace.ASKED
    assert ben.state.name_of(ben.state.chair) != "Ann"
    table.run(lambda: zoe.view.own is OwnPlace.PROMISED)
    assert told_of_seat(zoe) == [True, True]
    table.until(ben, Phase.ROSTER)
    assert ben.state.seat_of(zoe.key) == 7


# ---- kicks in play --------------------------------------------------------------------------


def kicked(table, chair, who):
    """Let the person at the seat `chair` kick somebody, and wait a moment."""
    table.act(chair, lambda parts: kick(parts, who.key))
    table.pass_time(0.02)


def test_whom_the_chair_kicks_in_play_has_no_promise_any_more_and_may_watch():
    """An applicant whom the chair kicks in play loses the promise, and may still watch.

    Asking again gets the same answer, until `allow` takes the kick back.
    """
    table = late_table(rounds=4, seats=3)
    ann = table.host
    until_round(table)
    zoe = come_late(table)
    table.run(lambda: zoe.view.own is OwnPlace.PROMISED)
    kicked(table, ann, zoe)
    assert zoe.view.own is OwnPlace.WATCHING
    assert zoe.told_of(notices.SeatLater)[-1] == notices.SeatLater(NoSeat(WhyNoSeat.KICKED))
    take_seat(table, zoe)
    table.pass_time(0.02)
    assert zoe.view.no_seat == NoSeat(WhyNoSeat.KICKED)
    assert not ann.view.coming
    until_round(table, 1)
    assert zoe.seat is None
    assert [guest.name for guest in ann.view.guests] == ["Zoe"]
    table.act(ann, lambda parts: parts.chair.allow(zoe.key))
    take_seat(table, zoe)
    table.run(lambda: zoe.view.own is OwnPlace.PROMISED)
    end_whole(table)
    assert zoe.seat == 3


def test_a_kick_in_play_is_the_chairs_alone_and_takes_no_seat_away():
    """Only the chair's kick counts in play, and it takes no seat from a seated player."""
    table = late_table(rounds=3, seats=3)
    ann, ben, cy = table.sitters
    until_round(table)
    zoe = come_late(table)
    table.run(lambda: zoe.view.own is OwnPlace.PROMISED)
    kicked(table, ben, zoe)
    kicked(table, ann, cy)
    assert not ben.parts.chair.kicked
    assert not ann.parts.chair.kicked
    end_whole(table)
    assert (zoe.seat, cy.view.own) == (3, OwnPlace.SEAT)


def test_the_kick_of_a_chair_that_is_not_the_host_counts_as_well():
    """A chair that is not the host can kick too, once the host has left for good."""
    table = crowd(rounds=4)
    ann, ben = table.sitters[:2]
    zoe = table.seat("Zoe")
    table.run(lambda: zoe.view.own is OwnPlace.PROMISED)
    table.act(ann, leave_for_good)
    table.run(lambda: bool(ben.state.gone) and bool(zoe.state.gone))
    kill(table, ann)
    chair = next(each for each in table.sitters if each.core.context.seat == ben.state.chair)
    assert chair is not ann
    kicked(table, chair, zoe)
    assert zoe.view.no_seat == NoSeat(WhyNoSeat.KICKED)
    table.run(lambda: ben.state.phase is Phase.OVER)
    assert ben.state.seat_of(zoe.key) is None


# ---- reading one's own place ----------------------------------------------------------------


def test_one_place_is_told_of_who_was_gone_on_without_and_comes_back():
    """A player who was given up and returns is shown these places: seat, asked, promised, seat."""
    table, _, victim = given_up_and_back()
    places = []

    def look():
        place = victim.view.own
        if place not in places[-1:]:
            places.append(place)
        return place is OwnPlace.SEAT and OwnPlace.PROMISED in places

    table.run(look)
    assert places == [OwnPlace.SEAT, OwnPlace.ASKED, OwnPlace.PROMISED, OwnPlace.SEAT]


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (wire.Settings("standard", (), 6, 2, 3, 4), None),
        (wire.Settings("standard", (), 6, 2, 3, 4, ("latecomers=watch",)), WhyNoSeat.WATCH),
        (wire.Settings("standard", (), 6, 2, 1, 4), WhyNoSeat.LAST_ROUND),
        (wire.Settings("standard", (), 6, 2, 3, 13), WhyNoSeat.FULL),
        (wire.Settings("standard", ("partners=yes",), 9, 4, 2, 4), WhyNoSeat.PAIRS),
    ],
)
def test_who_comes_late_knows_by_the_log_whether_there_would_be_a_seat(settings, why):
    """A latecomer reads from the log whether there is a seat, and the chair answers accordingly."""
    table = full_table(NAMES[: settings.seats], settings, bots=False)
    until_round(table)
    zoe = table.seat("Zoe", looks_first=True)
    table.run(lambda: bool(zoe.told_of(notices.CaughtUp)))
    no_seat = zoe.view.no_seat
    assert (no_seat and no_seat.why) == why
    take_seat(table, zoe)
    table.pass_time(2.0)
    assert told_of_seat(zoe) == [why is None]


def test_who_comes_to_a_full_lobby_knows_that_too_and_when_a_seat_is_free():
    """A guest at a full lobby reads that all seats are taken, and later that one is free."""
    table = SimTable(wire.Settings("standard", (), 6, 2, 1, 4))
    _, ben = table.seat("Ann"), table.seat("Ben")
    table.pass_time()
    zoe = table.seat("Zoe", looks_first=True)
    table.pass_time()
    assert zoe.view.no_seat == NoSeat(WhyNoSeat.TAKEN, 2)
    kill(table, ben)
    table.pass_time()
    assert zoe.view.no_seat is None


def test_who_is_about_to_sit_is_not_told_of_a_last_round():
    """A player with a promised seat is not told that the last round is on."""
    table = late_table(options=("audit=keys",))
    zoe = come_late(table)
    table.until(zoe, Phase.AUDIT)
    assert zoe.view.own is OwnPlace.PROMISED
    assert zoe.view.no_seat is None
    until_round(table, 1)
    assert told_of_seat(zoe) == [True]
