"""What a core decides, done in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

import trio

from netgame.io.disk.keeper import Keeper
from netgame.io.node.alarm import Alarm
from netgame.io.node.live_links import LinkEffect, LiveLinks
from netgame.io.node.workers import Workers
from netgame.protocol.notices import Notice
from netgame.protocol.peer.effects import (
    Dial,
    Drop,
    Effect,
    Finished,
    Journalled,
    Notify,
    Persist,
    SaveEvidence,
    Send,
    StartAnew,
    Wake,
    Work,
)


@dataclass(frozen=True, slots=True)
class Executor:
    """The hands of a core: the disk, links, threads, an alarm, and a voice for the person."""

    keeper: Keeper
    links: LiveLinks
    workers: Workers
    alarm: Alarm
    tell: Callable[[Notice], None]
    finished: trio.Event

    async def carry_out(self, effects: tuple[Effect, ...]) -> None:
        """Do what the core decided; several records in a row share one sync. `DiskTrouble`."""
        for effect in effects:
            if isinstance(effect, Persist | Journalled):
                await self.keeper.keep(effect)
            else:
                await self.keeper.settle()
                await self._do(effect)
        await self.keeper.settle()

    async def _do(
        self, effect: LinkEffect | StartAnew | SaveEvidence | Work | Wake | Notify | Finished
    ) -> None:
        match effect:
            case Send() | Dial() | Drop():
                self.links.do(effect)
            case Work():
                self.workers.start(effect)
            case Wake(at):
                self.alarm.set(at)
            case Notify(notice):
                self.tell(notice)
            case StartAnew():
                await self.keeper.restart()
            case SaveEvidence(name, content):
                await self.keeper.save_evidence(name, content)
            case Finished():
                await self.keeper.finish()
                self.finished.set()
            case _:
                assert_never(effect)
