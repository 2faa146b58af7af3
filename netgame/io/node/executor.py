"""Carrying out a core's effects in order: on the disk, over links, in threads, at set times."""

import ctypes
import math
import os
import sys
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import msgspec
import trio
import trio.lowlevel
from msgspec import Struct

from netgame.io.disk.keeper import Keeper
from netgame.io.door.link_pool import LinkPool
from netgame.io.work import apart
from netgame.protocol.notices import Notice
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.driver import PeerLink, Woken, WorkDone, carry_out

_LIBC: Final = ctypes.CDLL(None) if sys.platform == "linux" else None
_SET: Final = getattr(_LIBC, "mallopt", lambda *_: 0)
_GIVE_BACK: Final = getattr(_LIBC, "malloc_trim", lambda _: 0)
"""The GNU C library keeps the memory that a deal needed, several MiB, and a heap for each thread;
this returns it to the system.
"""
_M_ARENA_MAX: Final = -8


@dataclass(slots=True, eq=False)
class Executor:
    """The part of a node that carries out the effects of its core."""

    keeper: Keeper
    pool: LinkPool
    aliases: Mapping[str, str] | None
    """Maps addresses that a peer may name to the addresses to dial, if given."""
    tell: Callable[[Notice], None]
    finished: trio.Event
    """Set by the effect `Finished`."""
    deliver: Callable[[WorkDone | Woken], Awaitable[None]]
    """Awaited with the results of work, and with the alarm."""
    nursery: trio.Nursery = field(init=False)
    """Runs the work. The owner sets it first and keeps it open until the last effect."""
    links: dict[fx.PeerKey, PeerLink] = field(default_factory=dict)
    """The links that the core knows of, one to each peer."""
    _wake_at: float = math.inf
    _asleep: trio.CancelScope = field(default_factory=trio.CancelScope)

    async def run(self) -> None:
        """Deliver `Woken` whenever the alarm set by `wake` is due, until cancelled."""
        _SET(_M_ARENA_MAX, 1)
        while True:
            with trio.CancelScope(deadline=self._wake_at) as self._asleep:
                await trio.sleep_forever()
            if trio.current_time() >= self._wake_at:
                self._wake_at = math.inf
                await self.deliver(Woken())

    async def carry_out(self, effects: fx.Effects) -> None:
        """Carry out the core's effects in order; return once all that must be on disk is there.

        Consecutive records share one sync. Raises `DiskTrouble`.
        """
        while effects := self.begin(effects):
            await self.keeper.settle()
            match effects[0]:
                case fx.Persist() | fx.Journalled():
                    await self.keeper.open()
                    continue
                case fx.SaveEvidence(name, content):
                    await self.keeper.save_evidence(name, content)
                case fx.Finished():
                    await self.keeper.finish()
                    self.pool.rest()
                    self.finished.set()
                case _:
                    continue  # it only waited for the disk
            effects = effects[1:]
        await self.keeper.settle()

    def begin(self, effects: fx.Effects) -> fx.Effects:
        """Carry out effects up to the first one that must wait; return that one and the rest.

        If none is left, appended records may still have to be synced: see `Keeper.is_settled`.
        Raises `DiskTrouble`.
        """
        for number, effect in enumerate(effects):
            if not self.keeper.is_settled(before=effect) or not carry_out(effect, self, self.links):
                return effects[number:]
        return ()

    def keep(self, record: fx.Persist | fx.Journalled) -> None:
        """Append this to the table's record or journal, as `Keeper.keep` does."""
        self.keeper.keep(record)

    def keep_dialling(self, peer: fx.PeerKey, addresses: tuple[str, ...]) -> None:
        """Begin to dial a peer, as `LinkPool.keep_dialling` does, after resolving `aliases`."""
        if self.aliases is not None:
            addresses = tuple(self.aliases.get(address, address) for address in addresses)
        self.pool.keep_dialling(peer, addresses)

    def work(self, work: fx.Work) -> None:
        """Begin a piece of work in a thread, and return at once; `deliver` gets the result later.

        Nodes of this process that want the same work share one result. Errors of the work are
        raised in the `nursery`.
        """
        self.nursery.start_soon(self._work, work)

    def wake(self, at: float) -> None:
        """Set the only alarm to this time of trio's clock; infinity sets none."""
        if at != self._wake_at:
            self._wake_at = self._asleep.deadline = at

    async def _work(self, work: fx.Work) -> None:
        # The thread is abandoned when this peer leaves: nobody needs its result then.
        run = trio.lowlevel.current_trio_token()
        limiter = _limiters(run)[work.long]
        made = _Made() if work.same is None else _made(run, work.same)
        async with made.making:
            if not made.results:
                made.results.append(await apart(work.run, limiter=limiter, is_left_behind=True))
                if work.long:
                    _GIVE_BACK(0)
        await self.deliver(WorkDone(work.job, made.results[0]))


class _Made(Struct, eq=False):
    """A piece of work that several nodes share: `results` is empty until its one result is there.

    The first task to get the lock `making` does the work; if it is cancelled, the next one does it.
    """

    making: trio.Lock = msgspec.field(default_factory=trio.Lock)
    results: list[object] = []


@lru_cache(32)
def _made(_run: trio.lowlevel.TrioToken, _same: Hashable) -> _Made:
    """Return the `_Made` that all nodes of a process share for the same work.

    Only the 32 used last are kept.
    """
    return _Made()


@lru_cache(1)
def _limiters(_run: trio.lowlevel.TrioToken) -> tuple[trio.CapacityLimiter, trio.CapacityLimiter]:
    """Return two limiters for all nodes of a process: one for short work, one for long work.

    They are separate so that no turn has to wait for the next round's deal. Each allows one thread
    for each core.
    """
    cores = os.cpu_count() or 1
    return trio.CapacityLimiter(cores), trio.CapacityLimiter(cores)
