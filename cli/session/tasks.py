"""Everything that a session needs from trio: concurrent tasks, time, threads.

The rest of the session waits only through this module and the events of its node. To run sessions
on another loop, rewrite this module and nothing else.
"""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, TypeVar

import trio

from engine.bots.pieces import Pieces
from netgame.io.work import apart, breathing, call_back, check_wanted

T = TypeVar("T")

Tasks: TypeAlias = trio.Nursery
"""The tasks of one session, which end with it."""

Lock: TypeAlias = trio.Lock
Stoppable: TypeAlias = trio.CancelScope
"""A block that its holder can cancel."""
open_tasks: Final = trio.open_nursery
sleep: Final = trio.sleep
now: Final = trio.current_time


async def within(seconds: float, wait: Callable[[], Awaitable[object]]) -> bool:
    """Wait at most this many seconds for `wait` to return; return whether it did.

    Cancel `wait` once the time is up.
    """
    with trio.move_on_after(max(0.0, seconds)) as waiting:
        await wait()
    return not waiting.cancelled_caught


class Signal:
    """A signal for one waiting task, which comes when somebody gives it or when its time is up."""

    def __init__(self) -> None:
        self._given, self._waiting = trio.Event(), trio.CancelScope()

    @property
    def is_given(self) -> bool:
        """True once somebody has given the signal; False if only its time has come."""
        return self._given.is_set()

    def give(self) -> None:
        """Give the signal for good: a wait that begins later returns at once."""
        self._given.set()

    def come_after(self, seconds: float) -> None:
        """Make the signal come after this many seconds, unless somebody gives it first."""
        self._waiting.deadline = now() + seconds

    async def wait(self) -> None:
        """Return once the signal is given, or its time has come; `is_given` tells which.

        Only one task may wait, and only once.
        """
        with self._waiting:
            await self._given.wait()


async def in_thread(work: Callable[[], T], *, is_left_behind: bool = False) -> T:
    """Do `work` in a thread, or at once where there are no threads; return its result.

    Raise any exception of `work`. When cancelled, wait for the thread to end before returning,
    unless it `is_left_behind`.
    """
    return await apart(work, is_left_behind=is_left_behind)


async def in_breaths(pieces: Pieces[T], *, is_left_behind: bool = False) -> T:
    """Do work that is split into pieces, in a thread if there are threads, and return its result.

    Exceptions and `is_left_behind` are as for `in_thread`.
    """
    return await breathing(pieces, is_left_behind=is_left_behind)


def from_thread(call: Callable[[], object] | None) -> None:
    """From a thread started by `in_thread` or `in_breaths`, run `call` in the loop and wait for it.

    If `call` is None, run nothing. In either case raise `trio.Cancelled`, which ends the thread, if
    nobody waits for the thread any more.
    """
    check_wanted()
    if call is not None:
        call_back(call)
