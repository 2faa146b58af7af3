"""Watching a table: a watcher sees and checks everything, signs nothing, and delays nobody."""

import pytest

from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.limits import (
    HELLO_S,
    HOST_GONE_S,
    STRANGER_LINES_BURST,
    WATCHERS_MAX,
    WATCHERS_TOLD_MAX,
)
from netgame.protocol import notices
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.people.talk import signed_chat
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from tests.netgame.games import NAMES, Driven
from tests.netgame.protocol.happenings import (
    apart,
    asks,
    begin,
    look_on,
    say_farewell,
    take_seat,
    watching,
)
from tests.netgame.simtable import SimTable, full_table, kill, revive, standard
from tests.netgame.small_games import end_whole


def in_play(*, bots=True, rounds=1):
    """Return a table of three in the middle of its first round; without bots it stays there."""
    table = full_table(NAMES[:3], standard(6, 4, rounds), bots=bots)
    table.until(table.host, Phase.PLAY)
    return table


def number_of_lines(table):
    """Return, for each seat, its notices about Zoe: True if she watches, False if she has gone."""
    return [
        [each.watches for each in sitter.told_of(notices.WatcherChanged) if each.name == "Zoe"]
        for sitter in table.sitters[:3]
    ]


def test_who_comes_late_sees_what_happens_from_then_on_and_has_the_record_of_all():
    """A latecomer sees what happens from then on, and has the whole record.

    One notice says that it has caught up. It has no seat, and its record verifies.
    """
    table = full_table(NAMES[:3], standard(6, 3, 2))
    table.run(lambda: table.host.state.step > 60)
    zoe = watching(table)
    caught = len(zoe.told)
    assert not zoe.told_of(notices.GameStarted | notices.Played)
    end_whole(table)
    assert len(zoe.told_of(notices.CaughtUp)) == len(zoe.told_of(notices.GameOver)) == 1
    assert any(isinstance(each, notices.Played) for each in zoe.told[caught:])
    assert zoe.view.seat is None
    assert zoe.view.hand is None
    assert zoe.finished


def test_who_watches_from_the_lobby_on_takes_no_seat():
    """A watcher that comes to the lobby gets no seat; the host and later guests read its name."""
    table = SimTable(standard(6, 3, 1))
    ann = table.seat("Ann", start_at=2)
    zoe = table.seat("Zoe", watches=True)
    table.pass_time()
    assert [seat.name for seat in zoe.view.seats] == ["Ann"]
    assert ann.view.watchers == ("Zoe",)
    ben = table.seat("Ben")
    table.run_game()
    assert ben.state.head == zoe.state.head
    assert [each.name for each in ben.told_of(notices.WatcherChanged)] == ["Zoe"]
    assert zoe.view.seat is None


def test_a_watcher_that_comes_and_goes_is_told_of_in_one_line_each():
    """Players read one line when a watcher comes, and one line when it goes.

    Short breaks give no line, and neither does any later coming or going.
    """
    table = in_play(bots=False)
    zoe = table.seat("Zoe", watches=True)
    table.pass_time(2.0)
    assert number_of_lines(table) == [[True]] * 3

    def away(seconds):
        apart(table, [zoe], table.sitters[:3])
        table.pass_time(seconds)
        table.cut.clear()
        table.pass_time(3.0)

    away(5.0)
    assert number_of_lines(table) == [[True]] * 3
    away(20.0)
    assert number_of_lines(table) == [[True, False]] * 3
    away(20.0)
    assert number_of_lines(table) == [[True, False]] * 3


def test_watchers_beyond_the_limit_are_told_so():
    """A watcher beyond the limit is told so, and the host does not show it."""
    table = in_play(bots=False)
    for number in range(WATCHERS_MAX):
        table.seat(f"Zoe{number}", watches=True)
    table.pass_time(1.0)
    late = table.seat("Late", watches=True)
    table.pass_time(1.0)
    assert late.told_of(notices.SeatRefused) == [
        notices.SeatRefused(NoSeat(WhyNoSeat.WATCHERS, WATCHERS_MAX))
    ]
    assert late.state.step == 0
    assert len(table.host.view.watchers) == WATCHERS_MAX
    assert "Late" not in table.host.view.watchers


def test_a_table_waits_for_no_watcher():
    """A watcher that no longer answers keeps nobody at a finished table for long."""
    table = in_play()
    zoe = table.seat("Zoe", watches=True)
    table.until(zoe, Phase.PLAY)
    zoe.alive = False
    seats = table.sitters[:3]
    table.run(lambda: all(sitter.state.phase is Phase.OVER for sitter in seats), 3600.0)
    over = table.now
    table.run(lambda: all(sitter.finished for sitter in seats), 60.0)
    assert table.now - over < 4.0


@pytest.mark.parametrize("begun", [True, False])
def test_who_missed_the_end_hears_once_that_the_host_is_at_another_table(begun):
    """A watcher that was cut off reads once that the host is at another table.

    It reads so only once, however often its program meets the host. If the game had not begun,
    it reads that the host has closed the table.
    """
    table = in_play(bots=False) if begun else SimTable(standard())
    host = table.host if begun else table.seat("Ann", seated=False)
    zoe = table.seat("Zoe", watches=True)
    table.pass_time(2.0)
    apart(table, [zoe], table.sitters[:-1])
    zoe.told.clear()
    for _ in range(3):
        table.do(zoe, zoe.core.link_up(host.key, table.now))
        table.do(zoe, zoe.core.frame(host.key, encode(wire.Hello(bytes(64))), table.now))
        table.do(zoe, zoe.core.link_down(host.key, table.now))
        table.pass_time(3.0)
    told = notices.HostMoved() if begun else notices.TableClosed(notices.WhyClosed.BY_HOST)
    assert [each for each in zoe.told if not isinstance(each, notices.LinkChanged)] == [told]


def test_a_host_is_not_bothered_by_who_still_looks_for_its_last_table():
    """A peer that looks for the host's last table loses its link, and the host reads nothing."""
    table = in_play(bots=False)
    ann = table.host
    stranger = make_signing_key(bytes(32)).public_bytes
    told = len(ann.told)
    table.do(ann, ann.core.link_up(stranger, table.now))
    effects = ann.core.frame(stranger, encode(wire.Hello(bytes(64))), table.now)
    assert any(isinstance(each, fx.Drop) for each in effects)
    assert ann.told[told:] == []


# ---- limits of a watcher --------------------------------------------------------------------


class Guest:
    """A peer without a seat that says anything it likes to a member."""

    def __init__(self, table, to, number=0):
        self.table, self.to = table, to
        self.signer = make_signing_key(expand(bytes(32), "guest", number)(32))
        self.key = self.signer.public_bytes
        self.heard: list[object] = []
        self.lines, self.is_dropped = 0, False
        self._note(to.core.link_up(self.key, table.now))
        self.say(wire.Hello(to.state.table_id))

    def say(self, message):
        """Send one message."""
        self._note(self.to.core.frame(self.key, encode(message), self.table.now))

    def talk(self, text):
        """Say a signed line, with a number above those before it."""
        self.lines += 1
        line = wire.ChatLine(self.to.state.table_id, b"guest", self.lines, "", text)
        self.say(signed_chat(self.signer, line))

    def _note(self, effects):
        self.table.do(self.to, effects)
        sent = (each for each in effects if isinstance(each, fx.Send) and each.peer == self.key)
        self.heard += [decode_any(each.frame, wire.LinkMessage) for each in sent]
        self.is_dropped |= any(isinstance(each, fx.Drop) for each in effects)

    def of(self, kind):
        """Return the messages of one kind that it has heard."""
        return [each for each in self.heard if isinstance(each, kind)]

    def ask(self, name="Zoe", *, table=None, key=b""):
        """Ask for a seat at the next round."""
        state = self.to.state
        named = state.log_id if table is None else table
        self.say(asks(self.signer, name, named, state.step, key, "10.0.0.77:4747"))


def guest_at(table):
    """Return a guest that is linked to the host."""
    return Guest(table, table.host)


def test_many_names_come_and_go_in_few_lines():
    """Many names that come and go fill few lines and a bounded memory."""
    table = in_play(bots=False)
    host = table.host
    for number in range(WATCHERS_TOLD_MAX + 5):
        guest = Guest(table, host, number)
        guest.say(wire.Watch(f"Eve{number}"))
        table.do(host, host.core.link_down(guest.key, table.now))
        table.do(host, host.core.link_up(guest.key, table.now))
        table.do(host, host.core.link_down(guest.key, table.now))
    assert len(host.told_of(notices.WatcherChanged)) == STRANGER_LINES_BURST
    assert len(host.parts.presence._told) == WATCHERS_TOLD_MAX


# ---- asking for a seat ----------------------------------------------------------------------


def test_who_comes_late_is_told_when_there_will_be_a_seat():
    """A latecomer reads once when there will be a seat.

    Every member keeps its request until it asks only to watch, or goes.
    """
    table = in_play(bots=False, rounds=2)
    zoe = table.seat("Zoe")
    table.pass_time(3.0)
    assert zoe.told_of(notices.SeatLater) == [notices.SeatLater(watched=1)]
    for sitter in table.sitters[:3]:
        assert set(sitter.parts.applicants.waiting) == {zoe.key}
        assert sitter.view.watchers == ("Zoe",)
    look_on(table, zoe)
    table.pass_time()
    assert not any(sitter.parts.applicants.waiting for sitter in table.sitters[:3])
    take_seat(table, zoe)
    table.pass_time()
    assert all(zoe.key in sitter.parts.applicants.waiting for sitter in table.sitters[:3])
    kill(table, zoe)
    table.pass_time()
    assert not any(sitter.parts.applicants.waiting for sitter in table.sitters[:3])


def test_a_request_is_checked_like_in_the_lobby():
    """A request in play is checked as in the lobby.

    A request that its own key has not signed costs the link, and one for a key other than the
    sender's is refused. A request for another table is kept, but gives no seat.
    """
    table = in_play(bots=False, rounds=2)
    guest = guest_at(table)
    guest.ask()
    assert list(guest.to.parts.applicants.waiting) == [guest.key]
    assert not guest.is_dropped
    guest.ask(key=bytes(range(32)))
    assert guest.is_dropped
    other = Guest(table, table.sitters[1])
    other.ask(table=bytes(64))
    assert list(other.to.parts.applicants.waiting) == [other.key]
    assert not other.to.parts.applicants.granted()
    third = Guest(table, table.sitters[2])
    stranger = make_signing_key(expand(bytes(32), "somebody else")(32))
    third.say(asks(stranger, "Eve", third.to.state.log_id, 5))
    assert [each.code for each in third.of(wire.JoinAnswer)] == ["key"]
    assert not third.to.parts.applicants.waiting
    assert not third.is_dropped


@pytest.mark.parametrize("first", ["Zoe", "Ann"])
def test_who_waits_for_a_seat_asks_again_over_a_link_that_takes_the_place_of_another(first):
    """An applicant asks again over a link that replaces an earlier one.

    After a cut, only one side may have dropped the old link, and the request with it.
    """
    table = in_play(bots=False, rounds=2)
    zoe, ann = table.seat("Zoe"), table.host
    table.pass_time(3.0)
    assert zoe.key in ann.parts.applicants.waiting
    table.do(ann, ann.core.link_down(zoe.key, table.now))
    assert zoe.key not in ann.parts.applicants.waiting
    for one, other in ((zoe, ann), (ann, zoe))[:: 1 if first == "Zoe" else -1]:
        table.do(one, one.core.link_up(other.key, table.now))
    table.pass_time(3.0)
    assert zoe.key in ann.parts.applicants.waiting
    assert len(zoe.told_of(notices.SeatLater)) == 1, "and it is told once"


# ---- announcing the table -------------------------------------------------------------------

LinkOrStandIn = notices.LinkChanged | notices.StandIn


def stands_in(table):
    """Return the names of all living sitters that announce the table."""
    return [s.name for s in table.sitters if s.alive and s.view.announces]


def test_the_first_seat_that_is_there_stands_in_for_a_host_that_is_gone():
    """The lowest seat that is present stands in for a host that is gone.

    It does so only after a while, and only until the host is back.
    """
    table = in_play(bots=False)
    assert stands_in(table) == ["Ann"]
    ann = table.host
    kill(table, ann)
    table.pass_time(HOST_GONE_S - 1.0)
    assert stands_in(table) == []
    table.pass_time(3.0)
    seats = [member.name for member in table.sitters[1].state.seats if member.name != "Ann"]
    assert stands_in(table) == [seats[0]]
    heir = next(sitter for sitter in table.sitters if sitter.context.name == seats[0])
    assert [each.up for each in heir.told_of(notices.StandIn)] == [True]
    assert table.sitters[1].view.announcer == heir.key
    others = [sitter for sitter in table.sitters if sitter.alive and sitter is not heir]
    for sitter in others:
        assert sitter.told_of(notices.StandIn) == [notices.StandIn(up=True, name=seats[0])]
    revive(table, ann)
    table.pass_time(3.0)
    assert stands_in(table) == ["Ann"]
    back = notices.StandIn(up=False, name="Ann")
    assert heir.told_of(notices.StandIn) == [notices.StandIn(up=True), back]
    assert all(each.told_of(notices.StandIn)[1:] == [back] for each in others)
    told = [type(each) for each in heir.told if isinstance(each, LinkOrStandIn)]
    assert told[-2:] == [notices.LinkChanged, notices.StandIn], "who is back is told first"


@pytest.mark.parametrize("goes", ["leaves", "quits", "stops"])
def test_who_stands_in_for_a_host_that_has_left_says_so(goes):
    """A stand-in's notice says whether the host has left or just stopped."""
    table = full_table(NAMES[:3], standard(6, 4, 1), bots=False)
    table.until(table.host, Phase.PLAY)
    host = table.host
    if goes == "leaves":
        say_farewell(table, host)
    else:
        end = notices.LinkEnd.QUIT if goes == "quits" else notices.LinkEnd.BROKEN
        for sitter in table.sitters[1:]:
            sitter.parts.presence.note_end(host.key, end)
        kill(table, host)
    table.pass_time(HOST_GONE_S + 2.0)
    (heir,) = stands_in(table)
    for sitter in table.sitters[1:]:
        name = "" if sitter.name == heir else heir
        told = sitter.told_of(notices.StandIn)
        assert told == [notices.StandIn(up=True, name=name, left=goes != "stops")]
        assert sitter.view.has_host_left is (goes != "stops")


def test_a_stand_in_that_comes_back_is_the_one_that_all_read_of():
    """A stand-in that comes back takes over again from the later seat that replaced it.

    Everybody is told.
    """
    table = full_table(NAMES[:4], standard(6, 4, 1), bots=False)
    table.until(table.host, Phase.PLAY)
    order = {member.name: seat for seat, member in enumerate(table.host.state.seats)}
    first, second, third = sorted(table.sitters[1:], key=lambda each: order[each.name])
    for gone in (table.host, first):
        kill(table, gone)
        table.pass_time(HOST_GONE_S + 1.0)
    revive(table, first)
    table.pass_time(HOST_GONE_S + 3.0)
    assert stands_in(table) == [first.name]
    now = notices.StandIn(up=True, name=first.name)
    assert second.told_of(notices.StandIn)[-2:] == [notices.StandIn(up=True), now]
    former = notices.StandIn(up=True, name=second.name)
    assert third.told_of(notices.StandIn) == [now, former, now]
    assert first.told_of(notices.StandIn)[-1] == notices.StandIn(up=True)


def in_a_tab(*words):
    """Return the core of a program in a browser tab."""
    return Core(*words, played_by=wire.PlayedBy.TAB)


def without_a_port(signer, name, entropy, secret, _):
    """Return the core of a program that listens at no port."""
    return Core(signer, name, entropy, secret, ("127.0.0.1:0",))


@pytest.mark.parametrize("unreachable", [in_a_tab, without_a_port])
def test_nobody_to_whom_nobody_can_come_stands_in_for_a_host_that_is_gone(unreachable):
    """A seat that cannot be reached does not stand in; the lowest of the other seats does.

    The seats that were passed over read its name.
    """
    for chance in range(8):
        table = SimTable(standard(6, 4, 1), bytes([chance]) * 32, bots=False)
        table.seat("Ann", start_at=4)
        passed_by = [table.seat(name, core_class=unreachable) for name in ("Ben", "Cy")]
        heir = table.seat("Dee")
        table.until(table.host, Phase.PLAY)
        if min(each.seat for each in passed_by) < heir.seat:
            break
    kill(table, table.host)
    table.pass_time(HOST_GONE_S + 2.0)
    assert stands_in(table) == ["Dee"]
    for one in passed_by:
        assert one.told_of(notices.StandIn) == [notices.StandIn(up=True, name="Dee")]
    kill(table, heir)
    table.pass_time(HOST_GONE_S + 2.0)
    assert stands_in(table) == [], "nobody is left to do it"


def test_the_end_of_a_game_brings_no_wall_back():
    """When a game ends, nobody reads that a host without a seat, long gone, is back.

    Nobody announces a finished game.
    """
    table = SimTable(standard(6, 3, 1), bots=False)
    wall, *players = (table.seat(name, seated=name != "Tele") for name in ("Tele", "Ann", "Ben"))
    table.pass_time(2.0)
    begin(table)
    table.until(players[0], Phase.PLAY)
    kill(table, wall)
    table.run(lambda: bool(stands_in(table)))
    table.bots = True
    for one in players:
        table.move(one)
    table.run_game()
    (heir,) = {each.name for one in players for each in one.told_of(notices.StandIn) if each.name}
    for one in players:
        told = [each for each in one.told_of(notices.StandIn) if each.name]
        assert told == [notices.StandIn(up=True, name=heir)] * (one.name != heir)


@pytest.mark.parametrize("speaks", [False, True])
def test_who_proves_a_key_and_never_says_hello_loses_the_link(speaks):
    """A peer that proves its key but never says hello loses its link.

    Sixty-four such peers would fill all places of an open table.
    """
    ann, silent = Driven(SimTable(standard(6, 4, 1)).seat("Ann").core, 100.0), bytes(32)
    ann.told.clear()
    ann.do(ann.core.link_up(silent, ann.now))
    if speaks:
        ann.hear(silent, wire.Hello(ann.state.table_id))
    ann.pass_time(HELLO_S - 0.1)
    assert not ann.dropped
    ann.pass_time(0.1)
    assert ann.dropped == ([] if speaks else [silent])
    assert not ann.told, "it may only be asleep"
