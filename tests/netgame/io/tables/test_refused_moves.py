"""A faulty strategy chooses moves that are refused, and no program ends because of that."""

import trio
from msgspec.structs import replace

from engine.bots.levels import BotLevel
from engine.table.moves import Pass
from netgame.io.tables import bot
from netgame.io.tables.bot import play_seat
from netgame.io.tables.host import host_table
from netgame.protocol.notices import SeatsLeft, Trouble, TroubleKind
from tests.netgame.io.tables.test_tables import (
    GAME_LIMIT_S,
    finish,
    host_options,
    hosts,
    is_over,
    notices_of,
    until,
)

chosen = bot._chosen


def passes(view, table, level, *rest):
    """Choose a move as usual, but at the easy level return a pass, like a faulty strategy."""
    move = yield from chosen(view, table, level, *rest)
    return Pass(view.seat) if level is BotLevel.EASY else move


async def test_a_bot_whose_move_is_refused_leaves_and_the_game_goes_on(
    tmp_path, monkeypatch, jumping_clock
):
    """A bot whose move is refused leaves, and the game goes on.

    Its host is told that a move of a bot was refused.
    """
    monkeypatch.setattr(bot, "_chosen", passes)
    options = replace(host_options(tmp_path, 3), bots=(BotLevel.EASY, BotLevel.NORMAL))
    async with host_table(options) as host:
        await until(host, lambda view: len(view.seats) == 3)
        name = next(info.name for info in host.view().seats if info.key == host.bots[0].key)
        await finish(host)
        told = notices_of(host, Trouble | SeatsLeft)
    refused = [each for each in told if isinstance(each, Trouble)]
    assert [(each.kind, each.of_bot) for each in refused] == [(TroubleKind.MOVE_REFUSED, True)]
    assert SeatsLeft((name,)) in told


async def test_a_seat_whose_own_bot_is_refused_stays(tmp_path, monkeypatch, jumping_clock):
    """If a move by a person's own bot is refused, the seat stays: the person can still move."""
    monkeypatch.setattr(bot, "_chosen", passes)
    async with hosts(tmp_path, 2, auto=False, bots=1) as host:
        with trio.fail_after(GAME_LIMIT_S):
            refusal = await play_seat(host, BotLevel.EASY, bytes)
        assert not is_over(host.view())
        assert not host.paused
        (trouble,) = notices_of(host, Trouble)
        assert trouble == Trouble(TroubleKind.MOVE_REFUSED, (refusal.code.value,))
