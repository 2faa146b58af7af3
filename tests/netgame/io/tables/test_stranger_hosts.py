"""Guests and members that run the program connect to an independent peer.

This *stranger*, in `tests/conformance`, was written from protocol.md and docs/peer.md alone.
"""

import itertools
from contextlib import asynccontextmanager

import pytest
import trio

from netgame.errors import Refused
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel
from netgame.io.door.codes import parse_code
from netgame.io.network.addresses import parse_address
from netgame.io.tables.join import join_table
from netgame.protocol.peer.view import TableStage
from tests.conformance.channel import Ended, key_of, prove, public, reached
from tests.conformance.door import Door
from tests.conformance.host import Host, table_id
from tests.conformance.stranger import Stranger, visit
from tests.netgame.io.tables.test_stranger import EVE, LIMIT_S, table
from tests.netgame.io.tables.test_tables import join_options, until, verified

CODE, NONCE = "7-otter-violin", bytes(range(32))


@asynccontextmanager
async def standing(door, comes_in):
    """Open a stranger's door for the block; yield its address.

    Run `comes_in` with the channel of each caller that the door lets in.
    """

    async def meet(tcp):
        try:
            await comes_in(await door.let_in(tcp))
        except (Ended, trio.BrokenResourceError):
            return  # it only looked who answers

    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, meet, [listener])
        yield f"127.0.0.1:{listener.socket.getsockname()[1]}"
        nursery.cancel_scope.cancel()


async def test_a_guest_sits_at_a_strangers_table(tmp_path, jumping_clock):
    """A guest sits at a stranger's table until the stranger leaves, after the coin.

    The guest's game is then over, and its record is good.
    """
    door = Door(EVE, CODE, table_id(EVE, NONCE))
    hosts = []

    async def host(channel):
        eve = Host(channel, EVE, "eve", NONCE)
        hosts.append(eve)
        await eve.open()
        await eve.admit()
        await eve.follow(lambda eve: eve.fold.phase == "deal")
        await eve.leave()
        await trio.aclose_forcefully(channel.stream)

    with trio.fail_after(LIMIT_S):
        async with (
            standing(door, host) as where,
            join_table(join_options(tmp_path, "ben", code=CODE), where) as ben,
        ):
            await until(ben, lambda view: view.stage is TableStage.OVER)
            record = ben.folder.record.path
            assert [seat.name for seat in ben.view().seats if seat.key == public(EVE)] == ["eve"]
    (eve,) = hosts
    assert len(eve.heads_checked) > 0
    assert verified(record).finished


async def refusal(door):
    """Return the code of the refusal that a guest with the table's code meets at this door."""
    guest = Channel(Identity(bytes(32)))
    with trio.fail_after(LIMIT_S):
        async with standing(door, lambda channel: channel.receive("hello")) as where:
            with pytest.raises(Refused) as refused:
                await guest.connect(parse_address(where), None, parse_code(CODE))
    return refused.value.code


async def test_a_host_that_cannot_show_the_code_is_not_the_one_meant(tmp_path, jumping_clock):
    """A guest refuses a host that cannot prove the code (section 3.6)."""
    door = Door(EVE, CODE, bytes(64), proof=bytes(32))
    assert await refusal(door) == "not-the-host"


async def test_a_guest_with_a_code_says_nothing_where_none_is_asked_for(tmp_path, jumping_clock):
    """A guest with a code leaves a table that asks for none, and sends no proof (section 3.6).

    The `number` 0 says that no code is asked for. Then nothing would show the guest that it is the
    right table.
    """
    door = Door(EVE, CODE, bytes(64), number=0)
    assert await refusal(door) == "no-code-there"
    assert not door.proofs


async def until_head(link):
    """Wait until a new head has come over a link that another task reads."""
    link.head = None
    while link.head is None:  # noqa: ASYNC110
        await trio.sleep(0.2)


@pytest.mark.parametrize("is_lower", [True, False])
async def test_a_member_dials_a_stranger_and_one_of_two_links_stays(
    tmp_path, is_lower, jumping_clock
):
    """A member dials a stranger at the address in the stranger's request (3.3).

    If the stranger dials the member too, only the link that the lower key has dialled stays.
    """
    async with (
        table(tmp_path, open=True, bots=0) as host,
        join_table(join_options(tmp_path, "ben"), f"127.0.0.1:{host.port}") as ben,
    ):
        await until(ben, lambda view: view.sits)
        keys = (key_of(f"zoe {number}") for number in itertools.count())
        zoe = next(key for key in keys if (public(key) < ben.key) == is_lower)
        met, ended, links = trio.Event(), trio.Event(), []

        async def hear(channel):
            assert channel.key == ben.key
            link = Stranger(channel, zoe, "zoe")
            await link.greet()
            links.append(link)
            met.set()
            await link.ends()
            ended.set()

        door = Door(zoe, "", host.view().table_id)
        async with visit(host.port, zoe, "zoe") as guest, standing(door, hear) as where:
            await guest.follow(lambda guest: guest.is_level)
            guest.addresses = (where,)
            await guest.ask()
            await met.wait()
            async with reached(ben.port) as channel:
                await prove(channel, zoe)
                ours = Stranger(channel, zoe, "zoe")
                if is_lower:
                    await ours.greet()
                    await ours.follow(lambda ours: ours.is_level)
                    await ended.wait()
                else:
                    with pytest.raises(Ended):
                        await ours.greet()
                    await until_head(links[0])
        assert len(links) == 1
