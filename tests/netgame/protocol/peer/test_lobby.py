"""Coming to a lobby, leaving it, and being refused a seat."""

import pytest

from engine.refusals import Refusal
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.errors import LocalMisuse
from netgame.limits import DROP_S, LINK_SETTLED_S
from netgame.protocol import notices
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.parts import rename
from netgame.protocol.peer.view import TableStage
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.revision import offered
from netgame.wire import messages as wire
from tests.netgame.games import Driven
from tests.netgame.protocol.happenings import apart, begin, heard, look_on, seated, take_seat
from tests.netgame.simtable import SimTable, full_table, standard
from tests.netgame.small_games import end_whole

STRANGER = bytes(range(32))


def names(sitter):
    """Return the names of the seats, as this sitter sees them."""
    return [seat.name for seat in sitter.view.seats]


def lobby_of(*names):
    """Seat these players in a lobby; return the table and its sitters."""
    table = SimTable(standard(6, 4, 1))
    sitters = [table.seat(name) for name in names]
    table.pass_time()
    return table, sitters


def test_who_looks_first_sees_the_table_and_sits_down_when_asked_to():
    """A guest who looks first sees the rules and names, and sits down when asked to."""
    table = SimTable(standard(9, 4))
    table.seat("Ann")
    ben = table.seat("Ben", looks_first=True)
    table.pass_time()
    view = ben.view
    assert (names(ben), view.settings) == (["Ann"], offered(standard(9, 4)))
    assert (view.stage, view.seats_offered, view.is_host) == (TableStage.LOBBY, 4, False)
    assert table.host.view.is_host
    take_seat(table, ben)
    table.pass_time()
    assert names(ben) == ["Ann", "Ben"]
    assert names(table.host) == ["Ann", "Ben"]


def test_a_host_that_closes_its_table_says_so_at_once():
    """A host that closes its table tells its guests at once, so they need no time-out."""
    table, (ann, ben) = lobby_of("Ann", "Ben")
    table.act(ann, lambda parts: parts.lobby_host.close())
    table.pass_time(0.1)
    (closed,) = ben.told_of(notices.TableClosed)
    assert closed.why is notices.WhyClosed.BY_HOST
    assert ben.finished


def test_whose_seat_is_taken_back_gets_no_other():
    """A guest whom the host has kicked is told so, and gets no seat when it asks again.

    The other guests see that it has lost its seat, and play without it. The host cannot kick
    itself.
    """
    table, (ann, ben, cy) = lobby_of("Ann", "Ben", "Cy")
    table.act(ann, lambda parts: parts.lobby_host.kick(ben.key))
    table.pass_time()
    refused = ben.told_of(notices.SeatRefused)
    assert set(refused) == {notices.SeatRefused(NoSeat(WhyNoSeat.KICKED))}
    take_seat(table, ben)
    table.act(ben, lambda parts: parts.joiner.ask_again())
    table.pass_time()
    assert ben.told_of(notices.SeatRefused) == [*refused, refused[0]]
    assert [member.name for member in cy.state.members] == ["Ann", "Cy"]
    assert not [each for each in cy.told_of(notices.LinkChanged) if each.up is False]
    for key in (ann.key, ben.key):
        table.act(ann, lambda parts, key=key: parts.lobby_host.kick(key))
    begin(table)
    table.run_game()
    assert len(ann.state.seats) == 2


def test_whose_seat_was_taken_back_is_no_latecomer_either():
    """A guest kicked in the lobby is not noted as a latecomer until the host allows it."""
    table = SimTable(standard(6, 4, 3), bots=False)
    ann, ben, cy = (table.seat(name) for name in ("Ann", "Ben", "Cy"))
    table.pass_time()
    key = ben.key
    table.act(ann, lambda parts: parts.lobby_host.kick(key))
    table.pass_time()
    begin(table)
    table.until(cy, Phase.PLAY)
    for back in (False, True):
        look_on(table, ben)
        table.pass_time(1.0)
        take_seat(table, ben)
        table.pass_time(1.0)
        assert (key in ann.parts.applicants.waiting) is back
        table.act(ann, lambda parts: parts.chair.allow(key))


def test_a_name_is_cleaned_by_whoever_reads_it():
    """A name that a joiner sends uncleaned is cleaned by the peer that reads it.

    If two names look alike after that, the later one is changed.
    """
    table = SimTable(standard(9, 5))
    ann = table.seat("Ann")
    for name in ("\x1b[31mEve\u202e\u0301\u0301\u0301", "[31mEve\u0301\u0301", "\u0301", "x" * 60):
        rude = table.seat("polite")
        rude.context.name = name
        table.disconnect(rude, ann)
        table.pass_time(0.2)
        table.connect(rude, ann)
        table.pass_time(0.2)
    assert names(ann) == [
        "Ann",
        "[31mEv\u00e9\u0301\u0301",
        "[31mEv\u00e9\u0301",
        "player",
        "x" * 20,
    ]
    assert all(names(each) == names(ann) for each in table.sitters)


def test_who_lost_the_host_when_the_game_began_looks_on_and_is_told():
    """A guest cut off when the game began watches it, and reads once that it may join later."""
    table, (ann, ben, cy) = lobby_of("Ann", "Ben", "Cy")
    apart(table, [ben], [ann, cy])
    table.pass_time(0.1)
    begin(table)
    table.pass_time(0.2)
    table.cut.clear()
    table.pass_time(3.0)
    assert len(ben.told_of(notices.SeatLater)) == 1
    assert not ben.told_of(notices.TableClosed)
    table.run_game()
    assert ben.state == ann.state
    assert len(ann.state.seats) == 2


@pytest.mark.parametrize("host_sits", [True, False])
def test_whose_cable_was_out_in_the_lobby_sits_there_again(host_sits):
    """A guest cut off from the lobby gets its seat back, even if the host has no seat.

    In that case the log does not contain the host's address.
    """
    table = SimTable(standard(6, 4, 1))
    ann, ben = table.seat("Ann", seated=host_sits), table.seat("Ben")
    ben.parts.joiner.host_addresses = ("10.0.0.0:4747",)
    table.pass_time()
    apart(table, [ben], [ann])
    table.pass_time(DROP_S - 2.0)
    assert "Ben" not in names(ann)
    table.cut.clear()
    table.pass_time(DROP_S)
    assert names(ann) == names(ben) == ["Ann"] * host_sits + ["Ben"]
    assert not ben.told_of(notices.TableClosed)


@pytest.mark.parametrize("hello", [False, True])
def test_a_joiner_whose_first_link_breaks_dials_the_host_again(hello):
    """A joiner dials the host again each time its link breaks, but not before the first link.

    After a while without a link it gives up, and its player reads that the table is closed.
    """
    ann = full_table(("Ann", "Ben"), standard(6, 3)).host
    core = Core(make_signing_key(bytes([9]) * 32), "Cy", expand(bytes(32), "x"), bytes(32), ())
    core.parts.joiner.host_addresses = ("10.0.0.1:4747",)
    joiner = Driven(core.look_for_table(host=ann.key))
    joiner.pass_time(100.0)
    for _ in range(2):
        joiner.do(joiner.core.link_up(ann.key, joiner.now))
        if hello:
            joiner.hear(ann.key, wire.Hello(ann.state.table_id))
        joiner.now += LINK_SETTLED_S
        assert not joiner.dialled
        joiner.unlink(ann.key)
        joiner.pass_time(1.0)
        assert joiner.dialled == [(ann.key, joiner.now - 1.0)]
        joiner.dialled.clear()
    for _ in range(2):
        joiner.pass_time(DROP_S)
        assert len(joiner.told_of(notices.TableClosed)) == 1
        assert not joiner.dialled


def test_a_host_without_a_known_address_is_not_dialled():
    """A joiner that does not know the host's address does not dial the host.

    Members forward no links for joiners, so there is no other way.
    """
    ann = full_table(("Ann", "Ben"), standard(6, 3)).host
    core = Core(make_signing_key(bytes([9]) * 32), "Cy", expand(bytes(32), "x"), bytes(32), ())
    joiner = Driven(core.look_for_table(host=ann.key))
    joiner.do(joiner.core.link_up(ann.key, joiner.now))
    joiner.unlink(ann.key)
    joiner.pass_time(DROP_S)
    assert not joiner.dialled


def test_a_process_that_starts_anew_takes_its_seat_over():
    """A new process takes over the seat of an earlier one, with its new addresses.

    It does so even if the host has not noticed that the first one died.
    """
    table, (ann, ben) = lobby_of("Ann", "Ben")
    ben.core = Core(
        ben.signer, "Ben", expand(table.seed, "again"), ben.secret, ("10.0.0.9:4747",)
    ).look_for_table()
    ben.lives += 1
    table.do(ben, ben.core.start(table.now))
    table.do(ben, ben.core.link_up(ann.key, table.now))
    table.do(ann, ann.core.link_up(ben.key, table.now))
    table.pass_time()
    assert names(ann) == names(ben) == ["Ann", "Ben"]
    assert not ben.told_of(notices.SeatRefused)
    member = ann.state.member(ben.key)
    assert member.addresses == ("10.0.0.9:4747",)


def test_a_table_whose_id_has_another_length_is_none():
    """A table whose id has the wrong length is ignored."""
    core = Core(make_signing_key(bytes([9]) * 32), "Cy", expand(bytes(32), "x"), bytes(32), ())
    joiner = Driven(core.look_for_table())
    joiner.meet(STRANGER, b"short")
    assert joiner.state.table_id == b""


def test_one_alone_cannot_begin_and_nobody_but_the_host():
    """Only the host can begin the game, and only with enough players.

    A failed attempt changes nothing and accuses nobody.
    """
    table = SimTable(standard(6, 3))
    ann = table.seat("Ann")
    assert isinstance(ann.core.act(ann.parts.lobby_host.begin, table.now), Refusal)
    ben = table.seat("Ben")
    table.pass_time()
    table.act(ben, lambda parts: parts.lobby_host.begin())
    table.pass_time()
    assert ann.state.phase is ben.state.phase is Phase.LOBBY
    assert not ann.faults()
    assert not ben.faults()


def test_a_table_that_the_rules_forbid_is_not_begun():
    """A game with too many players for its tiles does not begin, and the lobby stays open."""
    table = SimTable(standard(6, 8, 1), bots=False)
    ann, *_ = seated(table, "Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus")
    table.pass_time()
    assert ann.told_of(notices.Trouble)
    assert isinstance(ann.core.act(ann.parts.lobby_host.begin, table.now), Refusal)
    assert ann.state.phase is Phase.LOBBY
    assert not ann.faults()


# ---- a new name -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1], ids=["host", "guest"])
def test_who_is_called_otherwise_keeps_the_seat(number):
    """A player who takes a new name keeps the seat, which never looks free to others."""
    table, sitters = lobby_of("Ann", "Ben", "Cy")
    who, cy = sitters[number], sitters[2]
    seen = set()

    def look():
        members = cy.state.members
        seen.add(frozenset(each.key for each in members))
        return "Zoe" in {each.name for each in members}

    table.act(who, lambda parts: rename(parts, "Zoe"))
    table.run(look)
    assert seen == {frozenset(each.key for each in sitters)}
    assert not cy.told_of(notices.LinkChanged)[2:], "and no link has ended"
    assert len({each.state.head for each in sitters}) == 1
    begin(table)
    end_whole(table)


def test_a_host_that_may_write_no_more_sends_nothing_when_it_is_called_otherwise():
    """A host that may no longer write sends nothing when its player takes a new name.

    It may not write because another process has begun to use its key.
    """
    table, (ann, *_) = lobby_of("Ann", "Ben")
    ann.parts.lifetime.stop_here()
    table.sent = []
    table.act(ann, lambda parts: rename(parts, "Zoe"))
    assert not [*heard(table, wire.Entries)]


def test_two_entries_of_which_one_cannot_be_written_hush_nothing_after_them():
    """If writing a group of entries fails, later entries are still sent."""
    table, (ann, ben) = lobby_of("Ann", "Ben")
    with pytest.raises(LocalMisuse), ann.context.links.together():
        raise LocalMisuse("no such entry")
    table.sent = []
    table.act(ann, lambda parts: parts.lobby_host.kick(ben.key))
    assert len([*heard(table, wire.Entries)]) == 1


def test_a_name_that_another_has_is_told_apart_and_may_be_had_later():
    """A name that another player has gets a number; a free name is given as it is.

    Free names include one that the player, or another, has had before. Asking for the same name
    again changes nothing.
    """
    table, (ann, ben, cy) = lobby_of("Ann", "Ben", "Cy")
    for who, wanted, found in (
        (cy, "Ben", "Ben-2"),
        (cy, "Ben", "Ben-2"),
        (cy, "Zoe", "Zoe"),
        (cy, "Cy", "Cy"),
        (ben, "Bo", "Bo"),
        (cy, "Ben", "Ben"),
    ):
        steps = ann.state.step
        before = ann.state.member(who.key).name
        table.act(who, lambda parts, wanted=wanted: rename(parts, wanted))
        table.pass_time()
        assert ann.state.member(who.key).name == found
        assert (ann.state.step == steps) == (before == found)


def test_who_looks_on_is_called_otherwise_too():
    """A watcher may take a new name too, and keeps it when taking a seat."""
    table, (ann, ben) = lobby_of("Ann", "Ben")
    zoe = table.seat("Zoe", watches=True)
    table.pass_time()
    table.act(zoe, lambda parts: rename(parts, "Yan"))
    table.pass_time()
    assert ann.view.watchers == ("Yan",)
    take_seat(table, zoe)
    table.pass_time()
    assert ben.state.members[-1].name == "Yan"
