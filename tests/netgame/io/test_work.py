"""Long work runs beside the event loop; with only one thread, the two take turns."""

from contextlib import contextmanager
from itertools import pairwise

import pytest
import trio

from engine.bots.levels import BotLevel
from netgame.io import clock
from netgame.io.abilities import ABILITIES, Abilities
from netgame.io.disk.memory import IN_MEMORY, in_memory
from netgame.io.disk.record_file import read_record
from netgame.io.tables.host import host_table
from netgame.io.tables.options import ReachedBy
from netgame.io.work import BREATH_S, apart, breathing, call_back, check_wanted
from netgame.protocol.ledger.verification import verify_record
from tests.netgame.io.tables.test_tables import finish, host_options


@contextmanager
def one_thread():
    """Allow no second thread within the block; a call that needs one fails."""

    def fail(*_args, **_more):
        raise AssertionError("a thread, where there are none")

    before = ABILITIES.set(Abilities(has_threads=False))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trio.to_thread, "run_sync", fail)
        patch.setattr(trio.from_thread, "run_sync", fail)
        patch.setattr(trio.from_thread, "check_cancelled", fail)
        yield
    ABILITIES.reset(before)


@pytest.fixture
def a_second_a_look(monkeypatch):
    """Let the clock advance by a quarter of `BREATH_S` whenever it is read."""
    now = 0.0

    def seconds():
        nonlocal now
        now += BREATH_S / 4
        return now

    monkeypatch.setattr(clock, "seconds", seconds)


def counting(count, done):
    """Work in `count` pieces, and note each in `done`; return the count at the end."""
    for number in range(count):
        done.append(number)
        yield
    return count


@pytest.mark.usefixtures("a_second_a_look")
async def test_others_run_again_and_again_while_one_thread_thinks():
    """With only one thread, long work lets other tasks run after every breath or two of work."""
    done, seen = [], []

    async def look():
        while True:
            seen.append(len(done))
            await trio.lowlevel.checkpoint()

    with one_thread():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(look)
            assert await breathing(counting(100, done)) == 100
            nursery.cancel_scope.cancel()
    # trio runs due tasks in any order, so a turn of the others may come after the next breath
    assert all(later - before <= 8 for before, later in pairwise(seen))
    assert len(set(seen)) > 10


@pytest.mark.usefixtures("a_second_a_look")
async def test_what_nobody_waits_for_ends_with_a_piece():
    """Work that is cancelled ends with its current piece and is closed."""
    done, closed = [], []

    def pieces():
        try:
            yield from counting(99, done)
        finally:
            closed.append(True)

    with one_thread(), trio.CancelScope() as scope:
        scope.cancel()
        await breathing(pieces())
    with one_thread():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(breathing, pieces())
            for _ in range(3):
                await trio.lowlevel.checkpoint()
            nursery.cancel_scope.cancel()
    assert 0 < len(done) < 99
    assert closed == [True]


@pytest.mark.parametrize("has_threads", [True, False])
async def test_work_comes_to_the_same_with_and_without_threads(has_threads):
    """Work gives the same result or error with threads and without, and frees its limiter."""
    limiter, log = trio.CapacityLimiter(1), []

    def work():
        check_wanted()
        call_back(lambda: log.append("called"))
        return "done"

    def fails():
        yield
        raise ZeroDivisionError

    before = ABILITIES.set(Abilities(has_threads=has_threads))
    assert await apart(work, limiter=limiter) == "done"
    assert await breathing(counting(3, []), limiter=limiter) == 3
    with pytest.raises(ZeroDivisionError):
        await breathing(fails(), limiter=limiter)
    assert limiter.borrowed_tokens == 0
    assert log == ["called"]
    ABILITIES.reset(before)


async def test_a_game_is_played_in_one_thread_and_leaves_no_file(tmp_path, jumping_clock):
    """A game in one thread, with its files in memory, is played to the end and verified.

    It writes nothing to the disk.
    """
    levels = {"level": BotLevel.EXPERT, "bots": 1, "data_dir": IN_MEMORY}
    options = host_options(tmp_path, 2, reach=ReachedBy.PROGRAM, **levels)
    with one_thread(), in_memory():
        async with host_table(options) as host:
            await finish(host)
            assert verify_record(read_record(host.folder.record.path), bytes).finished
    assert not [*tmp_path.iterdir()]
    assert not IN_MEMORY.exists()
