"""A peer's way to its seat: an example for each row of the tables in docs/peer.md 7."""

import pytest

from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.people import joiner as joiner_module
from netgame.protocol.peer.people.seeking import (
    HOST_LINKS,
    HOSTS_WORDS,
    PURPOSES,
    REQUESTS,
    Admitted,
    Asked,
    AskingAnew,
    HostElsewhere,
    HostEvent,
    HostHere,
    HostLost,
    HostUnmet,
    LooksOn,
    Promised,
    PurposeEvent,
    RequestEvent,
    SaysItWatches,
    TurnedAway,
    Unasked,
    WantsSeat,
    Welcome,
    WelcomeEvent,
)
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.protocol.examples import Examples, row_name
from tests.netgame.protocol.happenings import (
    apart,
    begin,
    heal,
    hears,
    look_on,
    take_seat,
    watching,
)
from tests.netgame.simtable import SimTable, kill, link_all, revive, standard
from tests.netgame.small_games import come_late, late_table, until_round

EXAMPLES = Examples()
row = EXAMPLES.row


def lobby_of(*names):
    """Return a table without bots, in its lobby, and its sitters, who have these names."""
    table = SimTable(standard(6, 4, 1), bots=False)
    sitters = [table.seat(name) for name in names]
    table.pass_time()
    return table, *sitters


def unlinked(table, name):
    """Add a sitter that has no link to the host yet, and return it."""
    table.connect = lambda one, other: None
    who = table.seat(name)
    del table.connect
    return who


def until(table, who, machine, kind):
    """Let time pass until the state `machine` of somebody's joiner is of this kind."""
    table.run(lambda: isinstance(getattr(who.parts.joiner, machine), kind))


# ---- the person's wish --------------------------------------------------------------------------


@row(LooksOn, PurposeEvent.TAKE_SEAT, WantsSeat)
def _sits_down():
    table, _ = lobby_of("Ann")
    ben = table.seat("Ben", looks_first=True)
    yield ben
    take_seat(table, ben)
    yield ben


@row(SaysItWatches, PurposeEvent.TAKE_SEAT, WantsSeat)
def _watched_and_sits_down():
    table, _ = lobby_of("Ann")
    ben = table.seat("Ben", watches=True)
    yield ben
    take_seat(table, ben)
    yield ben


@row(WantsSeat, PurposeEvent.LOOK_ON, LooksOn)
def _looks_on():
    table, _, ben = lobby_of("Ann", "Ben")
    yield ben
    look_on(table, ben)
    yield ben


def fresh():
    """Return the core of a program that has just been started."""
    signer, entropy = make_signing_key(bytes(32)), expand(bytes(32), "fresh")
    return Core(signer, "Zoe", entropy, bytes(32), ())


@row(WantsSeat, PurposeEvent.WATCH, SaysItWatches)
def _comes_to_watch():
    zoe = fresh()
    yield zoe
    zoe.look_for_table(purpose=SaysItWatches())
    yield zoe


@row(WantsSeat, PurposeEvent.SEATLESS, LooksOn)
def _restarts_without_a_seat():
    zoe = fresh()
    yield zoe
    zoe.restore((), 0.0)
    yield zoe


@row(LooksOn, PurposeEvent.WATCH, SaysItWatches)
def _comes_back_to_watch():
    zoe = fresh().restore((), 0.0)
    yield zoe
    zoe.look_for_table(purpose=SaysItWatches())
    yield zoe


# ---- the host's link ----------------------------------------------------------------------------


@row(HostUnmet, HostEvent.MET, HostHere)
def _meets_the_host():
    table, ann = lobby_of("Ann")
    ben = unlinked(table, "Ben")
    yield ben
    table.connect(ben, ann)
    table.pass_time()
    yield ben


@row(HostHere, HostEvent.LOST, HostLost)
def _loses_the_host():
    table, ann, ben = lobby_of("Ann", "Ben")
    yield ben
    apart(table, [ann], [ben])
    yield ben


@row(HostLost, HostEvent.MET, HostHere)
def _finds_the_host():
    table, ann, ben = lobby_of("Ann", "Ben")
    apart(table, [ann], [ben])
    yield ben
    heal(table, [ann], [ben])
    yield ben


def elsewhere(table, who):
    """Let the host tell somebody that it is at another table; check that they are told once."""
    assert not who.context.in_lobby
    hears(table, who, table.host, wire.Hello(bytes(63) + b"\x01"))
    assert len(who.told_of(notices.HostMoved)) == 1


@row(HostHere, HostEvent.ELSEWHERE, HostElsewhere)
def _host_goes():
    table, _, ben = lobby_of("Ann", "Ben")
    begin(table)
    table.until(ben, Phase.PLAY)
    yield ben
    elsewhere(table, ben)
    yield ben


@row(HostLost, HostEvent.ELSEWHERE, HostElsewhere)
def _lost_host_goes():
    table, ann, ben, cy = lobby_of("Ann", "Ben", "Cy")
    table.act(ann, lambda parts: parts.lobby_host.kick(ben.key))
    apart(table, [ben], [ann, cy])
    begin(table)
    table.until(cy, Phase.PLAY)
    heal(table, [ben], [cy])
    table.until(ben, Phase.PLAY)
    heal(table, [ben], [ann])
    yield ben
    elsewhere(table, ben)
    yield ben


@row(HostUnmet, HostEvent.ELSEWHERE, HostElsewhere)
def _host_goes_after_a_restart():
    table, _, ben = lobby_of("Ann", "Ben")
    begin(table)
    table.until(ben, Phase.PLAY)
    kill(table, ben)
    revive(table, ben)
    link_all(table)
    table.pass_time()
    yield ben
    elsewhere(table, ben)
    yield ben


# ---- requests to the host -----------------------------------------------------------------------


@row(Unasked, RequestEvent.ASKED, Asked)
def _asks():
    table, ann = lobby_of("Ann")
    ben = unlinked(table, "Ben")
    yield ben
    table.connect(ben, ann)
    until(table, ben, "_request", Asked)
    yield ben


@row(AskingAnew, RequestEvent.ASKED, Asked)
def _asks_under_another_name():
    table, ann = lobby_of("Ann")
    ben = unlinked(table, "Ben")
    ben.parts.joiner.ask_again()
    yield ben
    table.connect(ben, ann)
    until(table, ben, "_request", Asked)
    yield ben


@row(Unasked, RequestEvent.ASKED_AGAIN, Admitted)
def _asks_from_another_address():
    table, ann, ben = lobby_of("Ann", "Ben")
    revive(table, ben)  # before the host has lost the link
    ben.parts.joiner.host, ben.context.addresses = ann.key, ("10.0.0.9:4747",)
    yield ben
    table.links.clear()
    table.connect(ben, ann)
    until(table, ben, "_request", Admitted)
    yield ben


@row(AskingAnew, RequestEvent.ASKED_AGAIN, Admitted)
def _asks_for_a_seat_by_another_name():
    table, _, ben = lobby_of("Ann", "Ben")
    ben.parts.joiner.ask_again()
    yield ben
    table.do(ben, ben.core.flush())
    yield ben


@row(Asked, RequestEvent.SEATED, Admitted)
def _is_admitted():
    table, _ = lobby_of("Ann")
    ben = table.seat("Ben")
    until(table, ben, "_request", Asked)
    yield ben
    table.pass_time()
    yield ben


@row(Admitted, RequestEvent.SEAT_GONE, Unasked)
def _is_dismissed():
    table, ann, ben = lobby_of("Ann", "Ben")
    look_on(table, ben)  # otherwise it asks at once
    yield ben
    table.act(ann, lambda parts: parts.lobby_host.kick(ben.key))
    table.pass_time()
    yield ben


@row(Asked, RequestEvent.LINK_GONE, Unasked)
def _loses_the_link_with_the_answer():
    table, ann = lobby_of("Ann")
    ben = table.seat("Ben")
    until(table, ben, "_request", Asked)
    yield ben
    apart(table, [ann], [ben])
    yield ben


@row(Admitted, RequestEvent.LINK_GONE, Unasked)
def _loses_the_link_with_a_seat():
    table, ann, ben = lobby_of("Ann", "Ben")
    yield ben
    apart(table, [ann], [ben])
    yield ben


@row(Unasked, RequestEvent.ASK_ANEW, AskingAnew)
def _changes_its_name_before_it_has_a_link():
    table, _ = lobby_of("Ann")
    ben = unlinked(table, "Ben")
    yield ben
    ben.parts.joiner.ask_again()
    yield ben


@row(Asked, RequestEvent.ASK_ANEW, AskingAnew)
def _hears_that_its_request_is_stale():
    table, ann = lobby_of("Ann")
    ben = table.seat("Ben")
    until(table, ben, "_request", Asked)
    ben.parts.joiner._request = Asked(ben.state.step - 1)
    yield ben
    ben.parts.joiner.hear(ann.key, NoSeat(WhyNoSeat.STALE).answer())
    yield ben


@row(Admitted, RequestEvent.ASK_ANEW, AskingAnew)
def _changes_its_name_at_its_seat():
    _, _, ben = lobby_of("Ann", "Ben")
    yield ben
    ben.parts.joiner.ask_again()
    yield ben


# ---- the host's word ----------------------------------------------------------------------------


def kicked():
    """Yield a table and Ben twice: he looks on, before and after the host kicks him."""
    table, ann, ben = lobby_of("Ann", "Ben")
    look_on(table, ben)
    yield table, ben
    table.act(ann, lambda parts: parts.lobby_host.kick(ben.key))
    table.pass_time()
    yield table, ben


@row(Welcome, WelcomeEvent.KICKED, TurnedAway)
def _is_turned_away():
    for _, ben in kicked():
        yield ben


@row(TurnedAway, WelcomeEvent.TAKE_SEAT, Welcome)
def _asks_all_the_same():
    *_, (table, ben) = kicked()
    yield ben
    take_seat(table, ben)
    yield ben


@row(TurnedAway, WelcomeEvent.PROMISED, Welcome)
def _is_promised_a_seat_all_the_same():
    table = late_table(rounds=4)
    zoe = come_late(table)
    until(table, zoe, "_next_seat", Promised)
    hears(table, zoe, table.host, NoSeat(WhyNoSeat.KICKED).answer())
    yield zoe
    hears(table, zoe, table.host, wire.JoinAnswer("later", (1,)))
    yield zoe


# ---- every row ----------------------------------------------------------------------------------

MACHINES = {
    "purpose": PURPOSES,
    "_host_link": HOST_LINKS,
    "_request": REQUESTS,
    "_hosts_word": HOSTS_WORDS,
}
ROWS = [(machine, *key) for machine, table in MACHINES.items() for key in table]


def test_each_row_has_its_example():
    """Each row of the tables has an example with its next state, and no example is left over."""
    EXAMPLES.show_all(*MACHINES.values())


@pytest.mark.parametrize(("machine", "state", "event"), ROWS, ids=row_name)
def test_a_row_happens_at_a_table(machine, state, event, monkeypatch):
    """At a simulated table, a row's event leads from the row's state to its next state."""

    def look(who):
        return getattr(who.parts.joiner, machine)

    EXAMPLES.play((state, event), look, joiner_module, monkeypatch)


def test_a_kick_means_something_only_from_the_host():
    """A kick counts only from the host; no other member can bar anybody."""
    table = late_table()
    until_round(table)
    zoe = watching(table)
    for sender, is_barred in ((table.sitters[1], False), (table.host, True)):
        hears(table, zoe, sender, NoSeat(WhyNoSeat.KICKED).answer())
        assert isinstance(zoe.parts.joiner._hosts_word, TurnedAway) is is_barred


def test_who_joins_a_table_again_asks_for_a_seat():
    """A program that joins a table again asks for a seat, even if its record has none."""
    table, ann = lobby_of("Ann")
    ben = table.seat("Ben", looks_first=True)
    table.pass_time()
    kill(table, ben)
    revive(table, ben)
    assert isinstance(ben.parts.joiner.purpose, LooksOn)
    ben.core.look_for_table(host=ann.key)
    assert isinstance(ben.parts.joiner.purpose, WantsSeat)
    table.connect(ben, ann)
    table.pass_time()
    assert ben.key in {member.key for member in ann.state.members}


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (wire.JoinAnswer("moon", (7,)), NoSeat(WhyNoSeat.UNKNOWN)),
        (wire.JoinAnswer("\x1b[2J"), NoSeat(WhyNoSeat.UNKNOWN)),
        (wire.JoinAnswer("taken"), NoSeat(WhyNoSeat.UNKNOWN)),
        (wire.JoinAnswer("taken", (4, 5)), NoSeat(WhyNoSeat.TAKEN, 4)),
        (wire.JoinAnswer("convicted", (4,)), NoSeat(WhyNoSeat.CONVICTED)),
    ],
)
def test_an_answer_that_nobody_can_read_refuses_a_seat_all_the_same(answer, told):
    """An answer with an unknown code, or too few or too many numbers, still refuses a seat."""
    table, ann = lobby_of("Ann")
    ben = table.seat("Ben", looks_first=True)
    table.pass_time()
    hears(table, ben, ann, answer)
    (refused,) = ben.told_of(notices.SeatRefused)
    assert refused.no_seat == told


@pytest.mark.parametrize(
    ("numbers", "watched"), [((3,), 3), ((3, 9), 3), ((), 0), ((2**32 - 1,), 0)]
)
def test_a_promise_names_a_round_that_can_be(numbers, watched):
    """A promise of a seat counts even if it names no round, or an impossible one.

    Further numbers in it are ignored.
    """
    table = late_table()
    until_round(table)
    zoe = watching(table)
    take_seat(table, zoe)
    hears(table, zoe, table.sitters[1], wire.JoinAnswer("later", numbers))
    assert notices.SeatLater(watched=watched) in zoe.told_of(notices.SeatLater)
