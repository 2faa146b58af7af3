"""Tables are found by mDNS and listed only while they answer; what they announce is not trusted."""

import os
import re
import shutil
import string
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.bots.levels import BotLevel
from netgame.io.discovery.advert import (
    SERVICE_TYPE,
    TableAd,
    advertise,
    instance_name,
    parse_txt,
    txt_of,
)
from netgame.io.discovery.browse import (
    Browser,
    _resolve,
    answering_host,
    browse,
    find_tables,
    told_apart,
)
from netgame.io.network.listen import LOOPBACK, Listen, open_listeners
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.options import HostOptions, JoinOptions
from netgame.limits import (
    ADVERT_VALUE_BYTES_MAX,
    NAME_CELLS_MAX,
    PROBE_S,
    PROTOCOL_VERSION,
    TABLES_FOUND_MAX,
)
from netgame.protocol.text import clean_text
from netgame.wire.messages import Settings
from tests.conformance import mdns
from tests.conformance.channel import key_of
from tests.conformance.stranger import visit
from tests.netgame.io.tables.test_tables import until

AD = TableAd("Ann", "ab" * 64, "eh7ddx5b", "standard", 12, 3, 8, "lobby", ("10.0.0.1",), 4747)
IN_NAMESPACE = "BONEYARD_TEST_NAMESPACE"


def as_octets(txt):
    """Return the keys and values of a TXT record as octets, as the network delivers them."""
    return {key.encode(): value.encode() for key, value in txt.items()}


# ---- advertising ----------------------------------------------------------------------------


def test_advertisement_comes_back():
    """Parsing an advertisement gives exactly what the host advertises.

    No entry of the TXT record is longer than 255 octets.
    """
    assert parse_txt(as_octets(txt_of(AD)), AD.addresses, AD.port) == AD
    assert all(len(f"{key}={value}".encode()) <= 255 for key, value in txt_of(AD).items())


NAMES = ["Ann", ".net", "a.b c", "Zoë Ω 名前", "", ".", "\x1b[2J", "-", "名" * 100, "🦴" * 15]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_no_part_of_the_instance(name):
    """The instance name is a short ASCII label that does not depend on the player's name.

    It leaves room for a suffix such as `-2`. The player's name is in the TXT record, where any
    characters are allowed.
    """
    ad = replace(AD, name=name)
    full = instance_name(ad)
    label = full.removesuffix(f".{SERVICE_TYPE}")
    assert re.fullmatch("[a-z0-9]+-[a-z0-9]+", label)
    assert len(label) <= 60
    assert full == instance_name(AD)
    assert full != instance_name(replace(AD, fingerprint="aaaaaaaa"))
    assert full != instance_name(replace(AD, table_id="cd" * 64))
    read = parse_txt(as_octets(txt_of(ad)), AD.addresses, AD.port)
    long = len(name.encode()) > ADVERT_VALUE_BYTES_MAX
    assert read.name == clean_text("" if long else name, NAME_CELLS_MAX, "somebody")


@pytest.mark.parametrize(
    "change",
    [
        {"v": "x"}, {"v": "70000"}, {"v": "-1"}, {"v": "１"}, {"id": "zz" * 64}, {"id": "ab"},
        {"fp": "EH7DDX5B"}, {"fp": ""}, {"preset": "Standard!"}, {"preset": "x" * 33},
        {"set": "7"}, {"set": "99"}, {"taken": "15"}, {"seats": "0"}, {"seats": "9" * 300},
        {"phase": "party"},
    ],
    ids=str,
)  # fmt: skip
def test_advertisement_that_is_no_tables_is_ignored(change):
    """An advertisement is ignored if the value of any field is not allowed."""
    assert parse_txt(as_octets(txt_of(AD) | change), AD.addresses, AD.port) is None


def test_advertisement_without_address_or_port_is_ignored():
    """An advertisement without an address or a port is ignored: there is nothing to join."""
    assert parse_txt(as_octets(txt_of(AD)), (), AD.port) is None
    assert parse_txt(as_octets(txt_of(AD)), AD.addresses, 0) is None


def test_names_are_cleaned():
    """Names lose the characters that would control a terminal."""
    ad = parse_txt(as_octets(txt_of(AD) | {"name": "A\x1b[2J\u202enn"}), AD.addresses, AD.port)
    assert ad.name == "A[2Jnn"


@given(
    st.dictionaries(
        st.sampled_from([key.encode() for key in txt_of(AD)]) | st.binary(max_size=8),
        st.none() | st.binary(max_size=300) | st.text(string.printable, max_size=9).map(str.encode),
    )
)
def test_whatever_is_advertised_is_read_or_ignored(properties):
    """Parsing never raises, whatever properties are advertised, alone or added to good ones."""
    parse_txt(properties, AD.addresses, AD.port)
    parse_txt(as_octets(txt_of(AD)) | properties, AD.addresses, AD.port)


def test_only_an_open_table_of_our_version_can_be_joined():
    """Tables that are full, in play or of another version are not open to join."""
    assert AD.is_open
    assert not replace(AD, seats_taken=8).is_open
    assert not replace(AD, phase="playing").is_open
    assert not replace(AD, version=AD.version + 1).is_open
    assert AD.endpoints == ("10.0.0.1:4747",)


class Described:
    """A table whose advertisement a test can change."""

    def __init__(self, ad):
        self.ad = ad
        self.changed = trio.Event()

    def update(self, ad):
        """Advertise `ad` from now on."""
        self.ad = ad
        self.changed.set()
        self.changed = trio.Event()

    async def advertise(self, on_trouble):
        """Advertise the table; raise `trio.TooSlowError` after 30 seconds."""
        with trio.fail_after(30):
            await advertise(lambda: self.ad, lambda: self.changed, on_trouble)


# ---- the list, over a fake network ----------------------------------------------------------


class Network:
    """A fake network: advertisements by name, and the names of hosts that do not answer."""

    def __init__(self, count=1):
        self.ads = {
            f"table {n}": replace(AD, name=f"host{n:03}", table_id=f"{n:0128x}")
            for n in range(count)
        }
        self.silent = set()

    def browser(self):
        """Return a browser of this network."""
        return Browser(self.ads.get, self.answers)

    async def answers(self, ad):
        """Return the table's first address, or None if it does not answer."""
        return None if ad.name in self.silent else ad.addresses[0]


async def test_table_is_listed_and_goes():
    """A browser lists a table that it hears of, follows its changes, and drops it on a goodbye."""
    network = Network()
    browser = network.browser()
    changed = browser.when_changed()
    await browser.hear("table 0", gone=False)
    assert changed.is_set()
    assert [ad.seats_taken for ad in browser.tables] == [3]
    network.ads["table 0"] = replace(network.ads["table 0"], seats_taken=4)
    await browser.hear("table 0", gone=False)
    assert [ad.seats_taken for ad in browser.tables] == [4]
    await browser.hear("table 0", gone=True)
    assert browser.tables == ()


@pytest.mark.parametrize("gone", [False, True])
async def test_news_of_a_table_that_is_being_looked_up_is_heeded(gone):
    """News that arrives while a table is being looked up takes precedence over the older answer."""
    network, began, may_end = Network(), trio.Event(), threading.Event()
    table, token = network.ads["table 0"], trio.lowlevel.current_trio_token()

    def resolve(name):
        ad = network.ads.get(name)
        token.run_sync_soon(began.set)
        may_end.wait(5)
        return ad

    browser = Browser(resolve, network.answers)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: browser.hear("table 0", gone=False))
        await began.wait()
        network.ads = {} if gone else {"table 0": replace(table, seats_taken=4)}
        await browser.hear("table 0", gone=gone)
        may_end.set()
    assert [ad.seats_taken for ad in (*browser.tables, *browser.silent)] == ([] if gone else [4])


async def test_ghost_is_not_listed_and_a_dead_table_goes(autojump_clock):
    """A table is listed only while it answers probes, because a killed host sends no goodbye."""
    network = Network(2)
    network.silent.add("host000")
    browser = network.browser()
    for name in network.ads:
        await browser.hear(name, gone=False)
    assert [ad.name for ad in browser.tables] == ["host001"]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.probe_all)
        network.silent = {"host001"}
        await trio.sleep(1.1 * PROBE_S)
        assert [ad.name for ad in browser.tables] == ["host000"]
        nursery.cancel_scope.cancel()


async def test_only_so_many_tables_are_remembered():
    """A flood of names, of which most do not answer, fills the browser only up to its limit.

    A table that answers is listed even when the browser is full.
    """
    network = Network(3 * TABLES_FOUND_MAX)
    network.silent = {f"host{n:03}" for n in range(2 * TABLES_FOUND_MAX)}
    browser = network.browser()
    async with trio.open_nursery() as nursery:
        for name in network.ads:
            nursery.start_soon(lambda name=name: browser.hear(name, gone=False))
    await browser.hear("table 191", gone=False)
    assert "host191" in [ad.name for ad in browser.tables]
    assert len(browser.tables) + len(browser.silent) == TABLES_FOUND_MAX


async def test_what_cannot_be_resolved_is_ignored():
    """A name that leads to no table is not listed."""
    browser = Network().browser()
    await browser.hear("rumour", gone=False)
    await browser.hear("rumour", gone=True)
    assert browser.tables == ()


@pytest.mark.parametrize("label", ["\x00", "\x1b[2J", "x" * 80, "é" * 40, "", "..\n"])
def test_a_malformed_instance_on_the_network_is_no_table(label):
    """A malformed instance name, which anybody can announce, is not resolved."""
    assert _resolve(None, f"{label}.{SERVICE_TYPE}") is None


async def test_the_address_that_answered_is_told_first():
    """The address that answered comes first, because a host with a VPN may have useless ones.

    It stays first as long as it answers, so that the list does not flicker.
    """
    network, asked = Network(), []
    network.ads["table 0"] = replace(AD, addresses=("10.8.0.5", "192.168.1.4"))
    reachable = ["192.168.1.4"]

    async def answers(ad):
        asked.append(ad.addresses)
        return next((host for host in ad.addresses if host in reachable), None)

    browser = Browser(network.ads.get, answers)
    await browser.hear("table 0", gone=False)
    assert [ad.endpoints for ad in browser.tables] == [("192.168.1.4:4747", "10.8.0.5:4747")]
    reachable.append("10.8.0.5")
    await browser.probe("table 0", network.ads["table 0"])
    assert asked == [("10.8.0.5", "192.168.1.4"), ("192.168.1.4", "10.8.0.5")]
    reachable.remove("192.168.1.4")
    await browser.probe("table 0", network.ads["table 0"])
    assert browser.tables[0].endpoints[0] == "10.8.0.5:4747"


TWIN = replace(AD, fingerprint="twintwin", port=6666)
COPY = replace(AD, port=6666)


async def listed(*ads, members=lambda _id: ()):
    """Return the rows of a browser that has heard of these tables, which all answer, in order."""
    browser = Browser(dict(enumerate(ads)).get, Network().answers, members)
    for name in range(len(ads)):
        await browser.hear(name, gone=False)
    return browser.tables


@pytest.mark.parametrize("ads", [(AD, TWIN), (TWIN, AD)])
async def test_a_twin_of_another_key_hides_nobody(ads):
    """Two tables with one id but different keys have two rows, each of which names the other."""
    first, second = await listed(*ads)
    assert [(ad.fingerprint, ad.port) for ad in (first, second)] == [
        ("eh7ddx5b", 4747),
        ("twintwin", 6666),
    ]
    assert (first.others, second.others) == ((TWIN,), (AD,))


@pytest.mark.parametrize("ads", [(AD, COPY), (COPY, AD)])
async def test_of_a_copy_with_the_same_fingerprint_both_places_are_known(ads):
    """Two addresses with the same fingerprint share a row, which names both."""
    (row,) = await listed(*ads)
    assert {row.port, *(each.port for each in row.others)} == {4747, 6666}


async def test_a_host_and_its_stand_in_are_one_row_to_who_knows_the_table():
    """A host and its stand-in share a row if a record on this computer names both as members.

    A key that is not a member gets a row of its own, and so does a different table.
    """
    stand_in = replace(AD, name="Ben", fingerprint="standsin", port=4748)

    def members(table_id):
        return ("eh7ddx5b", "standsin") if table_id == AD.table_id else ()

    (row,) = await listed(stand_in, AD, members=members)
    assert (row.fingerprint, row.others) == ("eh7ddx5b", (stand_in,))
    rows = await listed(stand_in, TWIN, AD, members=members)
    assert {ad.fingerprint for ad in rows} == {"eh7ddx5b", "twintwin"}
    (row,) = await listed(stand_in, members=members)
    assert row.fingerprint == "standsin"
    other = replace(stand_in, table_id="cd" * 64)
    assert len(await listed(other, AD, members=members)) == 2


def test_no_advertisement_brings_others_with_it():
    """An advertisement cannot name other tables for its row: only the browser adds them."""
    ad = parse_txt(as_octets(txt_of(AD) | {"others": "[]"}), AD.addresses, AD.port)
    assert ad == AD
    assert "others" not in txt_of(told_apart([AD, TWIN])[0])


async def test_probe_is_a_connection():
    """A probe returns the address of a listening port, and None for a closed port."""
    listeners = await open_listeners(Listen(LOOPBACK, 0))
    ad = replace(AD, addresses=(LOOPBACK,), port=listeners[0].port)
    assert await answering_host(ad) == LOOPBACK
    listeners[0].close()
    assert await answering_host(ad) is None


async def test_zeroconf_that_will_not_start_is_not_the_end(monkeypatch):
    """If zeroconf does not start, advertising and browsing report why and do not fail.

    The browser also suggests typing the table's address.
    """

    def refuse():
        raise OSError(19, "No such device")

    monkeypatch.setattr("netgame.io.discovery.advert._open_zeroconf", refuse)
    troubles = []
    await Described(AD).advertise(troubles.append)
    assert "No such device" in str(troubles[0])
    async with browse() as browser:
        while browser.trouble is None:
            await browser.when_changed().wait()
        assert "No such device" in str(browser.trouble)
        assert "HOST:PORT" in str(browser.trouble)


# ---- real mDNS, where it disturbs nobody ----------------------------------------------------


def in_own_namespace():
    """Return a command prefix that runs a command in a new network namespace.

    None if this system does not allow one.
    """
    unshare = shutil.which("unshare")
    if unshare is None or shutil.which("ip") is None:
        return None
    for flags in (["-n"], ["-rn"]):
        tried = [unshare, *flags, "sh", "-c", "ip link set lo up"]
        if subprocess.run(tried, capture_output=True, check=False).returncode == 0:
            return [unshare, *flags]
    return None


@pytest.mark.mdns
def test_table_is_found_over_mdns(tmp_path):
    """Over real mDNS a table is found, updated and removed, and guests and a stranger join it.

    This runs in a separate network namespace, so as not to disturb the network. If the system
    grants none, nothing is tested here.
    """
    if os.environ.get(IN_NAMESPACE):
        trio.run(_find_change_lose)
        trio.run(_host_and_find, tmp_path)
        trio.run(_meet_a_stranger, tmp_path)
        return
    command = in_own_namespace()
    if command is None:
        return
    test = f"{Path(__file__).resolve()}::{test_table_is_found_over_mdns.__name__}"
    inner = (
        f'ip link set lo up && exec "{sys.executable}" -m pytest -q -p no:cacheprovider "{test}"'
    )
    result = subprocess.run(
        [*command, "sh", "-c", inner],
        env=os.environ | {IN_NAMESPACE: "1"},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


async def _find_change_lose():
    listeners = await open_listeners(Listen(LOOPBACK, 0))
    ad = replace(AD, addresses=(), port=listeners[0].port)
    troubles = []
    async with browse() as browser:
        async with trio.open_nursery() as nursery:
            advert = Described(ad)
            nursery.start_soon(advert.advertise, troubles.append)
            await _until(browser, lambda tables: len(tables) == 1)
            found = browser.tables[0]
            assert replace(found, addresses=()) == ad
            async with browse() as late:
                await _until(late, lambda tables: len(tables) == 1)
            advert.update(replace(ad, seats_taken=4, phase="playing"))
            await _until(browser, lambda tables: tables[0].seats_taken == 4)
            nursery.cancel_scope.cancel()
        await _until(browser, lambda tables: not tables)
    assert not troubles
    for listener in listeners:
        listener.close()


def _hosting(data_dir):
    settings = Settings("standard", (), 6, 3, 1, 0)
    return HostOptions(name="Ann", settings=settings, data_dir=data_dir, bots=(BotLevel.NORMAL,))


async def _host_and_find(tmp_path):
    async with host_table(_hosting(tmp_path / "ann")) as host:
        (ad,) = await find_tables(10, at_least=1)
        assert (ad.name, ad.seats_taken, ad.seats_offered) == ("Ann", 2, 3)
        assert ad.code_number == host.door.code.number
        guest = JoinOptions(name="Ben", data_dir=tmp_path / "ben", code=str(host.door.code))
        async with join_table(guest, ad) as node:
            await until(node, lambda view: len(view.seats) == 3)
    assert await find_tables(0.5) == ()


async def _meet_a_stranger(tmp_path):
    """Let a stranger who knows only peer.md find the table and join at the announced port."""
    async with host_table(_hosting(tmp_path / "eve's")) as host:
        found = await trio.to_thread.run_sync(mdns.look)
        code, view = host.door.code, host.view()
        said = {"v": str(PROTOCOL_VERSION), "preset": "standard", "set": "6"}
        said |= {"id": view.table_id.hex(), "name": "Ann", "phase": "lobby"}
        said |= {"taken": "2", "seats": "3"}
        said |= {"fp": mdns.fingerprint(host.key), "code": str(code.number)}
        assert found.txt == said
        assert found.instance == f"{said['id'][:12]}-{said['fp']}"
        assert found.port == host.port
        async with visit(found.port, key_of("eve"), "eve", str(code)) as eve:
            assert mdns.fingerprint(eve.channel.key) == found.txt["fp"]
            await eve.follow(lambda eve: eve.is_level)


async def _until(browser, condition):
    while True:
        changed = browser.when_changed()
        if condition(browser.tables):
            return
        await changed.wait()
