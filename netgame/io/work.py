"""Work that would hold up everything else: calls that block, and what takes long to compute.

All of it goes through here (`tests/test_doors.py`). It is done in threads. In a place without
threads it is done at once, and holds up all others until it is over; but work that comes in pieces
lets them run again and again (`breathing`).
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
"""Without threads, work holds the others up for hardly longer: a key is echoed as if at once."""


async def apart(
    work: Callable[[], T],
    *,
    limiter: trio.CapacityLimiter | None = None,
    is_left_behind: bool = False,
) -> T:
    """Do `work` in a thread, once the limiter has room; return its result, or raise its error.

    A cancelled wait ends only with the thread, unless that `is_left_behind`. Without threads the
    others wait for the work.
    """
    if not ABILITIES.get().has_threads:
        async with limiter or nullcontext():
            await trio.lowlevel.checkpoint()
            return work()
    return await trio.to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=is_left_behind)


async def breathing(
    pieces: Pieces[T], *, limiter: trio.CapacityLimiter | None = None, is_left_behind: bool = False
) -> T:
    """Do work as `apart`; where there are no threads the others run after every `BREATH_S`.

    There a cancelled wait ends with the piece that is being done.
    """
    if ABILITIES.get().has_threads:
        return await apart(partial(run_out, pieces), limiter=limiter, is_left_behind=is_left_behind)
    async with limiter or nullcontext():
        with closing(pieces):
            return await _breathed(pieces)


async def _breathed(pieces: Pieces[T]) -> T:
    """Do all pieces, and let the others run after every `BREATH_S`."""
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
    """Raise `trio.Cancelled` in work of a thread if nobody waits for it any more."""
    if ABILITIES.get().has_threads:
        trio.from_thread.check_cancelled()


def call_back(call: Callable[[], object]) -> None:
    """Call in the loop from such work, and wait for that."""
    if ABILITIES.get().has_threads:
        trio.from_thread.run_sync(call)
    else:
        call()
