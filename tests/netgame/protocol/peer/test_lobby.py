"""Coming to sit, going away again, and being told no."""

import pytest

from engine.refusals import Refusal
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.limits import DROP_S, LINK_SETTLED_S
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.revision import offered
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.parts import rename
from netgame.protocol.peer.view import TableStage
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.protocol.happenings import apart, seated
from tests.netgame.simtable import SimTable, Sitter, full_table, standard
from tests.netgame.small_games import expect_whole

STRANGER = bytes(range(32))


def names(sitter) -> list[str]:
    """Who sits, as this sitter sees it."""
    return [seat.name for seat in sitter.core.view().seats]


def lobby_of(*names: str, seats: int = 4) -> tuple[SimTable, list[Sitter]]:
    """These sit in a lobby, or come too late for it."""
    table = SimTable(standard(6, seats, 1))
    sitters = [table.seat(name) for name in names]
    table.pass_time()
    return table, sitters


def test_all_see_the_same_people_in_the_order_they_came() -> None:
    """And the rules, before they sit down."""
    table, _ = lobby_of("Ann", "Ben", "Cy")
    for sitter in table.sitters:
        view = sitter.core.view()
        assert names(sitter) == ["Ann", "Ben", "Cy"]
        assert view.stage is TableStage.LOBBY
        assert view.settings == offered(standard(6, 4, 1))
        assert view.seats_offered == 4
    assert [sitter.core.view().is_host for sitter in table.sitters] == [True, False, False]


def test_who_looks_first_sees_the_table_and_sits_down_when_asked_to() -> None:
    """The rules and who sits are read before one has a seat; the game may begin meanwhile."""
    table = SimTable(standard(9, 4))
    table.seat("Ann")
    ben = table.seat("Ben", looks_first=True)
    table.pass_time()
    view = ben.core.view()
    assert (names(ben), view.settings, view.stage) == (
        ["Ann"],
        offered(standard(9, 4)),
        TableStage.LOBBY,
    )
    table.act(ben, lambda parts: parts.joiner.take_seat())
    table.pass_time()
    assert names(ben) == ["Ann", "Ben"]
    assert names(table.sitters[0]) == ["Ann", "Ben"]


def test_a_game_that_begins_without_who_only_looks_tells_them_so() -> None:
    """It convicts nobody, and asking for a seat after that brings none."""
    table = SimTable(standard(6, 4, 1))
    ann, _ = table.seat("Ann"), table.seat("Cy")
    ben = table.seat("Ben", looks_first=True)
    table.pass_time()
    table.act(ann, lambda parts: parts.lobby_host.begin())
    table.pass_time()
    table.act(ben, lambda parts: parts.joiner.take_seat())
    table.pass_time()
    assert ben.core.view().seat is None
    assert ben.core.state.phase is not Phase.LOBBY
    assert not any(sitter.faults() for sitter in table.sitters)


def test_two_of_one_name_are_told_apart() -> None:
    """Labels are made unique; `mexican` is nobody's name, and nothing steers a terminal."""
    asked = ("Ann", "ann", "Ann", "mexican", "Ann Lee", "\x1b[2J\u202eEve\x07", "\u200b")
    _, (ann, *_) = lobby_of(*asked, seats=7)
    expected = ["Ann", "ann-2", "Ann-3", "mexican-2", "Ann_Lee", "[2JEve", "player"]
    assert names(ann) == expected


def test_a_full_table_says_so() -> None:
    """The third at a table for two is told why."""
    _, (ann, _, cy) = lobby_of("Ann", "Ben", "Cy", seats=2)
    (refused,) = cy.told_of(notices.SeatRefused)
    assert (refused.code, refused.no_seat) == ("full", NoSeat(WhyNoSeat.TAKEN, 2))
    assert names(ann) == ["Ann", "Ben"]


def test_who_leaves_the_lobby_gives_the_seat_free_and_may_come_back() -> None:
    """A broken link frees the seat; the same key may take one again."""
    table, (ann, ben, cy) = lobby_of("Ann", "Ben", "Cy")
    apart(table, [ann], [ben])
    table.pass_time()
    assert names(ann) == names(cy) == ["Ann", "Cy"]
    table.cut.clear()
    table.connect(ben, ann)
    table.pass_time(2.0)
    assert names(ann) == ["Ann", "Cy", "Ben"]


def test_a_table_whose_host_leaves_before_the_start_is_gone() -> None:
    """Told once, after the links have had their chance."""
    table, (ann, ben) = lobby_of("Ann", "Ben")
    ann.alive = False
    table.disconnect(ann, ben)
    table.pass_time(30.0)
    assert len(ben.told_of(notices.TableClosed)) == 1
    assert ben.finished


def test_a_host_that_closes_its_table_says_so_at_once() -> None:
    """Guests need not wait for a link that is gone."""
    table, (ann, ben) = lobby_of("Ann", "Ben")
    table.act(ann, lambda parts: parts.lobby_host.close())
    table.pass_time(0.1)
    (closed,) = ben.told_of(notices.TableClosed)
    assert closed.why is notices.WhyClosed.BY_HOST
    assert ben.finished


def test_whose_seat_is_taken_back_gets_no_other() -> None:
    """It is told so, however often it asks; the others see who sits, and play without it."""
    table, (ann, ben, cy) = lobby_of("Ann", "Ben", "Cy")
    table.act(ann, lambda parts: parts.lobby_host.kick(ben.core.key))
    table.pass_time()
    assert {each.code for each in ben.told_of(notices.SeatRefused)} == {"kicked"}
    table.act(ben, lambda parts: parts.joiner.take_seat())
    ben.core.parts.joiner._asked.clear()
    table.pass_time()
    assert [member.name for member in cy.core.state.members] == ["Ann", "Cy"]
    assert not [each for each in cy.told_of(notices.LinkChanged) if each.up is False]
    for key in (ann.core.key, ben.core.key):
        table.act(ann, lambda parts, key=key: parts.lobby_host.kick(key))
    table.act(ann, lambda parts: parts.lobby_host.begin())
    table.run_game()
    assert len(ann.core.state.seats) == 2


def test_whose_seat_was_taken_back_is_no_latecomer_either() -> None:
    """The host keeps no request of it while the game is on; once it may come back, it waits."""
    table = SimTable(standard(6, 4, 3), bots=False)
    ann, ben, cy = (table.seat(name) for name in ("Ann", "Ben", "Cy"))
    table.pass_time()
    key = ben.core.key
    table.act(ann, lambda parts: parts.lobby_host.kick(key))
    table.pass_time()
    table.act(ann, lambda parts: parts.lobby_host.begin())
    table.run(lambda: cy.core.state.phase is Phase.PLAY)
    for back in (False, True):
        table.act(ben, lambda parts: parts.joiner.look_on())
        table.pass_time(1.0)
        table.act(ben, lambda parts: parts.joiner.take_seat())
        table.pass_time(1.0)
        assert (key in ann.core.parts.applicants.waiting) is back
        table.act(ann, lambda parts: parts.lobby_host.kick(key, back=True))


def test_links_of_members_are_told_when_they_come_and_go() -> None:
    """The host's too."""
    table, (ann, ben) = lobby_of("Ann", "Ben")
    apart(table, [ann], [ben])
    table.pass_time()
    assert [(each.name, each.up) for each in ben.told_of(notices.LinkChanged)] == [
        ("Ann", True),
        ("Ann", False),
    ]


def test_begin_starts_with_who_sits() -> None:
    """Three of six seats taken: a game of three."""
    table, _ = lobby_of("Ann", "Ben", "Cy")
    table.act(table.sitters[0], lambda parts: parts.lobby_host.begin())
    table.run_game()
    assert len(table.sitters[0].core.state.seats) == 3


def test_a_name_is_cleaned_by_whoever_reads_it() -> None:
    """A joiner that does not clean its own name is named all the same, and so is its twin."""
    table = SimTable(standard(9, 5))
    ann = table.seat("Ann")
    for name in ("\x1b[31mEve\u202e\u0301\u0301\u0301", "[31mEve\u0301\u0301", "\u0301", "x" * 60):
        rude = table.seat("polite")
        rude.core.place.name = name
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


def test_who_lost_the_host_for_a_moment_sits_down_again() -> None:
    """Linked with the host alone, so that it hears of its own leaving only by coming back."""
    table, (ann, ben) = lobby_of("Ann", "Ben")
    table.disconnect(ben, ann)
    assert names(ann) == ["Ann"]
    assert names(ben) == ["Ann", "Ben"]
    table.connect(ben, ann)
    table.pass_time()
    assert names(ann) == names(ben) == ["Ann", "Ben"]
    assert not ben.told_of(notices.SeatRefused)


def test_who_lost_the_host_when_the_game_began_looks_on_and_is_told() -> None:
    """The game has begun without it, and it is told what becomes of its wish for a seat."""
    table, (ann, ben, cy) = lobby_of("Ann", "Ben", "Cy")
    apart(table, [ben], [ann, cy])
    table.pass_time(0.1)
    table.act(ann, lambda parts: parts.lobby_host.begin())
    table.pass_time(0.2)
    table.cut.clear()
    table.pass_time(3.0)
    assert len(ben.told_of(notices.SeatLater)) == 1
    assert not ben.told_of(notices.TableClosed)
    table.run_game()
    assert ben.core.state == ann.core.state
    assert len(ann.core.state.seats) == 2


def dials(effects) -> list[tuple[bytes, tuple[str, ...]]]:
    """Who is to be dialled, and where."""
    return [(each.peer, each.addresses) for each in effects if isinstance(each, fx.Dial)]


@pytest.mark.parametrize("hello", [False, True])
def test_a_joiner_whose_first_link_breaks_dials_the_host_again(hello: bool) -> None:
    """Once a break, before and after it knows which table it is; not before there was a link."""
    ann = full_table(("Ann", "Ben"), standard(6, 3)).sitters[0].core
    signer, there = make_signing_key(bytes([9]) * 32), ("10.0.0.1:4747",)
    joiner = Core(signer, "Cy", expand(bytes(32), "x"), bytes(32), ()).look_for_table(
        host=ann.key, host_addresses=there
    )
    assert dials([*joiner.start(0.0), *joiner.wake(100.0)]) == []
    now = 100.0
    for _ in range(2):
        now += 1.0
        assert dials(joiner.link_up(ann.key, now)) == []
        if hello:
            joiner.frame(ann.key, encode(wire.Hello(ann.state.table_id)), now)
        now += LINK_SETTLED_S
        assert dials(joiner.link_down(ann.key, now)) == [(ann.key, there)]
        assert dials(joiner.wake(now + 1.0)) == []
    gone = joiner.wake(now + DROP_S)
    closed = [each.notice for each in gone if isinstance(each, fx.Notify)]
    assert [type(each) for each in closed] == [notices.TableClosed]
    assert any(isinstance(each, fx.Finished) for each in gone)
    assert dials(joiner.wake(now + DROP_S + 1.0)) == []


def test_a_process_that_starts_anew_takes_its_seat_over() -> None:
    """The host may not have noticed that the first one died; addresses are the new ones."""
    table, (ann, ben) = lobby_of("Ann", "Ben")
    ben.core = Core(
        ben.signer, "Ben", expand(table.seed, "again"), ben.secret, ("10.0.0.9:4747",)
    ).look_for_table()
    ben.lives += 1
    table.do(ben, ben.core.start(table.now))
    table.do(ben, ben.core.link_up(ann.core.key, table.now))
    table.do(ann, ann.core.link_up(ben.core.key, table.now))
    table.pass_time()
    assert names(ann) == names(ben) == ["Ann", "Ben"]
    assert not ben.told_of(notices.SeatRefused)
    member = ann.core.state.member(ben.core.key)
    assert member.addresses == ("10.0.0.9:4747",)


@pytest.mark.parametrize("table_id", [b"\x01" * 64, b"short"])
def test_who_means_another_table_is_sent_away(table_id: bytes) -> None:
    """A link is for one table; an id of another length is no table's."""
    table = full_table(("Ann", "Ben"), standard(6, 3))
    ann = table.sitters[0]
    sent = [*ann.core.link_up(STRANGER, table.now)]
    sent += ann.core.frame(STRANGER, encode(wire.Hello(table_id)), table.now)
    assert [each.peer for each in sent if isinstance(each, fx.Drop)] == [STRANGER]
    joiner = Core(ann.signer, "Cy", expand(bytes(32), "x"), bytes(32), ()).look_for_table()
    joiner.link_up(STRANGER, 0.0)
    joiner.frame(STRANGER, encode(wire.Hello(b"short")), 0.0)
    assert joiner.state.table_id == b""


def test_one_alone_cannot_begin_and_nobody_but_the_host() -> None:
    """The rules say how many make a table; who tries changes nothing, and is not accused."""
    table = SimTable(standard(6, 3))
    ann = table.seat("Ann")
    assert isinstance(ann.core.act(ann.core.parts.lobby_host.begin, table.now), Refusal)
    ben = table.seat("Ben")
    table.pass_time()
    table.act(ben, lambda parts: parts.lobby_host.begin())
    table.pass_time()
    assert ann.core.state.phase is ben.core.state.phase is Phase.LOBBY
    assert not ann.faults()
    assert not ben.faults()


def test_a_table_that_the_rules_forbid_is_not_begun() -> None:
    """Too many seats for the tiles: a sentence, whoever starts it; the lobby stays open."""
    table = SimTable(standard(6, 8, 1), bots=False)
    ann, *_ = seated(table, "Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus")
    table.pass_time()
    assert ann.told_of(notices.Trouble)
    assert isinstance(ann.core.act(ann.core.parts.lobby_host.begin, table.now), Refusal)
    assert ann.core.state.phase is Phase.LOBBY
    assert not ann.faults()


def test_a_host_without_a_seat_comes_back_to_its_game() -> None:
    """It opened the table and signs nothing more, but it may look on and pass entries along."""
    table = SimTable(standard(6, 3, 1))
    host = table.seat("Ann", seated=False, start_at=2)
    ben, cy = table.seat("Ben"), table.seat("Cy")
    table.run(lambda: ben.core.state.phase is Phase.PLAY)
    for other in (ben, cy):
        table.disconnect(host, other)
    table.run_game()
    assert host.core.state.head == ben.core.state.head
    assert host.core.state.phase is Phase.OVER
    assert sorted(names(host)) == ["Ben", "Cy"]
    assert host.core.view().seat is None


# ---- another name ---------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1], ids=["host", "guest"])
def test_who_is_called_otherwise_keeps_the_seat(number: int) -> None:
    """All read both entries as one: whenever they look, all seats are taken."""
    table, sitters = lobby_of("Ann", "Ben", "Cy")
    who, cy = sitters[number], sitters[2]
    seen = set()

    def look() -> bool:
        members = cy.core.state.members
        seen.add(frozenset(each.key for each in members))
        return "Zoe" in {each.name for each in members}

    table.act(who, lambda parts: rename(parts, "Zoe"))
    table.run(look)
    assert seen == {frozenset(each.core.key for each in sitters)}
    assert not cy.told_of(notices.LinkChanged)[2:], "and no link has ended"
    assert len({each.core.state.head for each in sitters}) == 1
    table.act(sitters[0], lambda parts: parts.lobby_host.begin())
    table.run_game()
    expect_whole(table)


def test_a_name_that_another_has_is_told_apart_and_may_be_had_later() -> None:
    """As when somebody sits down; the same name once more changes nothing."""
    table, (ann, _, cy) = lobby_of("Ann", "Ben", "Cy")
    for wanted, found in (("Ben", "Ben-2"), ("Ben", "Ben-2"), ("Zoe", "Zoe"), ("Cy", "Cy")):
        steps = ann.core.state.step
        before = ann.core.state.member(cy.core.key).name
        table.act(cy, lambda parts, wanted=wanted: rename(parts, wanted))
        table.pass_time()
        assert ann.core.state.member(cy.core.key).name == found
        assert (ann.core.state.step == steps) == (before == found)


def test_who_looks_on_is_called_otherwise_too() -> None:
    """With or without a word before; the seat taken later has the new name."""
    table, (ann, ben) = lobby_of("Ann", "Ben")
    zoe = table.seat("Zoe", watches=True)
    table.pass_time()
    table.act(zoe, lambda parts: rename(parts, "Yan"))
    table.pass_time()
    assert ann.core.view().watchers == ("Yan",)
    table.act(zoe, lambda parts: parts.joiner.take_seat())
    table.pass_time()
    assert ben.core.state.members[-1].name == "Yan"
