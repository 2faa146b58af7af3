"""A private reminder to somebody who thinks for a long time; it forces nothing."""

import math
from dataclasses import dataclass
from typing import Final

from cli.scene import forced_move, scene_of
from cli.session.frontend import FrontEnd
from cli.session.tasks import now, within
from netgame.io.node.node import Node

_TICK_S: Final = 5


@dataclass(frozen=True, slots=True)
class TurnClock:
    """A clock that shows a turn's length once it reaches `after_s` seconds.

    With `ticks`, it shows the length again every 5 seconds after that.
    """

    node: Node
    front: FrontEnd
    after_s: float
    ticks: bool
    asks_draw: bool = False
    """True if the program asks the player before it draws for them."""

    async def watch(self) -> None:
        """Time every turn of this seat that waits for its player, until cancelled.

        When such a turn is over, call `thinking(None)` of the front end.
        """
        while True:
            changed = self.node.when_changed()
            if (step := self._step()) is None:
                await changed.wait()
                continue
            began, due = now(), self.after_s
            while self._step() == step:
                if not await within(began + due - now(), changed.wait):
                    is_first = due == self.after_s
                    self.front.thinking(round(due if is_first else now() - began), first=is_first)
                    due = due + _TICK_S if self.ticks else math.inf
                changed = self.node.when_changed()
            self.front.thinking(None)

    def _step(self) -> int | None:
        """Return the step of a turn that waits for this seat's player; None if none does."""
        view = self.node.view()
        scene = scene_of(view, asks_draw=self.asks_draw) if view.can_move else None
        return None if scene is None or forced_move(scene) is not None else view.step
