"""What is thought out for a person in a thread of its own: a hint, and whatever takes that long."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TypeVar

from cli.scene import Scene
from cli.session.frontend import FrontEnd, explain
from cli.session.tasks import Signal, Tasks, from_thread, in_thread
from cli.wording.hints import hint_sentence
from engine.bots.advice import advise
from engine.bots.effort import Effort, never
from engine.view import SeatView
from netgame.crypto.group import Entropy
from netgame.io.node.node import Node
from netgame.io.tables.bot import effort_for_move, informed

T = TypeVar("T")


@dataclass(slots=True)
class Thinking:
    """Thinks about the table of one seat; in a game that `repeats` no clock limits it.

    Only one hint is thought about at a time: `_hint` tells it to come at once.
    """

    node: Node
    front: FrontEnd
    tasks: Tasks
    repeats: bool
    _hint: Signal = field(default_factory=Signal)

    async def thought(
        self,
        scene: Scene,
        think: Callable[[SeatView, Entropy, Effort], T],
        is_cut: Callable[[], bool] = never,
    ) -> T:
        """Return what `think` makes, in a thread, of what this seat knows.

        Of the same step it comes to the same in a game from a seed; in others a clock limits it. It
        ends sooner once `is_cut`.
        """
        view = self.node.view()
        chance = Random(view.step).randbytes

        def is_stopped() -> bool:
            from_thread(None)
            return is_cut()

        effort = effort_for_move(repeats=self.repeats, is_stopped=is_stopped)
        return await in_thread(lambda: think(informed(view, scene.table), chance, effort))

    async def hint(self, scene: Scene) -> None:
        """Say what an expert would do; a person may type on meanwhile, a script waits.

        Asked again, or by a move, the last hint comes at once, as good as it is. Out of turn none
        comes.
        """
        self.cut()
        self._hint = asked = Signal()

        async def tell() -> None:
            advice = await self.thought(scene, advise, lambda: asked.is_given)
            if advice is not None:
                is_past = self.node.view().table is not scene.table
                tells = self.front.say if is_past else partial(explain, self.front)
                tells(hint_sentence(scene, advice))

        if self.front.asks_back:
            self.tasks.start_soon(tell)
        else:
            await tell()

    def cut(self) -> None:
        """Have a hint that is still thought about come at once; nothing if none is."""
        self._hint.give()
