"""Which of the others are in touch: whose links are news, and who is advised about.

Each of the others is in a state of their own, which `TRANSITIONS` moves. A link that comes up or
goes down is news where the table has a row for it: not when links come up one after the other as a
table meets, nor when the link of somebody who has said farewell goes down.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from cli.scene import Scene
from cli.session.votes import must_wait, vote_advice
from netgame.protocol import notices
from netgame.protocol.peer.view import TableView


class Contact(Enum):
    """How one of the others is in touch."""

    HERE = "linked, or not linked yet"
    AWAY = "the link was lost, and what can be done about that was not said"
    ADVISED = "the same, and it was said"
    PARTED = "has said farewell"


class ContactChange(Enum):
    """The changes that move it."""

    UP = "a link comes up"
    DOWN = "a link goes down"
    FAREWELL = "a farewell is heard"
    ADVICE = "what can be done is said"


TRANSITIONS: Final = {
    (Contact.HERE, ContactChange.DOWN): Contact.AWAY,
    (Contact.HERE, ContactChange.FAREWELL): Contact.PARTED,
    (Contact.AWAY, ContactChange.UP): Contact.HERE,
    (Contact.AWAY, ContactChange.DOWN): Contact.AWAY,
    (Contact.AWAY, ContactChange.ADVICE): Contact.ADVISED,
    (Contact.AWAY, ContactChange.FAREWELL): Contact.PARTED,
    (Contact.ADVISED, ContactChange.UP): Contact.HERE,
    (Contact.ADVISED, ContactChange.DOWN): Contact.AWAY,
    (Contact.ADVISED, ContactChange.FAREWELL): Contact.PARTED,
    (Contact.PARTED, ContactChange.UP): Contact.HERE,
}
"""Each state, what happens in it, and the state after that; all else changes nothing."""

_MISSING: Final = (Contact.AWAY, Contact.ADVISED)


@dataclass(slots=True)
class Contacts:
    """Knows who of the others is in touch."""

    contacts: dict[str, Contact] = field(default_factory=dict)
    """By name; somebody who is not among them is `HERE`."""
    could_vote: bool = True
    """True if those who were here at the last look were enough to go on without the rest."""

    def _move(self, name: str, change: ContactChange) -> bool:
        """Note a change; return whether the table has a row for it."""
        before = self.contacts.get(name, Contact.HERE)
        self.contacts[name] = TRANSITIONS.get((before, change), before)
        return (before, change) in TRANSITIONS

    def is_news(self, notice: notices.Notice) -> bool:
        """Note what a notice says of somebody's link; False for a change of a link that is no news.

        To be called for every notice in its order. Of two links to somebody we end one, which is no
        news.
        """
        match notice:
            case notices.SaidFarewell(name=name):
                self._move(name, ContactChange.FAREWELL)
                return True
            case notices.LinkChanged(end=notices.LinkEnd.ENDED_HERE):
                return False
            case notices.LinkChanged(name=name, up=is_up):
                return self._move(name, ContactChange.UP if is_up else ContactChange.DOWN)
            case _:
                return True

    def advice(self, view: TableView, scene: Scene) -> str:
        """Say what a player can do about all who are away; empty if that is no news.

        Empty for an onlooker, too. It is news once of everybody, each time they go, and when those
        left can vote at last. What is returned counts as told.
        """
        present = scene.table.present
        names = [scene.names[each] for each in present]
        away = [name for name in names if self.contacts.get(name) in _MISSING]
        could_vote, self.could_vote = self.could_vote, not must_wait(view)
        are_new = any(self.contacts[name] is Contact.AWAY for name in away)
        is_news = are_new or (self.could_vote and not could_vote)
        if not away or scene.seat not in present or not is_news:
            return ""
        for name in away:
            self._move(name, ContactChange.ADVICE)
        return vote_advice(view, away)
