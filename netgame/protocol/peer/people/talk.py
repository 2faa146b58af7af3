"""Chat, which stands in no log: what is said, heard, passed on, and said again."""

from typing import Final, NamedTuple

from netgame import limits
from netgame.protocol.notices import WATCHES, ChatHeard
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.deputy import Deputy
from netgame.protocol.peer.people.names import ScreenNames
from netgame.protocol.text import clean_text
from netgame.wire.messages import Chat

_UNSURE_S: Final = limits.DROP_S + limits.CLOCK_CHECK_S
"""How long before its end a link may have been dead, with all that was said over it."""


class _OwnLine(NamedTuple):
    """A line of ours."""

    line: str
    at: float
    """When it was said."""
    missed: frozenset[bytes]
    """The peers without a link by which to have heard it."""


class Talk(PeerPart):
    """Sends the lines of the player here, and shows and passes on those of others."""

    names: ScreenNames
    deputy: Deputy
    _said: tuple[_OwnLine, ...] = ()
    """Our last lines, as many as are heard at once: a cable may have been out, and guests who sit
    down are members before they have links to others."""

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

    def hear(self, key: PeerKey, text: str, by: str = "") -> bool:
        """Show a chat line, passed on `by` somebody's name or a peer's own; returns whether it was.

        Not if it is empty once cleaned, or if there is no room for one more by strangers.
        """
        line = clean_text(text, limits.CHAT_CHARS_MAX)
        name, sayer = self.names.name_of(key), self._sayer(key, by)
        if by and not sayer:
            line = clean_text(f"{by}: {line}", limits.CHAT_CHARS_MAX)
        return bool(line) and self.context.notify_of(key, ChatHeard(sayer or name, line))

    def _sayer(self, key: PeerKey, by: str) -> str:
        """The name, on our screen, of somebody whose words this peer passes on; else empty.

        We believe only who announces the table, and nothing of a member whose own words come here.
        """
        called = clean_text(by.removesuffix(WATCHES), limits.NAME_CELLS_MAX).replace(" ", "_")
        if not called or key != self.deputy.announcer():
            return ""
        greeted = self.context.links.greeted()
        keys = [each.key for each in self.context.state.members if each.name == called]
        if not keys:
            return f"{called}{WATCHES}"
        return "" if greeted.intersection(keys) or self.context.key in keys else called

    def pass_on(self, key: PeerKey, text: str) -> None:
        """If we announce the table, pass a chat line on to those without a link to its sender.

        In a game a line of a guest goes to the other guests; in the lobby it goes to all, and a
        member's to the guests.
        """
        context, name = self.context, self.names.name_of(key)
        line = clean_text(text, limits.CHAT_CHARS_MAX)
        for other, _ in context.links.at_table() if self.deputy.announces() else ():
            members = context.belongs(key) + context.belongs(other)
            # `members` is how many of the two are. In a game only guest and guest may lack a link
            # (0), in the lobby a guest and a member, too (1).
            if other != key and members <= context.in_lobby:
                context.outbox.send(other, Chat(line, name))
