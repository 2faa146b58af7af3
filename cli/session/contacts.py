"""The other players' contact with us: whose links are news, and when to advise a vote.

Each of the others has a state, which `TRANSITIONS` changes. When a link comes up or goes down, that
is news if `TRANSITIONS` has a row for it. Links that come up one by one as a table meets are not
news. The link of somebody who has said farewell is not news when it goes down.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from cli.scene import Scene
from cli.session.votes import must_wait, vote_advice
from netgame.protocol import notices
from netgame.protocol.peer.view import TableView


class Contact(Enum):
    """The state of our contact with one of the others."""

    HERE = "linked, or not linked yet"
    AWAY = "the link was lost a moment ago, and nothing was said of what can be done"
    AWAITED = "the same, and it was said that one can only wait"
    MISSED = "the link was lost a minute ago, and nobody was invited to vote"
    ADVISED = "the same, and somebody was"
    PARTED = "has said farewell"


class ContactChange(Enum):
    """The events that change a `Contact`."""

    UP = "a link comes up, or an answer comes"
    DOWN = "a link goes down, or an answer is awaited in vain"
    FAREWELL = "a farewell is heard"
    WAIT = "it is said that one can only wait"
    LONG = "a minute is over"
    ADVICE = "a vote is proposed"


TRANSITIONS: Final = {
    (Contact.HERE, ContactChange.DOWN): Contact.AWAY,
    (Contact.HERE, ContactChange.FAREWELL): Contact.PARTED,
    (Contact.AWAY, ContactChange.UP): Contact.HERE,
    (Contact.AWAY, ContactChange.DOWN): Contact.AWAY,
    (Contact.AWAY, ContactChange.WAIT): Contact.AWAITED,
    (Contact.AWAY, ContactChange.LONG): Contact.MISSED,
    (Contact.AWAY, ContactChange.FAREWELL): Contact.PARTED,
    (Contact.AWAITED, ContactChange.UP): Contact.HERE,
    (Contact.AWAITED, ContactChange.DOWN): Contact.AWAY,
    (Contact.AWAITED, ContactChange.LONG): Contact.MISSED,
    (Contact.AWAITED, ContactChange.FAREWELL): Contact.PARTED,
    (Contact.MISSED, ContactChange.UP): Contact.HERE,
    (Contact.MISSED, ContactChange.DOWN): Contact.AWAY,
    (Contact.MISSED, ContactChange.ADVICE): Contact.ADVISED,
    (Contact.MISSED, ContactChange.FAREWELL): Contact.PARTED,
    (Contact.ADVISED, ContactChange.UP): Contact.HERE,
    (Contact.ADVISED, ContactChange.DOWN): Contact.AWAY,
    (Contact.ADVISED, ContactChange.FAREWELL): Contact.PARTED,
    (Contact.PARTED, ContactChange.UP): Contact.HERE,
}
"""The next state, by state and event; no other pair changes anything."""

_LOST: Final = (Contact.AWAY, Contact.AWAITED, Contact.MISSED, Contact.ADVISED)
_LONG_LOST: Final = (Contact.MISSED, Contact.ADVISED)


@dataclass(slots=True)
class Contacts:
    """The contact with each of the other players."""

    contacts: dict[str, Contact] = field(default_factory=dict)
    """The state of each contact by name; somebody without an entry is `HERE`."""
    could_vote: bool = True
    """True if the players here at the last look were enough to go on without the rest."""
    losses: Counter[str] = field(default_factory=Counter)
    """The number of times that the link to each player was lost, by name."""
    is_cut_off: bool = False
    """True while this computer itself has lost the network, at least probably."""
    _apart: set[str] = field(default_factory=set)
    """The players lost with this computer's network; a new link to one means that we are back."""

    def _move(self, name: str, change: ContactChange) -> bool:
        """Note a change; return whether `TRANSITIONS` has a row for it."""
        before = self.contacts.get(name, Contact.HERE)
        self.contacts[name] = TRANSITIONS.get((before, change), before)
        self.losses[name] += change is ContactChange.DOWN and before is not Contact.AWAY
        return (before, change) in TRANSITIONS

    def is_news(self, notice: notices.Notice) -> bool:
        """Note what a notice says of somebody's link; return False if the change is not news.

        Call this for every notice, in order. A change is not news if we end one of two links to
        somebody, or if a link is lost while this computer is cut off.
        """
        match notice:
            case notices.NetworkChanged(state=state):
                self._note_network(state)
                return True
            case notices.AnswerAwaited(name=name, came=came):
                is_news = self._move(name, ContactChange.UP if came else ContactChange.DOWN)
                return is_news and not self.is_cut_off
            case notices.SaidFarewell(name=name):
                self._move(name, ContactChange.FAREWELL)
                return True
            case notices.LinkChanged(end=notices.LinkEnd.ENDED_HERE):
                return False
            case notices.LinkChanged(name=name, up=True):
                return self._move(name, ContactChange.UP)
            case notices.LinkChanged(name=name):
                (self._apart.add if self.is_cut_off else self._apart.discard)(name)
                return self._move(name, ContactChange.DOWN) and not self.is_cut_off
            case _:
                return True

    def _note_network(self, state: notices.NetworkState) -> None:
        """Note the state of this computer's network.

        If it was just lost, links lost a moment ago count as lost for that reason.
        """
        was_cut_off, self.is_cut_off = self.is_cut_off, state is not notices.NetworkState.WORKS
        if self.is_cut_off and not was_cut_off:
            just = (Contact.AWAY, Contact.AWAITED)
            self._apart = {name for name, contact in self.contacts.items() if contact in just}

    def rejoins(self, name: str) -> bool:
        """Return True if a new link to this player means that this computer is back.

        False if the player was away instead. True only once for each loss.
        """
        was_apart = name in self._apart
        self._apart.discard(name)
        return was_apart

    def wait_anew(self) -> list[str]:
        """Treat everybody who is away as just lost, because we were cut off; return their names."""
        away = [name for name, contact in self.contacts.items() if contact in _LOST]
        for name in away:
            self._move(name, ContactChange.DOWN)
            self.losses[name] += 1
        return away

    def lose(self, name: str) -> bool:
        """Note that somebody who counted as `HERE` is away; return whether that is news."""
        is_here = self.contacts.get(name, Contact.HERE) is Contact.HERE
        return is_here and self._move(name, ContactChange.DOWN)

    def long_away(self, name: str, losses: int) -> None:
        """Note that a minute has passed since a player's link was lost for the `losses`th time.

        Do nothing if the link has been lost again since; somebody who is back stays `HERE`.
        """
        if self.losses[name] == losses:
            self._move(name, ContactChange.LONG)

    def advice(self, view: TableView, scene: Scene) -> str:
        """Return what a player can do about everybody who is away; empty if that is not news.

        Empty for an onlooker, and while this computer is cut off. The advice to wait is news once
        for each absence of each player. A vote is proposed on players who have been away for a
        minute. It is proposed once for each absence, and again when the players still here become
        enough to vote. The text returned counts as told.
        """
        present = scene.table.present
        names = [scene.names[each] for each in present]
        away = {name: self.contacts[name] for name in names if self.contacts.get(name) in _LOST}
        wait = must_wait(view)
        could_vote, self.could_vote = self.could_vote, not wait
        if scene.seat not in present or self.is_cut_off:
            return ""
        if wait:
            if Contact.AWAY not in away.values():
                return ""
            return self._told(away, ContactChange.WAIT, wait)
        missed = [name for name, contact in away.items() if contact in _LONG_LOST]
        if Contact.MISSED not in away.values() and (could_vote or not missed):
            return ""
        return self._told(missed, ContactChange.ADVICE, vote_advice(view, missed))

    def _told(self, names: Iterable[str], change: ContactChange, text: str) -> str:
        """Note that `text` is said about these players, and return it."""
        for name in names:
            self._move(name, change)
        return text
