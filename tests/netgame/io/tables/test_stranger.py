"""An independent peer meets real tables: it watches a game, takes a seat, talks and votes.

This *stranger* is in `tests/conformance`. It was written from protocol.md and docs/peer.md
alone, and imports nothing of the program.
"""

from contextlib import asynccontextmanager

import trio

from netgame.io.node.question import Granted
from netgame.io.tables.host import host_table
from netgame.protocol.notices import ChatHeard
from netgame.protocol.peer.view import TableStage
from tests.conformance.channel import key_of, public
from tests.conformance.stranger import visit
from tests.netgame.io.tables.test_tables import (
    agree,
    finish,
    host_options,
    settings,
    until,
    verified,
)

LIMIT_S = 600
NAMES = {key_of(name): name for name in ("eve", "zoe")}
EVE, ZOE = NAMES


def table_of(tmp_path, **more):
    """Return the options of Ann's table: one bot sits at it, and her own seat plays by itself."""
    options = {"settings": settings(3), "bots": 1, "start_at": None, "open": False}
    return host_options(tmp_path, 0, **options | more)


@asynccontextmanager
async def table(tmp_path, **more):
    """Open Ann's table for the block, which must end within `LIMIT_S`."""
    with trio.fail_after(LIMIT_S):
        async with host_table(table_of(tmp_path, **more)) as host:
            yield host


@asynccontextmanager
async def come(host, key, **more):
    """Bring a stranger to a table, with the table's code if there is one; let it read the log.

    Yield the stranger.
    """
    async with visit(host.port, key, NAMES[key], str(host.door.code or ""), **more) as guest:
        await guest.follow(lambda guest: guest.is_level)
        yield guest


async def sit(guest):
    """Ask for a seat, and wait until the stranger has it."""
    await guest.ask()
    await guest.follow(lambda guest: guest.sits)


async def test_a_stranger_watches_a_whole_game(tmp_path, jumping_clock):
    """A stranger proves the code, follows a whole game, and agrees on every head and the end."""
    async with table(tmp_path) as host:
        async with come(host, ZOE) as zoe:
            await zoe.watch()
            assert await host.begin() == Granted()
            await zoe.follow(lambda zoe: zoe.fold.phase == "over")
            assert host.view().watchers == ("zoe",)
            assert zoe.fold.head == host.view().head
            await zoe.follow(lambda zoe: zoe.fold.step in zoe.heads_checked)
        await finish(host)
        agree([host, *host.bots])
    assert not zoe.heads_ahead


async def test_strangers_hear_each_other_by_the_host(tmp_path, jumping_clock):
    """Strangers hear each other through the host; each line is signed by its author.

    The person at the host reads the lines of both strangers.
    """
    async with table(tmp_path, bots=0) as host, come(host, ZOE) as zoe, come(host, EVE) as eve:
        await sit(zoe)
        said = {EVE: "may I watch?", ZOE: "of course"}
        for one, other in ((eve, zoe), (zoe, eve)):
            await one.talk(said[one.key])
            line = public(one.key), said[one.key]
            await other.follow(lambda other, line=line: line in other.lines)
        heard = []
        while len(heard) < 2:
            notice = await host.notices.receive()
            if isinstance(notice, ChatHeard):
                heard.append((notice.name, notice.key, notice.text))
    assert heard == [
        ("eve (watching)" if key is EVE else "zoe", public(key), said[key]) for key in said
    ]


async def test_a_stranger_sits_until_the_first_deal(tmp_path, jumping_clock):
    """A stranger takes a seat, signs roster and coin, and leaves at the first deal.

    The game still ends, with a good record.
    """
    async with table(tmp_path, bots=0) as host:
        async with come(host, ZOE) as zoe:
            await sit(zoe)
            assert await host.begin() == Granted()
            await zoe.follow(lambda zoe: zoe.fold.phase == "deal")
            assert len(zoe.fold.seats) == 2
            await zoe.leave()
            assert zoe.fold.head == host._core.ledger.head_before(zoe.fold.step)
        await until(host, lambda view: view.stage is TableStage.OVER)
        agree([host])
        record = host.folder.record.path
    assert verified(record).finished


async def test_a_stranger_decides_with_others_who_goes(tmp_path, jumping_clock):
    """A stranger votes on a bot's farewell; without its vote the bot could not leave."""
    async with table(tmp_path) as host:
        async with come(host, ZOE) as zoe:
            await sit(zoe)
            assert await host.begin() == Granted()
            await zoe.follow(lambda zoe: zoe.fold.phase == "deal")
            session = zoe.fold.id
            (bot,) = host.bots
            await bot.farewell()
            await zoe.follow(lambda zoe: zoe.fold.gone)
            assert {zoe.fold.seats[seat] for seat in zoe.fold.gone} == {bot.key}
            assert zoe.fold.id != session == zoe.fold.session
            seat = zoe.fold.seat_of(public(ZOE))
            signed = [each.tag for each in zoe.reader.certificates[-1] if each.author == seat]
            assert {"promise", "accept"} <= set(signed)
            await zoe.leave()
        await until(host, lambda view: view.stage is TableStage.OVER)
        assert zoe.fold.head == host._core.ledger.head_before(zoe.fold.step)
