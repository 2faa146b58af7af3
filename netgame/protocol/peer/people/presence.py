"""Links of members and watchers, their names and chat, and the stand-in for a host."""

from typing import Final, NamedTuple

from msgspec import Struct

from netgame import limits
from netgame.protocol.notices import (
    CHAIR_NAME,
    WATCHES,
    ChatHeard,
    LinkChanged,
    LinkEnd,
    StandIn,
    WatcherChanged,
)
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.absence import Absence
from netgame.protocol.state.lobby import free_name
from netgame.protocol.state.phases import Phase
from netgame.protocol.text import clean_text
from netgame.wire.messages import Chat

_UNSURE_S: Final = limits.DROP_S + limits.CLOCK_CHECK_S
"""How long before its end a link may have been dead, with all that was said over it."""


_NAMELESS: Final = "somebody"


class _OwnLine(NamedTuple):
    """A line of ours."""

    line: str
    at: float
    """When it was said."""
    missed: frozenset[bytes]
    """Who has no link by which to have heard it."""


class _KnownWatcher(Struct):
    """A watcher that the player here was told of."""

    name: str
    gone_at: float | None = None
    """Without a link since then; None while it has one."""
    gone_told: bool = False
    """That it is gone was told, or need not be."""


class Presence(PeerPart):
    """The names of those linked here, their chat, and the notices of coming and going."""

    absence: Absence
    _names: dict[PeerKey, str] = {}
    """The names that watchers gave themselves; those of members are in the log."""
    _reached: dict[PeerKey, str] = {}
    """The members, by name, that the player knows to be within reach, by a link or through
    others."""
    _ends: dict[PeerKey, LinkEnd] = {}
    """How the links of these have ended, until that is told."""
    _told: dict[PeerKey, _KnownWatcher] = {}
    """The watchers that the player was told of."""
    _said: tuple[_OwnLine, ...] = ()
    """Our last lines, as many as are heard at once: a cable may have been out, and guests who sit
    down are members before they have links to others."""

    def name_of(self, key: PeerKey) -> str:
        """The name of a key's owner on our screen; never empty.

        It is the member's own, or `CHAIR_NAME` for a host without a seat; all others have a mark
        behind their name that they watch.
        """
        member = self.context.state.member(key)
        if member is not None:
            return member.name
        if key == self.context.state.host:
            return CHAIR_NAME
        name = self.context.name if key == self.context.key else self._names.get(key, _NAMELESS)
        return f"{self._apart(name)}{WATCHES}"

    def _apart(self, name: str) -> str:
        """A watcher's name, with a number if a member has the same."""
        return free_name(self.context.state.members, name)

    def note(self, key: PeerKey, name: str) -> None:
        """Take a watcher's name for itself, made fit for a screen; a later one replaces it.

        Ignored for a key without a link, or where too many have one.
        """
        has_room = key in self._names or len(self._names) < 2 * limits.WATCHERS_MAX
        if key in self.context.links.peers and has_room:
            clean = clean_text(name, limits.NAME_CELLS_MAX, _NAMELESS)
            self._names[key] = clean.replace(" ", "_")

    def forget(self, key: PeerKey) -> None:
        """Forget the name that a watcher gave itself, as its link is gone."""
        self._names.pop(key, None)

    def watchers(self) -> dict[PeerKey, str]:
        """The guests here that have a name, in the order in which they came."""
        here = (key for key in self.context.links.guests() if key in self._names)
        return {key: self._apart(self._names[key]) for key in here}

    # ---- coming and going ----

    def tell_links(self) -> None:
        """Give notice of members who came within reach or went out of it since the last time."""
        self.absence.look()
        greeted = self.context.links.greeted()
        here = greeted | self.absence.through
        up = {PeerKey(m.key): m.name for m in self.context.state.members if m.key in here}
        before, self._reached = self._reached, up
        for key in sorted(up.keys() ^ before.keys()):
            end = self._ends.pop(key, None)
            if key in up:
                self.context.outbox.notify(LinkChanged(up[key], up=True))
            elif key not in greeted:  # else it is here, and has lost its seat
                self.context.outbox.notify(LinkChanged(before[key], up=False, end=end))

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
        here, now = self.watchers(), self.context.now
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

    # ---- talk, which stands in no log ----

    def say(self, text: str) -> None:
        """Send a chat line to all, and show it here; nothing happens if it is empty once cleaned.

        It is kept for those who are out of reach now.
        """
        line = clean_text(text, limits.CHAT_CHARS_MAX)
        if line:
            said = _OwnLine(line, self.context.now, self._out_of_reach())
            self._said = (*self._said, said)[-limits.CHAT_BURST :]
            self.context.links.tell_all(Chat(line))
            self.hear(self.context.key, line)

    def _out_of_reach(self) -> frozenset[bytes]:
        """The keys of the host and the members whom our words do not reach now.

        For a guest in the lobby it is the host alone, who passes them on to the others.
        """
        context, state = self.context, self.context.state
        keys = {state.host}
        if context.belongs(context.key) or not context.in_lobby:
            keys |= {member.key for member in state.members}
        return frozenset(keys.difference(key for key, _ in context.links.at_table()))

    def doubt(self, key: PeerKey) -> None:
        """Note that this link is lost, perhaps with what we said last: `say_again` repeats that.

        The state of the link must still be there.
        """
        since = max(self.context.links.peers[key].came_at, self.context.now - _UNSURE_S)
        self._said = tuple(
            said._replace(missed=said.missed | {key}) if said.at >= since else said
            for said in self._said
        )

    def say_again(self) -> None:
        """Say to those who have a link again what they have missed."""
        here = {key for key, _ in self.context.links.at_table()}
        for said in self._said:
            for key in sorted(here & said.missed):
                self.context.outbox.send(key, Chat(said.line))
        self._said = tuple(said._replace(missed=said.missed - here) for said in self._said)

    def hear(self, key: PeerKey, text: str) -> bool:
        """Show a chat line; returns whether it was shown.

        Not if it is empty once cleaned, or if there is no room for one more by strangers.
        """
        line = clean_text(text, limits.CHAT_CHARS_MAX)
        return bool(line) and self.context.notify_of(key, ChatHeard(self.name_of(key), line))


class Deputy(PeerPart):
    """Which peer announces the table: the host, or a stand-in while the host's process is gone.

    It passes on what is said, as everybody has a link to it.
    """

    presence: Presence
    _stand_in: bytes = b""
    """The key of the stand-in, as far as we are linked; empty without one."""
    _gone_at: float | None = None
    """The host has had no link since then; None while it has one."""

    def announcer(self) -> bytes:
        """The key of the peer that announces the table; empty before the log names a host."""
        return self._stand_in or self.context.state.host

    def announces(self) -> bool:
        """Whether this computer announces the table on the network."""
        return bool(self.context.state.host) and self.announcer() == self.context.key

    def pass_on(self, key: PeerKey, text: str) -> None:
        """If we announce the table, pass a chat line on to those without a link to its sender.

        In a game a line of a guest goes to the other guests; in the lobby it goes to all, and a
        member's to the guests.
        """
        context, name = self.context, self.presence.name_of(key)
        line = clean_text(f"{name}: {text}", limits.CHAT_CHARS_MAX)
        for other, _ in context.links.at_table() if self.announces() else ():
            members = context.belongs(key) + context.belongs(other)
            # `members` is how many of the two are. In a game only guest and guest may lack a link
            # (0), in the lobby a guest and a member, too (1).
            if other != key and members <= context.in_lobby:
                context.outbox.send(other, Chat(line))

    def stand_in(self) -> None:
        """While the host's process is gone, let the first seat that is here announce the table.

        The player is told when that changes, unless the notice of a member's link shows it.
        """
        context, before = self.context, self._stand_in
        self._stand_in = now = self._first_here() if self._is_host_gone() else b""
        if context.key in (now, before) and now != before:
            context.outbox.notify(StandIn(up=now == context.key))
        elif now != before and (now or self._is_back_unseated()):
            name = self.presence.name_of(PeerKey(now or context.state.host))
            context.outbox.notify(StandIn(bool(now), name))

    def _is_back_unseated(self) -> bool:
        """Whether the host is here, and no seat of its own shows that."""
        host = self.context.state.host
        return host in self.context.links.greeted() and self.context.state.member(host) is None

    def _is_host_gone(self) -> bool:
        """Whether a game is on and its host has had no link to us for a while."""
        context, state = self.context, self.context.state
        begun = state.phase not in (Phase.LOBBY, Phase.OVER) and context.fault is None
        if not begun or context.is_host or state.host in context.links.greeted():
            self._gone_at = None
            return False
        self._gone_at = context.now if self._gone_at is None else self._gone_at
        return context.reached(self._gone_at + limits.HOST_GONE_S)

    def _first_here(self) -> bytes:
        """The key of the lowest seat that is linked to us or ours; empty if none."""
        context, state = self.context, self.context.state
        up = {context.seat, *context.links.seats()}
        keys = state.company.now.keys
        return next((keys[seat] for seat in state.present if seat in up), b"")
