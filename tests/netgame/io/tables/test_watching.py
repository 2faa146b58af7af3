"""Watching over real sockets: the doors that let watchers in, and the loss of the host."""

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest
import trio
from msgspec import structs

from netgame import limits
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.store import DataFolder
from netgame.io.network.addresses import parse_address
from netgame.io.tables.announce import advert_of, announce_when_due
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.kept import name_sat_under
from netgame.io.tables.resume import resume_table
from netgame.protocol.notices import Announcing, FaultFound, StandIn, WatcherChanged
from netgame.protocol.peer.view import TableStage
from tests.netgame.io.tables.test_entrance import code_of_refusal
from tests.netgame.io.tables.test_tables import (
    begun,
    host_options,
    join_options,
    joins,
    notices_of,
    place,
    settings,
    stay,
    until,
)


def watch_options(tmp_path, name="zoe", **more):
    """Return the options of a watcher."""
    return structs.replace(join_options(tmp_path, name, auto=False, watches=True), **more)


@asynccontextmanager
async def playing(tmp_path, **more):
    """Run a table of Ann and Ben that asks for a code, in mid-game; yield the nodes of both."""
    options = host_options(
        tmp_path, 2, settings=settings(3, rounds=2), open=False, pause_s=0.05, **more
    )
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(host_table(options))
        ben = join_options(tmp_path, "ben", pause_s=0.05, code=str(host.door.code))
        guest = await stack.enter_async_context(join_table(ben, place(host)))
        await until(host, begun)
        yield host, guest


async def test_a_watcher_outlives_the_member_it_came_to(tmp_path, jumping_clock):
    """A watcher that has lost all links comes back through the members' doors: they know it."""
    async with trio.open_nursery() as nursery:
        async with playing(tmp_path) as (host, guest):
            options = watch_options(tmp_path, code=str(host.door.code))
            zoe = await nursery.start(stay, options, place(host))
            await until(guest, lambda view: view.watchers == ("zoe",))
            await until(zoe, lambda view: all(seat.in_reach for seat in view.seats))
            host.pool.drop_all("cut")
            guest.pool.drop_all("cut")
            await until(zoe, lambda view: not all(seat.connected for seat in view.seats))
            await until(zoe, lambda view: all(seat.in_reach for seat in view.seats))
            assert not notices_of(zoe, FaultFound)
        nursery.cancel_scope.cancel()


async def test_a_host_sees_who_reads_the_rules_before_sitting_down(tmp_path, jumping_clock):
    """The host is told, once, of a guest who reads the rules before sitting down.

    A guest who sits down at once is not named.
    """
    options = host_options(tmp_path, 4, start_at=None, auto=False)
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(host_table(options))
        await stack.enter_async_context(joins(tmp_path, "ben", host, auto=False))
        await until(host, lambda view: len(view.seats) == 2)
        reads = join_options(tmp_path, "eve", auto=False, looks_first=True)
        eve = await stack.enter_async_context(join_table(reads, place(host)))
        await until(host, lambda view: view.watchers == ("eve",))
        await eve.take_seat()
        await until(host, lambda view: len(view.seats) == 3)
        assert host.view().watchers == ()
        assert notices_of(host, WatcherChanged) == [WatcherChanged("eve", watches=True)]


@pytest.mark.campaign
async def test_the_first_seat_left_opens_its_door_with_a_code_of_its_own(
    tmp_path, monkeypatch, jumping_clock
):
    """While the host is away, the first remaining seat opens its door, with a code of its own.

    A newcomer with that code can watch, and one without it is refused. When the host is back, that
    door is closed again.
    """
    monkeypatch.setattr(limits, "HOST_GONE_S", 0.3)
    gone = guest_without_host(tmp_path, open=False)
    async with gone as guest, trio.open_nursery() as nursery:
        nursery.start_soon(announce_when_due, guest, KnownPeers(tmp_path / "ben"))
        await until(guest, lambda view: view.announces)
        while guest.door.code is None:  # noqa: ASYNC110 - nobody tells of a door
            await trio.sleep(0.01)
        (told,) = notices_of(guest, Announcing)
        assert (told.host, told.code) == ("Ann", str(guest.door.code))
        found = await code_of_refusal(watch_options(tmp_path), place(guest))
        assert found.code == "code"
        options = watch_options(tmp_path, code=told.code)
        async with join_table(options, place(guest)) as zoe:
            await until(zoe, lambda view: view.step == guest.view().step)
            assert zoe.view().watchers == ("zoe",)
        async with (
            resume_table(join_options(tmp_path, "ann", auto=False)) as host,
            trio.open_nursery() as own,
        ):
            own.start_soon(announce_when_due, host, KnownPeers(tmp_path / "ann"))
            await until(guest, lambda view: not view.announces)
            while guest.door.code is not None:  # noqa: ASYNC110 - as above
                await trio.sleep(0.01)
            assert [each.ends for each in notices_of(guest, Announcing)] == [True]
            (told,) = notices_of(host, Announcing)
            assert (told.host, told.code) == ("", str(host.door.code))
            own.cancel_scope.cancel()
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("come_back", ["resume", "join"])
async def test_an_open_table_is_open_whoever_announces_it(
    tmp_path, monkeypatch, jumping_clock, come_back
):
    """An open table lets anybody watch while its host is away, and after the host came back.

    The host may come back by resuming the table or by joining it.
    """
    monkeypatch.setattr(limits, "HOST_GONE_S", 0.3)

    async def watch(name, node):
        options = structs.replace(watch_options(tmp_path), name=name, data_dir=tmp_path / name)
        async with join_table(options, place(node)) as zoe:
            await until(zoe, lambda view: view.step == node.view().step)

    async with guest_without_host(tmp_path) as guest, trio.open_nursery() as nursery:
        nursery.start_soon(announce_when_due, guest, KnownPeers(tmp_path / "ben"))
        while not guest.door.anybody:  # noqa: ASYNC110 - a door has no event
            await trio.sleep(0.01)
        await watch("zoe", guest)
        assert [(told.host, told.code) for told in notices_of(guest, Announcing)] == [("Ann", "")]
        ann = join_options(tmp_path, "ann", auto=False)
        back = resume_table(ann) if come_back == "resume" else join_table(ann, place(guest))
        async with back as host, trio.open_nursery() as own:
            own.start_soon(announce_when_due, host, KnownPeers(tmp_path / "ann"))
            await until(guest, lambda view: not view.announces)
            await watch("yan", host)
            while guest.door.anybody:  # noqa: ASYNC110 - as above
                await trio.sleep(0.01)
            own.cancel_scope.cancel()
        nursery.cancel_scope.cancel()


async def host_for_a_while(opened, gone, task_status):
    """Host a table until `gone` is cancelled; report `started` with the node."""
    with gone:
        async with host_table(opened) as host:
            task_status.started(host)
            await trio.sleep_forever()


@asynccontextmanager
async def guest_without_host(tmp_path, **more):
    """Seat Ben at a table, end its host in mid-game, and yield Ben's node."""
    opened = host_options(tmp_path, 2, settings=settings(3), auto=False, **more)
    gone = trio.CancelScope()
    async with trio.open_nursery() as nursery:
        host = await nursery.start(host_for_a_while, opened, gone)
        code = str(host.door.code or "")
        async with joins(tmp_path, "ben", host, auto=False, code=code) as guest:
            await until(guest, lambda view: view.stage is TableStage.PLAYING)
            gone.cancel()
            yield guest


async def test_a_stand_in_announces_the_same_table_with_its_own_key(tmp_path, jumping_clock):
    """A stand-in announces the same table id, with its own name and fingerprint.

    Players who have gone are not counted among the taken seats.
    """
    async with guest_without_host(tmp_path) as guest:
        view = guest.view()
        by_host = advert_of(view, "nobody", 4747, 0, view.host_key)
        by_guest = advert_of(view, "nobody", guest.port, 7, guest.key)
        assert by_host.table_id == by_guest.table_id
        assert (by_host.name, by_guest.name) == ("Ann", "ben")
        own = next(seat for seat in view.seats if seat.key == guest.key)
        assert by_guest.fingerprint == own.fingerprint != by_host.fingerprint
        assert by_guest.can_watch
        assert not by_guest.is_open
        assert (by_guest.seats_taken, by_guest.seats_offered) == (2, 3)
        gone = tuple(replace(each, left=each.key == view.host_key) for each in view.seats)
        more = (*gone, replace(own, key=b"c"), replace(own, key=b"d", parted=True))
        ad = advert_of(replace(view, seats=more), "nobody", 4747, 7, guest.key)
        assert (ad.seats_taken, ad.seats_offered) == (2, 4), "who has gone takes no seat"


async def test_a_host_without_a_seat_is_found_by_who_comes_back(tmp_path, jumping_clock):
    """A watcher and a player who come back find a host without a seat.

    The table asks for a code; neither of them has to type it again.
    """
    opened = host_options(
        tmp_path, 2, settings=settings(2), open=False, seated=False, auto=False, announce=False
    )
    async with host_table(opened) as host:
        code, where = str(host.door.code), place(host)
        guests = [join_options(tmp_path, name, auto=False, code=code) for name in ("ben", "cy")]
        async with join_table(guests[0], where) as ben:
            async with join_table(guests[1], where) as cy:
                await until(cy, lambda view: view.stage is TableStage.PLAYING)
                async with join_table(watch_options(tmp_path, code=code), where):
                    await until(ben, lambda view: view.watchers == ("zoe",))
            # their computers come back one after the other; nobody has to give a name or a code
            async with (
                resume_table(
                    watch_options(tmp_path, name="root", data_dir=tmp_path / "zoe")
                ) as zoe,
                resume_table(guests[1]) as cy,
            ):
                await until(host, lambda view: view.watchers == ("zoe",))
                await until(zoe, lambda view: all(seat.in_reach for seat in view.seats))
                for node in (cy, zoe):
                    assert node.addresses_of(host.key) == (parse_address(where),)
            assert name_sat_under(DataFolder(tmp_path / "zoe")) == "", "who watches sits nowhere"


async def test_who_watches_dials_a_host_that_has_come_back_without_a_seat(tmp_path, jumping_clock):
    """A watcher dials a host without a seat that has come back; the members wait to be dialled."""
    opened = host_options(tmp_path, 2, settings=settings(2), seated=False, auto=False)
    gone = trio.CancelScope()
    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:
        host = await nursery.start(host_for_a_while, opened, gone)
        for name in ("ben", "cy"):
            ben = await stack.enter_async_context(joins(tmp_path, name, host, auto=False))
        await until(ben, lambda view: view.stage is TableStage.PLAYING)
        zoe = await stack.enter_async_context(join_table(watch_options(tmp_path), place(host)))
        await until(host, lambda view: view.watchers == ("zoe",))
        gone.cancel()
        await until(ben, lambda view: view.announcer != view.host_key)
        assert notices_of(ben, StandIn)[-1].up
        async with resume_table(join_options(tmp_path, "ann", auto=False)) as host:
            await until(host, lambda view: view.watchers == ("zoe",))
            assert not host.pool.links.get(zoe.key).dialled
            await until(ben, lambda view: view.announcer == view.host_key)
            assert host.pool.links.get(ben.key).dialled
            assert not notices_of(ben, StandIn)[-1].up
