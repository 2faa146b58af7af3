"""How one person's loop ends: after a question, by leaving, or because the table has ended."""

from dataclasses import dataclass, field

import trio

from cli.exits import ExitCode
from cli.seat.frontend import FrontEnd
from cli.typed.intent import Quit
from netgame.io.node.node import Node
from netgame.io.tables.notes import leave_for_good
from netgame.protocol.peer.view import TableStage, TableView


def is_over(view: TableView) -> bool:
    """Whether nothing more will happen at this table."""
    return view.stage in (TableStage.OVER, TableStage.HALTED)


@dataclass(slots=True)
class WayOut:
    """Ends the loop; asks back where something would be lost. The first reason to end counts."""

    node: Node
    front: FrontEnd
    _asked: Quit | None = None
    _code: ExitCode = ExitCode.OK
    _taken: trio.Event = field(default_factory=trio.Event)
    _waiting: trio.CancelScope = field(default_factory=trio.CancelScope)

    @property
    def is_taken(self) -> bool:
        """Whether the loop ends, so that no further line counts."""
        return self._taken.is_set()

    async def taken(self) -> ExitCode:
        """Wait for the end; return its exit code."""
        with self._waiting:
            await self._taken.wait()
        return self._code

    def end_after(self, seconds: float) -> None:
        """End the loop then, unless something ends it before."""
        self._waiting.deadline = trio.current_time() + seconds

    def end(self, code: ExitCode) -> None:
        """End the loop."""
        if not self.is_taken:
            self._code = code
            self._taken.set()

    def open_question(self) -> Quit | None:
        """Return what was asked back with the line before; any line closes the question."""
        asked, self._asked = self._asked, None
        return asked

    async def quit(self, intent: Quit, *, again: bool) -> None:
        """Ask once, where somebody can answer and there is something to lose."""
        view = self.node.view()
        only_watches = view.seat is None and view.table is not None
        if again or not self.front.asks_back or is_over(view) or only_watches:
            await self.leave(for_good=intent.for_good)
            return
        self._asked = intent
        if view.stage is TableStage.LOBBY:
            self.front.say("Leave this table? Type it again, or yes.")
        elif intent.for_good:
            self.front.say("Leave for good? The others go on without you. Type leave again.")
        else:
            self.front.say("Leave? The others wait until you come back. Type quit again.")
            self.front.say("To go for good, and have them go on without you, type leave.")

    async def leave(self, *, for_good: bool = False) -> None:
        """Leave at once, and say how to come back."""
        view = self.node.view()
        back = view.stage is not TableStage.LOBBY and not is_over(view)
        if for_good and back and view.seat is not None:
            await leave_for_good(self.node)
            self.front.say("You have left the table for good; the others go on without you.")
        else:
            how = " Come back with: boneyard resume" if back else ""
            self.front.say(f"You have left the table.{how}")
        self.end(ExitCode.OK)
