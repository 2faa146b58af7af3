"""The notices of members and watchers who come within reach, and go out of it."""

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
"""How a link ends of whoever has said so before."""


class _KnownWatcher(Struct):
    """A watcher that the player here was told of."""

    name: str
    gone_at: float | None = None
    """Without a link since then; None while it has one."""
    gone_told: bool = False
    """That it is gone was told, or need not be."""


class Presence(PeerPart):
    """Tells the player who comes and goes."""

    absence: Absence
    names: ScreenNames
    news: News
    unanswered: frozenset[bytes] = frozenset()
    """The members of whom the player knows that they keep the table waiting and do not answer."""
    _reached: dict[PeerKey, str] = {}
    """The members, by name, that the player knows to be within reach, by a link or through
    others."""
    _ends: dict[PeerKey, LinkEnd] = {}
    """How the links of these have ended, until that is told."""
    _closed: frozenset[PeerKey] = frozenset()
    """The members without a link who closed their program, or left, as far as they have said so."""
    _told: dict[PeerKey, _KnownWatcher] = {}
    """The watchers that the player was told of."""

    def tell_links(self) -> None:
        """Give notice of members who came within reach or went out of it since the last time."""
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
            elif key not in greeted:  # else it is here, and has lost its seat
                self._closed |= {key} if end in _SAID else set()
                self.context.outbox.notify(LinkChanged(before[key], up=False, end=end))

    def tell_answers(self) -> None:
        """Give notice of members who keep the table waiting and do not answer, or do at last.

        Nobody waits while a fault stops us, or while our log lags behind.
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
        """Whether a member without a link has said that they leave, or close their program."""
        return key in self._closed

    def note_end(self, key: PeerKey, end: LinkEnd) -> None:
        """Note how a link ends or is about to; the first note counts.

        Ignored for a link of which the player was not told.
        """
        if key in self._reached:
            self._ends.setdefault(key, end)

    def tell_watchers(self) -> None:
        """Tell once that somebody watches, and once that they no longer do, unless they sit now.

        The second is told `DROP_S` after their link has gone.
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
