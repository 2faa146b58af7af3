"""Work that would hold up everything else: blocking calls and long computations.

All such work uses this module, as `tests/test_doors.py` checks, and runs in threads. Where there
are no threads, it holds up everything else until it is done, unless it comes in pieces: between
these, other tasks can run (`breathing`).
"""

from collections.abc import Callable
from contextlib import closing, nullcontext
from functools import partial
from typing import Final, TypeVar

import trio
import trio.lowlevel

from engine.bots.pieces import Pieces, run_out
from netgame.io import clock
from netgame.io.abilities import ABILITIES

T = TypeVar("T")

BREATH_S: Final = 0.008
"""Seconds for which work without threads holds up other tasks: a typed key still echoes at once."""


async def apart(
    work: Callable[[], T],
    *,
    limiter: trio.CapacityLimiter | None = None,
    is_left_behind: bool = False,
) -> T:
    """Do `work` in a thread, once the limiter has room; return its result, or raise its error.

    If the caller is cancelled, it still waits for the work to end, unless `is_left_behind`. Where
    there are no threads, all other tasks wait for the work.
    """
    if not ABILITIES.get().has_threads:
        async with limiter or nullcontext():
            await trio.lowlevel.checkpoint()
            return work()
    return await trio.to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=is_left_behind)


async def breathing(
    pieces: Pieces[T], *, limiter: trio.CapacityLimiter | None = None, is_left_behind: bool = False
) -> T:
    """Do work as `apart` does; without threads, let other tasks run after every `BREATH_S`.

    Without threads, a cancelled caller stops the next time that other tasks run.
    """
    if ABILITIES.get().has_threads:
        return await apart(partial(run_out, pieces), limiter=limiter, is_left_behind=is_left_behind)
    async with limiter or nullcontext():
        with closing(pieces):
            return await _breathed(pieces)


async def _breathed(pieces: Pieces[T]) -> T:
    """Do all the pieces and return their result; let other tasks run after every `BREATH_S`."""
    while True:
        await trio.lowlevel.checkpoint()
        until = clock.seconds() + BREATH_S
        while clock.seconds() < until:
            try:
                next(pieces)
            except StopIteration as end:
                result: T = end.value
                return result


def check_wanted() -> None:
    """Raise `trio.Cancelled`, from work in a thread, if the task that awaits it was cancelled.

    Does nothing where there are no threads.
    """
    if ABILITIES.get().has_threads:
        trio.from_thread.check_cancelled()


def call_back(call: Callable[[], object]) -> None:
    """Run `call` in the event loop, from work in a thread, and wait for it to return."""
    if ABILITIES.get().has_threads:
        trio.from_thread.run_sync(call)
    else:
        call()
