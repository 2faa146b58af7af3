"""A program that lacks an ability does without it, or says so in one sentence."""

from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from cli.commands import doctor, tables, verify
from cli.commands.menu_actions import host_others
from cli.exits import as_failure
from cli.screens import pager
from engine.bots.levels import BotLevel
from netgame.errors import NetgameError
from netgame.io.abilities import ABILITIES, Abilities
from netgame.io.discovery.browse import find_tables
from netgame.io.network.interfaces import has_network, own_addresses, read_addresses
from netgame.io.network.listen import Listen, open_listeners
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from tests.netgame.io.tables.test_tables import agree, finish, host_options, join_options, place


@contextmanager
def without(ability):
    """Take one ability away within the block."""
    before = ABILITIES.set(Abilities(**{ability: False}))
    try:
        yield
    finally:
        ABILITIES.reset(before)


@dataclass
class Options:
    """The options given to the commands that are refused."""

    command: str = "tables"
    address: None = None
    json: bool = False


async def of_a_choice():
    """Choose in the menu to host a table for others."""
    await host_others(None)


async def of_any_table():
    """Search for tables."""
    await find_tables(1.0)


async def of_a_port():
    """Open a port for a seat."""
    await open_listeners(Listen())


CANNOT_COME = (
    "Nobody can come to a table that is opened here; join somebody's, or play against bots."
)


@pytest.mark.parametrize(
    ("ability", "wanted", "sentence"),
    [
        ("listens", of_a_port, CANNOT_COME),
        ("listens", of_a_choice, CANNOT_COME),
        (
            "discovers",
            of_any_table,
            "Tables cannot be looked for on this network (this program has no mDNS here); join one "
            "by its address: join HOST:PORT.",
        ),
    ],
)
async def test_what_is_asked_at_a_screen_is_refused_by_one_sentence(ability, wanted, sentence):
    """An action that needs a missing ability is refused with one sentence."""
    with without(ability), pytest.raises(NetgameError) as refused:
        await wanted()
    assert as_failure(refused.value).sentence == sentence


@pytest.mark.parametrize(
    ("ability", "wanted", "sentence"),
    [
        (
            "listens",
            lambda: doctor.run(Options()),
            "A table cannot be hosted from here, so nothing can be wrong with its network.",
        ),
        (
            "discovers",
            lambda: tables.run(Options()),
            "Tables cannot be looked for from here; join one by its address: join HOST:PORT.",
        ),
        (
            "knows_networks",
            read_addresses,
            "This program cannot see the addresses of its computer here.",
        ),
    ],
)
def test_a_command_is_refused_by_one_sentence(ability, wanted, sentence):
    """A command that needs a missing ability is refused with one sentence, before it begins."""
    with without(ability), pytest.raises(NetgameError) as refused:
        wanted()
    assert as_failure(refused.value).sentence == sentence


def test_who_does_not_know_its_networks_takes_it_that_there_is_one():
    """A program that cannot see its networks assumes that there is one."""
    with without("knows_networks"):
        assert own_addresses() == ()
        assert has_network()


async def test_a_guest_to_whom_nobody_can_come_sits_and_plays(tmp_path, jumping_clock):
    """A guest that cannot be reached opens no port, and plays by dialling the others."""
    async with host_table(host_options(tmp_path, 2)) as host:
        with without("listens"):
            async with join_table(join_options(tmp_path, "Ben"), place(host)) as guest:
                assert (guest.port, guest.is_hidden) == (0, True)
                await finish(host, guest)
                agree([host, guest])


async def test_a_seat_says_that_it_plays_in_a_tab(tmp_path, jumping_clock):
    """The seat of a guest in a browser tab is marked so; those of its host and a bot are not."""
    options = replace(host_options(tmp_path, 3), bots=(BotLevel.EASY,))
    async with host_table(options) as host:
        before = ABILITIES.set(Abilities(listens=False, is_tab=True))
        async with join_table(join_options(tmp_path, "Ben"), place(host)) as guest:
            ABILITIES.reset(before)
            await host.until(lambda view: len(view.seats) == 3)
            tabs = [info.name for info in host.view().seats if info.in_tab]
            bots = [info.name for info in host.view().seats if info.bot]
            assert (tabs, len(bots)) == (["Ben"], 1)
            assert not any(info.listens for info in host.view().seats if info.in_tab or info.bot)
            assert guest.key != host.key


def test_where_no_program_can_be_started_there_is_no_pager(monkeypatch):
    """A program that cannot start others uses no pager, whatever PAGER says."""
    monkeypatch.setattr(pager, "can_draw", lambda: True)
    monkeypatch.setenv("PAGER", "more")
    assert pager._pager() == "more"
    with without("starts_processes"):
        assert not pager._pager()


def test_where_no_process_can_be_started_a_record_is_verified_in_this_one(monkeypatch):
    """A program that cannot start processes verifies a long record in its own process."""
    begun = []
    monkeypatch.setattr(verify, "verify_record", lambda _octets, _chance, *more: begun.append(more))
    monkeypatch.setattr(verify.os, "sched_getaffinity", lambda _: range(2), raising=False)
    long = bytes(1 << 20)
    verify._verified(long)
    with without("starts_processes"):
        verify._verified(long)
    assert [len(more) for more in begun] == [1, 0]
