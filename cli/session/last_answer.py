"""The last answer shown beside the board, renewed, closed or kept as the table changes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from cli.session.frontend import FrontEnd
from cli.session.tasks import Lock, Stoppable
from cli.session.until import About, OnChange
from netgame.io.node.node import Node


@dataclass(slots=True)
class LastAnswer:
    """Gives one answer at a time, and renews or closes the last one when its facts change."""

    node: Node
    front: FrontEnd
    _answer: tuple[OnChange, About, Callable[[], Awaitable[None]]] | None = None
    """What to do with the last answer on a change, a function for its facts, and one to give it."""
    _before: tuple[object, ...] = ()
    """The facts at the time of the answer."""
    _giving: Lock = field(default_factory=Lock)

    async def give(
        self, on_change: OnChange, about: About, give: Callable[[], Awaitable[None]]
    ) -> None:
        """Await `give`; remember what to do with its answer when the facts it is `about` change.

        Only one answer is given at a time: others wait.
        """
        async with self._giving:
            self._answer, self._before = (on_change, about, give), about(self.node.view())
            await give()

    async def renew(self) -> None:
        """Renew or close the last answer, if it is on the screen and its facts have changed.

        Do so once for each change, and only for an answer that `RENEWS` or `CLOSES`. If somebody
        closes the answer meanwhile, stop renewing it. Do nothing while an answer is being given.
        """
        if self._giving.locked() or self._answer is None:
            return
        (on_change, about, give), before = self._answer, self._before
        self._before = about(self.node.view())
        if on_change in (OnChange.HOLDS, OnChange.YIELDS) or self._before == before:
            return
        with Stoppable() as renewal:
            if self.front.renews(renewal.cancel):
                async with self._giving:
                    if on_change is OnChange.RENEWS:
                        await give()
                    self.front.show(())  # closes an answer that was not renewed

    def make_way(self) -> bool:
        """Close the last answer if it is shown and `YIELDS`; return whether it was closed."""
        yields = self._answer is not None and self._answer[0] is OnChange.YIELDS
        if not (yields and self.front.renews(lambda: None)):
            return False
        self.front.show(())
        return True
