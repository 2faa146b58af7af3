"""How long a bot thinks about its move, and how it thinks while others move."""

from functools import partial
from types import SimpleNamespace

import pytest
import trio

from engine.bots.levels import BotLevel
from engine.bots.pieces import in_pieces
from engine.refusals import Refusal, RefusalReason
from engine.table.table import RoundPhase
from netgame.io.node.question import Granted
from netgame.io.tables import bot
from netgame.io.tables.bot import effort_for_move, play_seat
from netgame.io.tables.host import host_table
from netgame.protocol.peer.view import TableStage
from tests.netgame.io.tables.test_tables import host_options


def test_a_clock_counts_only_where_a_game_need_not_repeat(monkeypatch):
    """In a game from a seed only rollouts limit a bot's thought; in any other a clock does, too.

    In either kind of game, thinking can be stopped.
    """
    monkeypatch.setattr(bot, "THOUGHT_S", 0.0)
    assert not effort_for_move(repeats=False).lasts()
    assert effort_for_move(repeats=True).lasts()
    for repeats in (False, True):
        assert not effort_for_move(repeats=repeats, is_stopped=lambda: True).lasts()


class Waiting:
    """A stand-in for a bot's node; another player is to move until the game is over."""

    paused = waiting = None

    def __init__(self):
        self.stage = TableStage.PLAYING
        self.changed = trio.Event()

    def when_changed(self):
        """Return the event that the next change sets."""
        return self.changed

    def view(self):
        """Return a view of a table in play, at which seat 1 is to move."""
        table = SimpleNamespace(phase=RoundPhase.PLAY, to_move=1)
        return SimpleNamespace(
            stage=self.stage,
            can_move=False,
            table=table,
            seat=0,
            hand=None,
            history=(),
            step=1,
            has_ended=self.stage is TableStage.OVER,
        )

    def goes_on(self, stage=TableStage.PLAYING):
        """Set the stage, and wake everybody who waits for a change."""
        self.stage, before, self.changed = stage, self.changed, trio.Event()
        before.set()


@pytest.mark.parametrize(
    ("level", "repeats", "discharges", "thinks_on"),
    [
        (BotLevel.EXPERT, False, False, True),
        (BotLevel.HARD, False, False, True),
        (BotLevel.NORMAL, False, False, False),
        (BotLevel.EXPERT, True, False, False),
        (BotLevel.EXPERT, False, True, False),
    ],
)
async def test_a_bot_thinks_on_while_others_move(
    monkeypatch, level, repeats, discharges, thinks_on
):
    """A strong bot thinks while others move; after each change it goes on with the rollouts left.

    Only expert and hard bots do so, and none does in a game from a seed or on battery.
    """
    node, token, efforts = Waiting(), trio.lowlevel.current_trio_token(), []

    @in_pieces
    def foresee(_view, _entropy, effort, foresight):
        efforts.append(effort)
        foresight.tried += 400
        stages = [TableStage.PLAYING] * 2 + [TableStage.OVER]
        token.run_sync_soon(node.goes_on, stages[len(efforts) - 1])
        while effort.lasts():
            yield

    monkeypatch.setattr(bot, "foresee", foresee)
    monkeypatch.setattr(bot, "on_battery", lambda: discharges)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(play_seat, node, level, bytes, repeats=repeats))
        if not thinks_on:
            await trio.testing.wait_all_tasks_blocked()
            node.goes_on(TableStage.OVER)
    assert [effort.rollouts for effort in efforts] == ([1_000, 600, 200] if thinks_on else [])
    assert all(effort.was_stopped for effort in efforts)


@pytest.mark.parametrize("seed", [7, None])
async def test_bots_of_a_table_from_a_seed_are_told_to_repeat_their_moves(
    tmp_path, monkeypatch, jumping_clock, seed
):
    """The bot of a table from a seed is told to repeat its moves; any other bot is not."""
    repeats, plays = [], trio.Event()

    async def play(*_, **options):
        repeats.append(options["repeats"])
        plays.set()

    monkeypatch.setattr("netgame.io.tables.host.play_seat", play)
    async with host_table(host_options(tmp_path, 2, bots=1, seed=seed)):
        await plays.wait()
    assert repeats == [seed is not None]


async def test_a_bot_that_is_cancelled_stops_thinking(monkeypatch):
    """A cancelled bot stops thinking, so its thread does not delay the end of the program."""
    node, thinks = Waiting(), trio.Event()
    token = trio.lowlevel.current_trio_token()

    @in_pieces
    def foresee(_view, _entropy, effort, _foresight):
        token.run_sync_soon(thinks.set)
        while effort.lasts():
            yield

    monkeypatch.setattr(bot, "foresee", foresee)
    monkeypatch.setattr(bot, "on_battery", lambda: False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_seat, node, BotLevel.EXPERT, bytes)
        await thinks.wait()
        nursery.cancel_scope.cancel()


class Opening(Waiting):
    """A seat that lays its opening tile by tile: its table changes, but the log does not."""

    def __init__(self):
        super().__init__()
        self.laid, self.proposed = 0, []

    def view(self):
        """Return a view with the number of tiles laid so far; after two the game is over."""
        table = SimpleNamespace(phase=RoundPhase.PLAY, to_move=0, laid=self.laid)
        stage = TableStage.OVER if self.laid > 1 else TableStage.PLAYING
        return SimpleNamespace(
            stage=stage,
            can_move=True,
            table=table,
            seat=0,
            hand=None,
            history=(),
            position=(b"", table),
            has_ended=stage is TableStage.OVER,
        )

    async def propose(self, move):
        """Accept the move that fits the table as it is now; refuse any other."""
        self.proposed.append(move)
        if move != self.laid:
            return Refusal(RefusalReason.TILE_NOT_HELD)
        self.laid += 1
        return Granted()

    def tell(self, notice):
        """Fail: nothing may be reported."""
        raise AssertionError(notice)


@pytest.mark.parametrize("person_lays_first", [False, True])
async def test_each_tile_of_an_opening_is_chosen_anew(monkeypatch, person_lays_first):
    """Each tile of an opening is chosen for the table as it is at that moment.

    A person may lay the first tile while the program is still thinking about it.
    """
    node, thoughts = Opening(), []

    def chosen(_view, table, *_):
        thoughts.append(table.laid)
        if person_lays_first and not node.laid:
            node.laid += 1
        yield
        return table.laid

    monkeypatch.setattr(bot, "_chosen", chosen)
    assert await play_seat(node, BotLevel.NORMAL, bytes) is None
    assert thoughts == [0, 1]
    assert node.proposed == ([1] if person_lays_first else [0, 1])
