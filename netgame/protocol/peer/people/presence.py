"""The notices of members and watchers who come within reach or go out of it."""

from typing import Final

from msgspec import Struct

from netgame import limits
from netgame.protocol.notices import AnswerAwaited, LinkChanged, LinkEnd, WatcherChanged
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.absence import Absence, Away
from netgame.protocol.peer.people.names import ScreenNames
from netgame.protocol.peer.status.news import News

_SAID: Final = (LinkEnd.QUIT, LinkEnd.LEFT)
"""The ends of a link that its other side announced."""


class _KnownWatcher(Struct):
    """A watcher noticed here; the player was told of it unless there was no room for that."""

    name: str
    gone_at: float | None = None
    """The time since which it has no link; None while it has one."""
    gone_told: bool = False
    """True if the player was told that it is gone, or need not be told."""


class Presence(PeerPart):
    """Tells the player who comes, who goes, and who keeps the table waiting."""

    absence: Absence
    names: ScreenNames
    news: News
    unanswered: frozenset[bytes] = frozenset()
    """The keys that keep the table waiting and do not answer, as of the last `tell_answers`."""
    _reached: dict[PeerKey, str] = {}
    """The names of the members within reach, by a link or through others, as last told the
    player."""
    _ends: dict[PeerKey, LinkEnd] = {}
    """The ends of these members' links that the player was not told of yet."""
    _closed: frozenset[PeerKey] = frozenset()
    """The members without a link who announced that they close their program or leave."""
    _told: dict[PeerKey, _KnownWatcher] = {}
    """The watchers that have been noticed, up to `WATCHERS_TOLD_MAX`."""

    def tell_links(self) -> None:
        """Give notice of members who came within reach or went out of it since the last call."""
        self.absence.look()
        greeted = self.context.links.greeted()
        here = greeted | self.absence.through
        up = {PeerKey(m.key): m.name for m in self.context.state.members if m.key in here}
        before, self._reached = self._reached, up
        for key in sorted(up.keys() ^ before.keys()):
            end = self._ends.pop(key, None)
            self._closed -= {key}
            if key in up:
                self.context.outbox.notify(LinkChanged(up[key], up=True))
            elif key not in greeted:  # otherwise it is here, and has lost its seat
                self._closed |= {key} if end in _SAID else set()
                self.context.outbox.notify(LinkChanged(before[key], up=False, end=end))

    def tell_answers(self) -> None:
        """Give notice of members who keep the table waiting and do not answer, or answer at last.

        While a fault stops us, or our log is catching up, the player is told of nobody.
        """
        context, before = self.context, self.unanswered
        waits = context.fault is None and not self.news.is_catching_up
        self.unanswered = now = self.absence.unanswered() if waits else frozenset()
        for member in context.state.members:
            contact = self.absence.contacts.get(member.key)
            if member.key not in now ^ before or contact is None or isinstance(contact, Away):
                continue
            linked = member.key in context.links.greeted()
            came = member.key not in now
            if waits or not came:
                context.outbox.notify(AnswerAwaited(member.name, came, linked))

    def has_closed(self, key: PeerKey) -> bool:
        """Return True if a member without a link announced that they leave or close the program."""
        return key in self._closed

    def note_end(self, key: PeerKey, end: LinkEnd) -> None:
        """Note how a link ended or is about to end; the first note counts.

        Ignored for a member that the player does not know to be within reach.
        """
        if key in self._reached:
            self._ends.setdefault(key, end)

    def tell_watchers(self) -> None:
        """Tell the player once that somebody watches, and once that they no longer do.

        The latter is told `DROP_S` after their link was lost, unless they have a seat by then.
        """
        here, now = self.names.watchers(), self.context.now
        for key, name in here.items():
            if key not in self._told and len(self._told) < limits.WATCHERS_TOLD_MAX:
                was_told = self.context.notify_of(key, WatcherChanged(name, watches=True))
                self._told[key] = _KnownWatcher(name, gone_told=not was_told)
        for key, told in self._told.items():
            if key in here or told.gone_told:
                told.gone_at = None
                continue
            told.gone_at = now if told.gone_at is None else told.gone_at
            if self.context.reached(told.gone_at + limits.DROP_S):
                told.gone_told = True
                if not self.context.belongs(key):
                    self.context.notify_of(key, WatcherChanged(told.name, watches=False))
