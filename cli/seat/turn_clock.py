"""A reminder for somebody who thinks for long; it forces nothing, and nobody else hears of it."""

from dataclasses import dataclass
from typing import Final

import trio

from cli.scene import forced_move, scene_of
from cli.seat.frontend import FrontEnd
from netgame.io.node.node import Node

_TICK_S: Final = 5


@dataclass(frozen=True, slots=True)
class TurnClock:
    """Tells how long a turn takes once that is `after_s`; with `ticks` again and again."""

    node: Node
    front: FrontEnd
    after_s: float
    ticks: bool

    async def watch(self) -> None:
        """Watch every turn of this seat."""
        while True:
            changed = self.node.when_changed()
            if (step := self._step()) is None:
                await changed.wait()
                continue
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._think)
                while self._step() == step:
                    await changed.wait()
                    changed = self.node.when_changed()
                nursery.cancel_scope.cancel()
            self.front.thinking(None)

    def _step(self) -> int | None:
        """Return the step of a turn in which there is something to choose, or None."""
        view = self.node.view()
        scene = scene_of(view) if view.can_move else None
        return None if scene is None or forced_move(scene) is not None else view.step

    async def _think(self) -> None:
        """Ring once; then count."""
        began = trio.current_time()
        await trio.sleep(self.after_s)
        self.front.thinking(round(self.after_s), first=True)
        while self.ticks:
            await trio.sleep(_TICK_S)
            self.front.thinking(round(trio.current_time() - began))
