"""The way to a seat in the next round: an example for each row of a table in docs/peer.md 7."""

import pytest

from netgame.protocol.peer.people import joiner as joiner_module
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.people.seeking import (
    NEXT_SEATS,
    Applying,
    NotAsking,
    Promised,
    PromisedEarly,
    SeatingEvent,
)
from netgame.protocol.seating import LATER, NoSeat, WhyNoSeat
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.protocol.examples import Examples, row_name
from tests.netgame.protocol.happenings import begin, look_on, take_seat, watching
from tests.netgame.protocol.peer.test_applicants import told_of_seat, two_for_one_seat
from tests.netgame.protocol.peer.test_seeking import hears, lobby_of, until
from tests.netgame.small_games import come_late, late_table, until_round

EXAMPLES = Examples()
row = EXAMPLES.row


@row(NotAsking, SeatingEvent.NEW_SEATING, Applying)
def _asks_for_the_next_round():
    table = late_table()
    until_round(table)
    zoe = watching(table)
    yield zoe
    take_seat(table, zoe)
    yield zoe


@row(Applying, SeatingEvent.NEW_SEATING, Applying)
def _asks_for_the_round_after():
    table, _, yan = two_for_one_seat()
    yield yan
    before = yan.parts.joiner._next_seat
    table.run(lambda: yan.parts.joiner._next_seat != before)
    yield yan


@row(Promised, SeatingEvent.NEW_SEATING, Applying)
def _is_promised_a_seat_that_another_gets():
    table, _, yan = two_for_one_seat()
    hears(table, yan, table.sitters[1], wire.JoinAnswer(LATER, (1,)))
    yield yan
    until(table, yan, "_next_seat", Applying)
    yield yan


def promised_early():
    """Yield a table and Ben twice: before and after a promise that comes early.

    The host has kicked Ben, who has no seat in the lobby. The promise comes while Ben's log is
    behind.
    """
    table, ann, ben, _ = lobby_of("Ann", "Ben", "Cy")
    table.act(ann, lambda parts: parts.lobby_host.kick(ben.key))
    table.pass_time()
    yield table, ben
    hears(table, ben, ann, wire.JoinAnswer(LATER, (1,)))
    yield table, ben


@row(NotAsking, SeatingEvent.PROMISED, PromisedEarly)
def _is_promised_a_seat_early():
    for _, ben in promised_early():
        yield ben
    assert ben.view.own is OwnPlace.PROMISED


@row(PromisedEarly, SeatingEvent.NEW_SEATING, Applying)
def _has_read_on():
    *_, (table, ben) = promised_early()
    yield ben
    begin(table)
    table.until(ben, Phase.PLAY)
    yield ben


@row(PromisedEarly, SeatingEvent.DENIED, NotAsking)
def _loses_an_early_promise():
    *_, (table, ben) = promised_early()
    yield ben
    hears(table, ben, table.host, NoSeat(WhyNoSeat.STRANGER).answer())
    yield ben
    assert ben.view.own is OwnPlace.ASKED


@row(PromisedEarly, SeatingEvent.SEATED, NotAsking)
def _sits_after_an_early_promise():
    *_, (table, ben) = promised_early()
    yield ben
    table.act(table.host, lambda parts: parts.chair.allow(ben.key))
    table.act(ben, lambda parts: parts.joiner.ask_again())
    table.run(lambda: len(table.host.state.members) == 3)
    begin(table)
    table.until(ben, Phase.PLAY)
    yield ben


@row(PromisedEarly, SeatingEvent.LOOKS_ON, NotAsking)
def _gives_up_an_early_promise():
    """Let Ben ask only to watch, which gives up his early promise."""
    *_, (table, ben) = promised_early()
    yield ben
    look_on(table, ben)
    begin(table)
    table.until(ben, Phase.PLAY)
    yield ben


@row(Applying, SeatingEvent.PROMISED, Promised)
def _is_promised_a_seat():
    table = late_table()
    zoe = come_late(table)
    until(table, zoe, "_next_seat", Applying)
    yield zoe
    table.run(lambda: bool(told_of_seat(zoe)))
    yield zoe


def promised():
    """Return a table and Zoe, who has a promise for the next round."""
    table = late_table()
    zoe = come_late(table)
    until(table, zoe, "_next_seat", Promised)
    return table, zoe


@row(Promised, SeatingEvent.DENIED, Applying)
def _loses_a_promise():
    table, zoe = promised()
    yield zoe
    hears(table, zoe, table.host, NoSeat(WhyNoSeat.STRANGER).answer())
    yield zoe
    assert zoe.view.own is OwnPlace.ASKED


@row(Promised, SeatingEvent.LOOKS_ON, NotAsking)
def _gives_up_a_promise():
    table, zoe = promised()
    yield zoe
    look_on(table, zoe)
    yield zoe


@row(Applying, SeatingEvent.LOOKS_ON, NotAsking)
def _gives_up_its_request():
    table, _, yan = two_for_one_seat()
    yield yan
    look_on(table, yan)
    yield yan


@row(Promised, SeatingEvent.SEATED, NotAsking)
def _gets_what_was_promised():
    table, zoe = promised()
    yield zoe
    table.run(lambda: zoe.view.sits)
    yield zoe


@row(Applying, SeatingEvent.SEATED, NotAsking)
def _sits_though_the_promise_was_lost():
    table = late_table()
    zoe = come_late(table)
    zoe.parts.joiner.hear = lambda key, answer: None
    until(table, zoe, "_next_seat", Applying)
    yield zoe
    table.run(lambda: zoe.view.sits)
    yield zoe


def test_each_row_has_its_example():
    """Each row of the table has an example with its next state, and no example is left over."""
    EXAMPLES.show_all(NEXT_SEATS)


@pytest.mark.parametrize(("state", "event"), NEXT_SEATS, ids=row_name)
def test_a_row_happens_at_a_table(state, event, monkeypatch):
    """At a simulated table, a row's event leads from the row's state to its next state."""

    def look(who):
        return who.parts.joiner._next_seat

    EXAMPLES.play((state, event), look, joiner_module, monkeypatch)
