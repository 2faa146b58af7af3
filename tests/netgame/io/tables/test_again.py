"""Another table for the same players, at the same address, and how guests find it."""

from contextlib import AsyncExitStack
from types import SimpleNamespace

import pytest
import trio
from msgspec.structs import replace

from engine.bots.levels import BotLevel
from netgame.errors import Disconnected, Refused
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.storage import free_name
from netgame.io.network.addresses import parse_address
from netgame.io.network.neighbours import Neighbours
from netgame.io.node import opening
from netgame.io.tables.again import another_table_at, opened_again, opened_anew
from netgame.io.tables.host import bot_name, host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.notes import read_notes
from netgame.io.tables.options import ReachedBy
from netgame.io.tables.resume import resume_table
from netgame.protocol.state.revision import offered
from netgame.protocol.text import long_fingerprint
from tests.netgame.io.network.test_neighbours import LAN
from tests.netgame.io.tables.test_entrance import noted
from tests.netgame.io.tables.test_tables import (
    finish,
    host_options,
    hosts,
    is_over,
    join_options,
    joins,
    place,
    until,
    verified,
)


async def test_a_company_plays_again_at_the_same_place_with_the_same_code(tmp_path, jumping_clock):
    """The next table keeps the rules, code, port and bots, and has a record of its own.

    Guests need no code there.
    """
    first = host_options(tmp_path, 3, bots=1, open=False, record=tmp_path / "game.rec")
    guest = join_options(tmp_path, "Ben")
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(host_table(first))
        code, where, before = str(ann.door.code), place(ann), ann.view()
        at = parse_address(where)
        ben = await stack.enter_async_context(join_table(replace(guest, code=code), where))
        await finish(ann, ben)
        assert await another_table_at([at], ann.key, before.table_id) == ""
        second = opened_again(ann, first)
        old_folder = ben.folder.path
    with pytest.raises(Disconnected):
        await another_table_at([at], ann.key, before.table_id)
    assert (second.code, second.port, second.bots) == (code, ann.port, (BotLevel.NORMAL,))
    assert second.settings == before.settings
    assert second.record == tmp_path / "game-2.rec"
    async with host_table(second) as ann:
        assert place(ann) == where
        assert await another_table_at([at], ann.key, before.table_id) == where
        assert await another_table_at([at], ben.key, before.table_id) == ""
        with pytest.raises(Refused, match="another player answers"):
            async with join_table(replace(guest, host=ben.key), where):
                pass
        async with join_table(replace(guest, host=ann.key), where) as ben:
            await finish(ann, ben)
            assert ann.view().table_id != before.table_id
            assert ben.folder.path != old_folder
    paths = [tmp_path / name for name in ("game.rec", "game-2.rec")]
    assert paths[0].read_bytes() != paths[1].read_bytes()
    assert all(verified(path).finished for path in paths)


async def test_a_guest_opens_the_next_table_of_a_host_who_is_gone(tmp_path, jumping_clock):
    """Once the host is gone, a guest opens the next table at its own address, with a new code.

    Players of the old table get in by their keys; a stranger is refused.
    """
    first = host_options(tmp_path, 3, open=False)
    guests = [join_options(tmp_path, name) for name in ("Ben", "Cy")]
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(host_table(first))
        where, code = place(ann), str(ann.door.code)
        ben, cy = [
            await stack.enter_async_context(join_table(replace(each, code=code), where))
            for each in guests
        ]
        await finish(ann, ben, cy)
        await ann.say_goodbye()
        await until(ben, lambda view: not view.is_host_here)
        await ben.play_again(opens=True)
        await until(cy, lambda view: view.openers == (ben.key,))
        again = opened_again(ben, guests[0], 3)
        (door,) = {str(each) for each in cy.addresses_of(ben.key)}
        before, known = ben.view(), long_fingerprint(ben.key)
    assert (again.settings, again.port, again.code) == (before.settings, ben.port, "")
    async with host_table(again) as ben:
        assert place(ben) == door
        assert str(ben.door.code) != code
        stranger = replace(join_options(tmp_path, "Eve"), code=known, host=ben.key)
        with pytest.raises(Refused, match="has not allowed your key"):
            async with join_table(stranger, door):
                pass
        async with join_table(replace(guests[1], code=known, host=ben.key), door) as cy:
            await until(cy, lambda view: view.sits and view.host_key == ben.key)


async def test_guests_look_for_another_table_nowhere_but_where_they_may_dial(
    tmp_path, jumping_clock, monkeypatch
):
    """Guests look for another table only on their own network, whatever addresses the host gives.

    A host may give the address of somebody else's server, the name of a printer, or a port on the
    guest's own computer.
    """
    named = ("8.8.8.8:9999", "printer.example:9100", "127.0.0.1:6379", "10.0.0.4:4747")
    async with AsyncExitStack() as stack:
        with monkeypatch.context() as patch:
            patch.setattr(opening, "addresses_to_tell", lambda *_, **__: named)
            ann = await stack.enter_async_context(hosts(tmp_path, 2))
        ben = await stack.enter_async_context(joins(tmp_path, "Ben", ann))
        await until(ben, lambda view: view.host_key == ann.key and len(view.seats) == 2)
        monkeypatch.setattr(ben.pool, "neighbours", Neighbours(lambda: LAN))
        assert ben.addresses_of(ann.key) == (parse_address("10.0.0.4:4747"),)


async def test_a_host_that_came_back_opens_the_same_again(tmp_path, jumping_clock):
    """After a restart a host opens its next table with the same choices and bots.

    Its notes contain them.
    """
    options = host_options(tmp_path, 2, BotLevel.EASY, bots=1, auto=False)
    async with host_table(options) as ann:
        await until(ann, lambda view: view.table is not None)
    came_back = join_options(tmp_path, "Ann", data_dir=tmp_path / "ann")
    async with resume_table(came_back) as ann:
        await until(ann, is_over)
        again = opened_again(ann, came_back)
    assert (again.bots, again.settings) == ((BotLevel.EASY,), offered(options.settings))
    assert (again.reach, again.seated, again.start_at) == (ReachedBy.COMPUTER, True, 2)
    assert read_notes(ann.folder.path).starts_itself, "as a table hung on a wall may, too"


async def test_the_next_table_has_the_seats_that_are_wanted_and_allowed(tmp_path, jumping_clock):
    """The next table has as many seats as are wanted and allowed, and no fewer than before.

    If the last game began by itself, the next one begins once all those seats are taken.
    """
    three = host_options(tmp_path, 3, start_at=3, bots=0)
    partners = replace(three.settings, switches=("partners=yes",), seats=4)
    async with host_table(three) as ann:
        for wanted, seats in ((4, 4), (2, 3)):
            again = opened_again(ann, three, wanted)
            assert (again.settings.seats, again.start_at) == (seats, seats)
        assert opened_again(ann, replace(three, start_at=None), 4).start_at is None
    async with host_table(replace(three, settings=partners, start_at=4)) as ann:
        assert opened_again(ann, three, 5).settings.seats == 4, "so the rules have it"


def test_a_bot_takes_a_name_that_nobody_has_at_the_table():
    """A bot takes the name wanted for it, or else the next usual name that is free.

    Names wanted for later bots are not free.
    """
    host = SimpleNamespace(view=lambda: SimpleNamespace(seats=seats))
    seats = [SimpleNamespace(name="ada")]
    assert [bot_name(host, number) for number in (0, 1, 12)] == ["Bix", "Bix", "Max"]
    seats.append(SimpleNamespace(name="Bix"))
    assert bot_name(host, 1) == "Cleo"
    wanted = ("Dot", "Cleo")
    assert [bot_name(host, number, wanted) for number in range(3)] == ["Dot", "Cleo", "Cleo"]
    assert bot_name(host, 0, ("Ada", "Cleo")) == "Dot"


async def test_bots_that_stay_keep_their_names(tmp_path, jumping_clock):
    """Bots that stay keep their names, even if an earlier bot was sent away."""
    first = host_options(tmp_path, 4, start_at=None, auto=False, bots=2)
    async with host_table(first) as ann:
        assert opened_again(ann, first).bot_names == ("Ada", "Bix")
        second = opened_anew(ann, first, (BotLevel.HARD,), bot_names=("Bix",))
    async with host_table(second) as ann:
        assert [info.name for info in ann.view().seats if info.bot] == ["Bix"]


async def test_nobody_is_dialled_when_a_game_is_over(tmp_path, jumping_clock):
    """Nobody is dialled once the game is over: a new table may be at the address by then."""
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(hosts(tmp_path, 2))
        async with joins(tmp_path, "Ben", ann) as ben:
            await finish(ann, ben)
        await until(ann, lambda view: not all(info.connected for info in view.seats))
        await trio.testing.wait_all_tasks_blocked()
        assert not ann.pool.wanted


def test_the_record_of_another_game_is_another_file(tmp_path):
    """The record of another game gets a new name, so that no file is overwritten."""
    path = tmp_path / "game.rec"
    assert free_name(path).name == "game-2.rec"
    (tmp_path / "game-2.rec").touch()
    assert free_name(path).name == "game-3.rec"


async def test_who_has_not_sat_down_yet_comes_along_without_the_new_code(tmp_path, jumping_clock):
    """A guest that has not sat down needs no new code at the next table.

    The host knows its key, because the guest has typed a code before. The host may have changed the
    code since, after a kick, without the guest knowing.
    """
    first = host_options(tmp_path, 3, start_at=None, auto=False, open=False)
    ben = replace(join_options(tmp_path, "Ben", auto=False), watches=True)
    async with host_table(first) as ann:
        async with join_table(replace(ben, code=str(ann.door.code)), place(ann)) as guest:
            await noted(KnownPeers(ben.data_dir), ann.key)
            ann.door.change_code()
        second = opened_anew(ann, first)
    async with host_table(second) as ann, join_table(ben, place(ann)) as guest:
        await until(guest, lambda view: bool(view.seats))
