"""What a core decides, done in order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

import trio

from netgame.io.disk.keeper import Keeper
from netgame.io.node.alarm import Alarm
from netgame.io.node.live_links import LiveLinks
from netgame.io.node.workers import Workers
from netgame.protocol.notices import Notice
from netgame.protocol.peer import effects as fx


@dataclass(frozen=True, slots=True)
class Executor:
    """The hands of a core: the disk, links, threads, an alarm, and a voice for the person."""

    keeper: Keeper
    links: LiveLinks
    workers: Workers
    alarm: Alarm
    tell: Callable[[Notice], None]
    finished: trio.Event

    async def carry_out(self, effects: tuple[fx.Effect, ...]) -> None:
        """Do what the core decided; several records in a row share one sync. `DiskTrouble`."""
        for effect in effects:
            if not isinstance(effect, fx.Persist | fx.Journalled):
                await self.keeper.settle()
            await self._do(effect)
        await self.keeper.settle()

    async def _do(self, effect: fx.Effect) -> None:  # noqa: C901 - one branch an effect
        match effect:
            case fx.Persist() | fx.Journalled():
                await self.keeper.keep(effect)
            case fx.Send() | fx.Dial() | fx.Drop():
                self.links.do(effect)
            case fx.Work():
                self.workers.start(effect)
            case fx.Wake(at):
                self.alarm.set(at)
            case fx.Notify(notice):
                self.tell(notice)
            case fx.StartAnew():
                await self.keeper.restart()
            case fx.SaveEvidence(name, content):
                await self.keeper.save_evidence(name, content)
            case fx.Finished():
                await self.keeper.finish()
                self.finished.set()
            case _:
                assert_never(effect)
