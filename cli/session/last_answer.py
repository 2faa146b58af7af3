"""The last answer to a line, as long as it stands beside the board: renewed, closed, or kept."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from cli.session.frontend import FrontEnd
from cli.session.tasks import Lock, Stoppable
from cli.session.until import About, OnChange
from netgame.io.node.node import Node


@dataclass(slots=True)
class LastAnswer:
    """Gives one answer at a time, and sees to the last of them when the table changes."""

    node: Node
    front: FrontEnd
    _answer: tuple[OnChange, About, Callable[[], Awaitable[None]]] | None = None
    """What becomes of it on a change, the facts of the view it is about, and what gives it."""
    _before: tuple[object, ...] = ()
    """Those facts as they were when it was given."""
    _giving: Lock = field(default_factory=Lock)

    async def give(
        self, on_change: OnChange, about: About, give: Callable[[], Awaitable[None]]
    ) -> None:
        """Give what was asked for, and remember what becomes of it once what it is about changes.

        It returns once `give` has. Only one answer is given at a time: others wait.
        """
        async with self._giving:
            self._answer, self._before = (on_change, about, give), about(self.node.view())
            await give()

    async def renew(self) -> None:
        """Give the last answer anew, or close it, if it stands and what it is about has changed.

        Once for each change: that depends on whether it `RENEWS` or `CLOSES`; others stay. One that
        is closed meanwhile is not given. It does nothing while an answer is being given.
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
                    self.front.show(())  # closes what was not given anew

    def make_way(self) -> bool:
        """Close the last answer if it stands and `YIELDS`; return whether it did."""
        yields = self._answer is not None and self._answer[0] is OnChange.YIELDS
        if not (yields and self.front.renews(lambda: None)):
            return False
        self.front.show(())
        return True
