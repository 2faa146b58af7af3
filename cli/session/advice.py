"""When a person is told what they can do about those who are away.

That one can only wait is said at once. A vote costs the other a round, and most are back within a
minute: so nobody is invited to one before.
"""

from dataclasses import dataclass
from typing import Final

from cli.scene import scene_of
from cli.session.contacts import Contacts
from cli.session.frontend import FrontEnd
from cli.session.stay import WayOut, is_over
from cli.session.tasks import Tasks, sleep
from netgame.io.node.node import Node
from netgame.protocol import notices
from netgame.protocol.peer.view import TableStage

_TOGETHER_S: Final = 3.0
"""Whoever shares a computer or a cable is gone within this time, and is told of with the others."""

INVITE_S: Final = 60.0
"""Somebody is away for so long before anybody is invited to vote on them."""


@dataclass(frozen=True, slots=True)
class AbsenceAdvice:
    """Gives one person that advice, in time."""

    node: Node
    front: FrontEnd
    contacts: Contacts
    way_out: WayOut
    tasks: Tasks

    def hear(self, notice: notices.Notice) -> None:
        """Begin to count the time since a link changed; all other notices are ignored."""
        if isinstance(notice, notices.LinkChanged):
            self.tasks.start_soon(self._follow, notice.name)

    async def _follow(self, name: str) -> None:
        """Say what can be done in a moment, and again once they have been away for a minute."""
        losses = self.contacts.losses[name]
        await sleep(_TOGETHER_S)
        self._say()
        await sleep(INVITE_S - _TOGETHER_S)
        self.contacts.long_away(name, losses)
        self._say()

    def _say(self) -> None:
        """Say what can be done about all who are away, if that is news and helps at all."""
        view = self.node.view()
        nothing_helps = is_over(view) or view.stage is TableStage.HALTED
        scene = None if nothing_helps or self.way_out.is_taken else scene_of(view)
        if scene is not None and (text := self.contacts.advice(view, scene)):
            self.front.say(text)
