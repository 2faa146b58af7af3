"""What takes long, in threads."""

import math
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio
import trio.lowlevel

from netgame.protocol.peer.effects import Work

_Limiters: TypeAlias = tuple[trio.CapacityLimiter, trio.CapacityLimiter]
_LIMITERS: Final = trio.lowlevel.RunVar[_Limiters]("_LIMITERS")


@dataclass(frozen=True, slots=True)
class WorkDone:
    """What a piece of work came to."""

    job: int
    result: object


class Workers:
    """Runs what a core wants worked out; each result is awaited in `deliver`."""

    def __init__(self, deliver: Callable[[WorkDone], Awaitable[None]]) -> None:
        self._deliver = deliver
        self._given, self._wanted = trio.open_memory_channel[Work](math.inf)

    def start(self, work: Work) -> None:
        """Have this worked out."""
        self._given.send_nowait(work)

    async def run(self) -> None:
        """Work until cancelled."""
        async with trio.open_nursery() as nursery:
            async for work in self._wanted:
                nursery.start_soon(self._work, work)

    async def _work(self, work: Work) -> None:
        # Abandoned when this peer leaves: what it made is of no use to anybody then.
        limiter = _limiters()[work.long]
        result = await trio.to_thread.run_sync(work.run, limiter=limiter, abandon_on_cancel=True)
        await self._deliver(WorkDone(work.job, result))


def _limiters() -> _Limiters:
    """Two for all nodes of a process, so that no turn waits for the next round's deal.

    Threads beyond the cores would only wait for each other.
    """
    try:
        return _LIMITERS.get()
    except LookupError:
        cores = max(1, os.cpu_count() or 1)
        limiters = trio.CapacityLimiter(cores), trio.CapacityLimiter(cores)
        _LIMITERS.set(limiters)
        return limiters
