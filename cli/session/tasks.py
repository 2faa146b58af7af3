"""All that a session has of trio: tasks beside one another, time, threads.

The rest of the room waits by what stands here and by the events of its node, so that whoever serves
sessions by another loop writes this module anew, and nothing else.
"""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, TypeVar

import trio

from engine.bots.pieces import Pieces
from netgame.io.work import apart, breathing, call_back, check_wanted

T = TypeVar("T")

Tasks: TypeAlias = trio.Nursery
"""Tasks of one session, which end with it."""

Lock: TypeAlias = trio.Lock
Stoppable: TypeAlias = trio.CancelScope
"""A block that whoever has it can end."""
open_tasks: Final = trio.open_nursery
sleep: Final = trio.sleep
now: Final = trio.current_time


async def within(seconds: float, wait: Callable[[], Awaitable[object]]) -> bool:
    """Wait for something, but no longer than that; return whether it came.

    Once the time is up, `wait` is cancelled.
    """
    with trio.move_on_after(max(0.0, seconds)) as waiting:
        await wait()
    return not waiting.cancelled_caught


class Signal:
    """A signal that one task waits for: somebody gives it, or it comes by itself after a time."""

    def __init__(self) -> None:
        self._given, self._waiting = trio.Event(), trio.CancelScope()

    @property
    def is_given(self) -> bool:
        """Whether somebody has given it; False if only its time has come."""
        return self._given.is_set()

    def give(self) -> None:
        """Give it for good: a wait that begins later returns at once."""
        self._given.set()

    def come_after(self, seconds: float) -> None:
        """Have it come after so many seconds, if nobody gives it before."""
        self._waiting.deadline = now() + seconds

    async def wait(self) -> None:
        """Return once it is given, or its time has come; `is_given` tells which.

        Only one task may wait, and once.
        """
        with self._waiting:
            await self._given.wait()


async def in_thread(work: Callable[[], T], *, is_left_behind: bool = False) -> T:
    """Do `work` in a thread; return its result, or raise what it raises.

    A cancelled wait ends only with the thread, unless that `is_left_behind`.
    """
    return await apart(work, is_left_behind=is_left_behind)


async def in_breaths(pieces: Pieces[T], *, is_left_behind: bool = False) -> T:
    """Do work that comes in pieces, in a thread where there are any, and return its result.

    Else as `in_thread`.
    """
    return await breathing(pieces, is_left_behind=is_left_behind)


def from_thread(call: Callable[[], object] | None) -> None:
    """Call in the loop from such a thread, if there is anything to call, and wait for that.

    Raise `trio.Cancelled`, which ends the thread, if nobody waits for it any more.
    """
    check_wanted()
    if call is not None:
        call_back(call)
