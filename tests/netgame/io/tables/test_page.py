"""The page for browsers beside a table: who comes by it sits at the table like anybody."""

import subprocess
import sys

import pytest
import trio

from netgame.errors import Disconnected
from netgame.io.door import channel
from netgame.io.network.listen import LOOPBACK
from netgame.io.page.built import PAGE_FOLDER
from netgame.io.tables.again import opened_again
from netgame.io.tables.notes import read_notes
from netgame.io.tables.options import JoinOptions, ReachedBy
from netgame.io.tables.page import page_beside
from netgame.io.tables.resume import resume_table
from netgame.protocol.notices import Trouble
from netgame.protocol.peer.view import TableStage
from tests.netgame.io.page.browsers import INDEX, ask, lay_out, open_tab
from tests.netgame.io.tables.test_tables import finish, host_options, hosts, is_over, joins, until


@pytest.fixture
def page_folder(tmp_path):
    """A page that this install has."""
    lay_out(tmp_path / "page")
    token = PAGE_FOLDER.set(tmp_path / "page")
    yield tmp_path / "page"
    PAGE_FOLDER.reset(token)


@pytest.fixture
def by_page(monkeypatch):
    """Whoever dials a host with a page comes by its WebSocket; nobody else is reached."""
    pages = {}

    async def dial(address):
        if address.port in pages:
            return await open_tab(pages[address.port])
        raise Disconnected("nobody listens there")

    monkeypatch.setattr(channel, "dial", dial)
    return pages


@pytest.mark.usefixtures("page_folder")
async def test_a_game_is_played_by_way_of_the_page(tmp_path, by_page):
    """The guest's link is a WebSocket, and counts as no link of this computer."""
    async with hosts(tmp_path, 2, page=True) as host:
        assert (await ask(host.page)).body == INDEX
        host.page.allows_files = True
        assert not host.page.allows_files  # as the table is open
        by_page[host.port] = host.page
        async with joins(tmp_path, "ben", host) as guest:
            await until(host, lambda view: view.stage is not TableStage.LOBBY)
            assert host.pool._sources == {guest.key: f"page {LOOPBACK}"}
            await finish(host, guest)
            assert is_over(host.view())
            assert host.view().head == guest.view().head


@pytest.mark.usefixtures("page_folder")
async def test_a_page_is_where_it_was_after_a_crash_and_at_the_next_table(tmp_path):
    """Tabs that are open know no other address; another evening has another."""
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


async def test_a_page_is_served_where_the_network_comes_or_somebody_asks_for_it(page_folder):
    """Never where only this process does, nor where there is none."""
    served = {}
    for reach in (ReachedBy.COMPUTER, ReachedBy.PROGRAM):
        for wanted in (None, True, False):
            async with page_beside(reach, wanted=wanted) as page:
                served[reach, wanted] = page.door is not None
                assert len(page.listeners) == served[reach, wanted]
    assert [key for key, is_one in served.items() if is_one] == [(ReachedBy.COMPUTER, True)]
    async with page_beside(ReachedBy.NETWORK, wanted=False) as page:
        assert page.door is None


async def test_a_damaged_page_keeps_nobody_from_the_table(tmp_path, page_folder):
    """The host reads what is wrong with it."""
    (page_folder / "parts.json").write_text("no list")
    async with hosts(tmp_path, 2, bots=1, page=True) as host:
        assert host.page is None
        with trio.fail_after(60):
            async for notice in host.notices:
                if isinstance(notice, Trouble):
                    break
        assert "the page for browsers is damaged" in notice.facts[0]
        await finish(host)


def test_a_table_without_a_page_loads_nothing_of_it():
    """The start of a table waits for no HTTP."""
    code = (
        "import sys, netgame.io.tables.host, netgame.io.tables.resume\n"
        "heavy = {'h11', 'wsproto', 'netgame.io.page.built', 'netgame.io.page.serving'}\n"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    assert subprocess.run((sys.executable, "-c", code), check=False).returncode == 0
