"""Advice about players who are away: what a person can do, and when to tell them.

A person who can only wait is told so within seconds. A vote costs the absent player a round, and
most absent players come back within a minute; so nobody is invited to vote before that.
"""

from dataclasses import dataclass
from typing import Final

from cli.language import say
from cli.scene import plays_alone, scene_of
from cli.session.contacts import Contacts
from cli.session.frontend import FrontEnd
from cli.session.stay import WayOut, is_over
from cli.session.tasks import Tasks, sleep
from cli.wording.notices import NOT_CONNECTED
from netgame.io.node.node import Node
from netgame.protocol import notices
from netgame.protocol.peer.view import TableStage

_TOGETHER_S: Final = 3.0
"""If several players share a computer or a cable, all are lost within this time; one sentence then
names them all."""

INVITE_S: Final = 60.0
"""How long a player is away before anybody is invited to vote on them."""

WOKEN_S: Final = 20.0
"""A computer that has slept has its links again after this time, if there is a network."""


@dataclass(frozen=True, slots=True)
class AbsenceAdvice:
    """Tells one person what they can do about players who are away, when that is news."""

    node: Node
    front: FrontEnd
    contacts: Contacts
    way_out: WayOut
    tasks: Tasks

    def hear(self, notice: notices.Notice) -> None:
        """Start the timers for a changed link, a missed answer, or this computer's waking.

        Once this computer's network is back, start the minute again for everybody who is away.
        Ignore all other notices.
        """
        match notice:
            case notices.LinkChanged(name=name) | notices.AnswerAwaited(name=name):
                self.tasks.start_soon(self._follow, name)
            case notices.NetworkChanged(state=notices.NetworkState.WORKS):
                for name in self.contacts.wait_anew():
                    self.tasks.start_soon(self._follow, name)
            case notices.ComputerSlept() | notices.ProgramStopped():
                self.tasks.start_soon(self.look_around)
            case _:
                pass

    async def look_around(self) -> None:
        """Say who is out of reach, `WOKEN_S` after this computer woke or its person came back.

        Until then a missing link is not news, because it was this computer that was gone. Say
        nothing if the game is over by then, the others are bots, or this computer is cut off.
        """
        await sleep(WOKEN_S)
        view = self.node.view()
        is_cut_off = self.contacts.is_cut_off
        if self.way_out.is_taken or is_over(view) or plays_alone(view) or is_cut_off:
            return
        for info in view.here:
            if not info.in_reach and self.contacts.lose(info.name):
                self.front.say(say(NOT_CONNECTED, name=info.name))
                self.tasks.start_soon(self._follow, info.name)

    async def _follow(self, name: str) -> None:
        """Give advice in a few seconds, and again once this player has been away for a minute."""
        losses = self.contacts.losses[name]
        await sleep(_TOGETHER_S)
        self._say()
        await sleep(INVITE_S - _TOGETHER_S)
        self.contacts.long_away(name, losses)
        self._say()

    def _say(self) -> None:
        """Say what can be done about everybody who is away, if that is news and can help."""
        view = self.node.view()
        nothing_helps = is_over(view) or view.stage is TableStage.HALTED
        scene = None if nothing_helps or self.way_out.is_taken else scene_of(view)
        if scene is not None and (text := self.contacts.advice(view, scene)):
            self.front.say(text)
