"""The page for browsers beside a table: guests who use it play like any others."""

import subprocess
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import pytest
import trio

from netgame.errors import Disconnected, Refused
from netgame.io.door import channel
from netgame.io.network.addresses import Address, parse_address
from netgame.io.network.dialling import DIAL
from netgame.io.network.listen import LOOPBACK
from netgame.io.page.built import PAGE_FOLDER
from netgame.io.tables.again import opened_again
from netgame.io.tables.join import join_table
from netgame.io.tables.notes import read_notes
from netgame.io.tables.options import JoinOptions, ReachedBy
from netgame.io.tables.page import page_beside
from netgame.io.tables.resume import resume_table
from netgame.protocol.notices import Trouble
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import TableStage
from tests.netgame.io.node.test_node import until as until_so
from tests.netgame.io.page.browsers import INDEX, ask, installed_page, open_tab, status_of, upgrade
from tests.netgame.io.tables.test_tables import (
    agree,
    finish,
    host_options,
    hosts,
    is_over,
    join_options,
    joins,
    place,
    until,
)


@pytest.fixture
def page_folder(tmp_path):
    """The folder of a tiny page that is installed for the test."""
    with installed_page(tmp_path / "page") as folder:
        yield folder


@pytest.fixture
def by_page(monkeypatch):
    """Pages by the port of their host: whoever dials that port gets a WebSocket to the page.

    Nobody else can be reached.
    """
    pages = {}

    async def dial(address):
        if address.port in pages:
            return await open_tab(pages[address.port])
        raise Disconnected("nobody listens there")

    monkeypatch.setattr(channel, "dial", dial)
    return pages


@pytest.mark.usefixtures("page_folder")
async def test_a_game_is_played_by_way_of_the_page(tmp_path, by_page):
    """A guest plays a game through the page's WebSocket; the host notes the page as its source.

    At an open table, pages opened from a file cannot be allowed.
    """
    async with hosts(tmp_path, 2, page=True) as host:
        assert (await ask(host.page)).body == INDEX
        host.page.allows_files = True
        assert not host.page.allows_files  # because the table is open
        by_page[host.port] = host.page
        async with joins(tmp_path, "ben", host) as guest:
            await until(host, lambda view: view.stage is not TableStage.LOBBY)
            assert host.pool._sources == {guest.key: f"page {LOOPBACK}"}
            await finish(host, guest)
            assert is_over(host.view())
            assert host.view().head == guest.view().head


@pytest.mark.usefixtures("page_folder")
async def test_a_page_is_where_it_was_after_a_crash_and_at_the_next_table(tmp_path):
    """A page keeps its place after a crash and at the next table, for the tabs still open.

    The page of an unrelated table has another path.
    """
    table = host_options(tmp_path, 2, bots=1, page=True, pause_s=60)
    async with hosts(tmp_path, 2, bots=1, page=True, pause_s=60) as host:
        await until(host, lambda view: view.stage is not TableStage.LOBBY)
        place = host.page.place
        assert opened_again(host, table).page_place == place
        path = host.folder.path
    notes = read_notes(path)
    assert (notes.page_port, notes.page_path) == (place.port, place.path)
    options = JoinOptions(name="Ann", data_dir=tmp_path / "ann", reach=ReachedBy.COMPUTER)
    async with resume_table(options) as host:
        assert host.page.place == place
        assert (await ask(host.page)).status == 200
    async with hosts(tmp_path / "else", 2, page=True) as host:
        assert host.page.place.path != place.path


async def test_a_page_is_served_where_the_network_comes_or_somebody_asks_for_it(
    page_folder, monkeypatch
):
    """A table reached from this computer alone serves a page only if asked to.

    A table within this process never serves one. A table on the network serves one at all its
    addresses, unless told not to.
    """
    served = {}
    for reach in (ReachedBy.COMPUTER, ReachedBy.PROGRAM):
        for wanted in (None, True, False):
            async with page_beside(reach, wanted=wanted) as page:
                served[reach, wanted] = page.door is not None
                assert len(page.listeners) == served[reach, wanted]
    assert [key for key, is_one in served.items() if is_one] == [(ReachedBy.COMPUTER, True)]
    served_at = []

    async def serve(_beside, host, *_):
        served_at.append(host)

    monkeypatch.setattr("netgame.io.tables.page._serve", serve)  # it would be seen on the network
    for wanted in (None, True, False):
        async with page_beside(ReachedBy.NETWORK, wanted=wanted):
            pass
    assert served_at == [None, None]


async def test_a_damaged_page_keeps_nobody_from_the_table(tmp_path, page_folder):
    """A damaged page does not stop the table, and the host is told what is wrong with the page."""
    (page_folder / "parts.json").write_text("no list")
    async with hosts(tmp_path, 2, bots=1, page=True) as host:
        assert host.page is None
        with trio.fail_after(60):
            async for notice in host.notices:
                if isinstance(notice, Trouble):
                    break
        assert "the page for browsers is damaged" in str(notice.facts[0])
        await finish(host)


# ---- a page that a guest serves -------------------------------------------------------------


@asynccontextmanager
async def tab_at(tmp_path, name, page, **more):
    """Join from a tab, which reaches only the peer that serves this page; yield the tab's node."""

    async def dial(address):
        if address.port == page.place.port:
            return await open_tab(page)
        raise Disconnected("a page reaches nobody but who serves it")

    token = DIAL.set(dial)
    coming = join_table(join_options(tmp_path, name, **more), f"{LOOPBACK}:{page.place.port}")
    async with AsyncExitStack() as stack:
        try:
            node = await stack.enter_async_context(coming)
        finally:
            DIAL.reset(token)
        yield node


@pytest.mark.usefixtures("page_folder")
async def test_a_game_is_played_by_way_of_a_guests_page(tmp_path):
    """A tab plays a game through a guest's page, over a link of its own to the host."""
    async with (
        hosts(tmp_path, 3, page=False) as host,
        joins(tmp_path, "ben", host, page=True) as ben,
    ):
        assert host.page is None
        assert (await ask(ben.page)).body == INDEX
        async with tab_at(tmp_path, "zoe", ben.page) as zoe:
            await until(host, lambda view: view.stage is not TableStage.LOBBY)
            assert zoe.key in host.pool.links
            assert zoe.pool.links.keys() >= {host.key}
            await finish(host, ben, zoe)
            agree([host, ben, zoe])


@pytest.mark.usefixtures("page_folder")
async def test_a_tab_proves_the_hosts_code_by_a_guests_page(tmp_path):
    """The address of a guest's page contains the code that the guest typed.

    A tab that comes through that page is let in by the host with this code, and refused with a
    wrong one.
    """
    async with hosts(tmp_path, 3, page=False, open=False) as host:
        code, number = str(host.door.code), host.door.number
        wrong = f"{number}-otter-violin"
        assert code != wrong
        async with joins(tmp_path, "ben", host, page=True, code=code) as ben:
            assert ben.page_address == f"{ben.page.addresses()[0]}#{code}"
            with pytest.raises(Refused) as refused:
                async with tab_at(tmp_path, "yan", ben.page, code=wrong):
                    pass
            assert refused.value.code == "wrong-code"
            async with tab_at(tmp_path, "zoe", ben.page, code=code) as zoe:
                assert host.door.by_code.keys() == {ben.key, zoe.key}


@pytest.mark.usefixtures("page_folder")
async def test_a_guest_serves_the_page_once_it_is_asked_for(tmp_path):
    """A guest serves the page only once asked to, and asking twice changes nothing.

    A host whose table was opened without a page serves none, even if asked to.
    """
    async with hosts(tmp_path, 3, page=False) as host, joins(tmp_path, "ben", host) as ben:
        assert ben.page is None
        assert not ben.page_address
        await ben.serve_page()
        page = ben.page
        assert ben.page_address == page.addresses()[0]
        await ben.serve_page()
        assert ben.page is page
        await host.serve_page()
        assert host.page is None


async def test_a_guest_whose_install_has_no_page_serves_none(tmp_path):
    """A guest whose install has no page serves none, but sits all the same."""
    token = PAGE_FOLDER.set(tmp_path / "nothing")
    try:
        async with (
            hosts(tmp_path, 3, page=False) as host,
            joins(tmp_path, "ben", host, page=True) as ben,
        ):
            assert ben.page is None
    finally:
        PAGE_FOLDER.reset(token)


@pytest.mark.usefixtures("page_folder")
async def test_a_guests_page_opens_no_websocket_while_the_host_is_away(tmp_path):
    """A guest's page opens no WebSocket while the host is away; the page itself is served."""
    async with (
        hosts(tmp_path, 3, page=False) as host,
        joins(tmp_path, "ben", host, page=True) as ben,
    ):
        (await open_tab(ben.page)).close()
        host.pool.close_all("it is away")
        await until_so(ben, lambda: not ben.pool.links)
        assert await status_of(ben.page, upgrade(ben.page)) == 503
        assert (await ask(ben.page)).status == 200


@pytest.mark.usefixtures("page_folder")
async def test_a_host_that_comes_back_elsewhere_is_found_by_the_guests_page(tmp_path):
    """When a host comes back elsewhere, a guest's page finds it through the guest's link to it.

    If somebody else forwards that link, no address is found.
    """
    async with (
        hosts(tmp_path, 3, page=False) as host,
        joins(tmp_path, "ben", host, page=True) as ben,
    ):
        way = partial(ben.pool.way_to, PeerKey(host.key))
        known = ben.addresses_of(host.key)
        assert way(known) == (parse_address(place(host)),)
        link = ben.pool.links[host.key]
        link.at, link.host = None, "192.168.1.21"
        assert Address("192.168.1.21", host.port) in way(known)
        link.by = ben.key
        assert way(known) == ()


@pytest.mark.usefixtures("page_folder")
async def test_a_guests_page_is_where_it_was_when_the_guest_comes_back(tmp_path):
    """A guest's page is at the same place when the guest comes back, for the tabs still open."""
    async with hosts(tmp_path, 3, page=False, bots=1, pause_s=60) as host:
        async with joins(tmp_path, "ben", host, page=True, auto=False) as ben:
            await until(ben, lambda view: view.stage is not TableStage.LOBBY)
            page_place = ben.page.place
            assert opened_again(ben, join_options(tmp_path, "ben")).page_place == page_place
        options = join_options(tmp_path, "ben", auto=False)
        async with resume_table(options) as ben:
            assert ben.page.place == page_place
            assert (await ask(ben.page)).status == 200


def test_a_table_without_a_page_loads_nothing_of_it():
    """A table without a page imports neither a module of the page nor an HTTP library."""
    code = (
        "import sys, netgame.io.tables.host, netgame.io.tables.resume\n"
        "page = {f'netgame.io.page.{each}' for each in ('built', 'serving', 'pipes')}\n"
        "heavy = {'h11', 'wsproto', *page}\n"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    assert subprocess.run((sys.executable, "-c", code), check=False).returncode == 0
