"""Chat, which is not in the log: sending, hearing, passing on and repeating lines [peer.md §2].

An author signs each line for one table, so a peer that passes it on cannot change it. The number of
a line tells whether it is new or was heard before, no matter which peer sent it.
"""

from typing import Final, NamedTuple

from netgame import limits
from netgame.crypto.signing import verify_signature
from netgame.errors import Malformed
from netgame.protocol.log.entry import Signer
from netgame.protocol.notices import ChatHeard
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.deputy import Deputy
from netgame.protocol.peer.people.names import ScreenNames
from netgame.protocol.text import clean_text
from netgame.wire.codec import decode, encode
from netgame.wire.messages import Chat, ChatLine

CHAT_DOMAIN: Final = "boneyard/v4/chat"

_UNSURE_S: Final = limits.DROP_S + limits.CLOCK_CHECK_S
"""A link may have been dead for this long before its end, losing everything said over it."""


class _OwnLine(NamedTuple):
    """A line that our player said."""

    chat: Chat
    at: float
    """The time at which it was said."""
    missed: frozenset[bytes]
    """The keys of peers that may not have heard it."""


def signed_chat(signer: Signer, line: ChatLine) -> Chat:
    """Return the message with this line, signed by its author."""
    octets = encode(line)
    return Chat(octets, signer.public_bytes, signer.sign(CHAT_DOMAIN, octets))


class Talk(PeerPart):
    """Sends the lines of the player here; shows the lines of others and passes them on."""

    names: ScreenNames
    deputy: Deputy
    life: bytes = b""
    """Random octets that tell the lines of this process from those of another with its key."""
    _number: int = 0
    """The number of our last line."""
    _said: tuple[_OwnLine, ...] = ()
    """Our last lines, at most `CHAT_BURST`, to be said again: a cable may have been out, and guests
    who sit down are members before they have links to others."""
    _heard: dict[bytes, dict[bytes, int]] = {}
    """For each author, the number of the last line of each of its last processes."""

    def say(self, text: str) -> None:
        """Send a chat line to everybody and show it here.

        The line is cleaned and cut to `CHAT_CHARS_MAX` first; nothing is sent if it is then empty.
        It is kept, to be repeated to people who are out of reach now.
        """
        # Combining marks take no room on a screen, but count on the wire.
        text = clean_text(text, limits.CHAT_CHARS_MAX)[: limits.CHAT_CHARS_MAX]
        if not text:
            return
        context = self.context
        self._number += 1
        line = ChatLine(context.table_id, self.life, self._number, context.name, text)
        chat = signed_chat(context.signer, line)
        said = _OwnLine(chat, context.now, self._out_of_reach())
        self._said = (*self._said, said)[-limits.CHAT_BURST :]
        context.links.tell_all(chat)
        self._show(context.key, line)

    def _out_of_reach(self) -> frozenset[bytes]:
        """Return the keys of the host and the members that have no link to us now.

        In the lobby, if we are not a member, only the host counts: it passes our lines on.
        """
        context, state = self.context, self.context.state
        keys = {state.host}
        if context.belongs(context.key) or not context.in_lobby:
            keys |= {member.key for member in state.members}
        return frozenset(keys.difference(key for key, _ in context.links.at_table()))

    def doubt(self, key: PeerKey) -> None:
        """Note that our last lines may not have reached this peer, because its link is lost.

        `say_again` will repeat them. Call this before the state of the link is forgotten.
        """
        since = max(self.context.links.peers[key].came_at, self.context.now - _UNSURE_S)
        self._said = tuple(
            said._replace(missed=said.missed | {key}) if said.at >= since else said
            for said in self._said
        )

    def say_again(self) -> None:
        """Repeat our lines to the peers that missed them and now have a link."""
        here = {key for key, _ in self.context.links.at_table()}
        for said in self._said:
            for key in sorted(here & said.missed):
                self.context.outbox.send(key, said.chat)
        self._said = tuple(said._replace(missed=said.missed - here) for said in self._said)

    def hear(self, key: PeerKey, chat: Chat) -> None:
        """Show a line if it is new, and pass it on if its sender is its author.

        A line that its author has not signed for this table ends the link. Lines of others are
        taken only from members.
        """
        line = _read(chat)
        if line is None or line.table != self.context.table_id:
            self.context.links.drop(key, "it sent talk that nobody has signed for this table")
            return
        is_own = chat.author == key
        if not is_own and (chat.author == self.context.key or not self.context.belongs(key)):
            return
        if self._is_new(chat.author, line) and self._show(PeerKey(chat.author), line) and is_own:
            self._pass_on(key, chat)

    def _is_new(self, author: bytes, line: ChatLine) -> bool:
        """Return True if we have heard neither this line nor a later one of its process; note it.

        Of authors that do not belong to the table only the last `STRANGERS_HEARD_MAX` are kept, and
        of each author the last `LIVES_HEARD_MAX` processes.
        """
        heard = self._heard
        lives = heard.pop(author, {})
        is_new = line.number > lives.get(line.life, 0)
        if is_new:
            lives.pop(line.life, None)
            lives[line.life] = line.number
            while len(lives) > limits.LIVES_HEARD_MAX:
                del lives[next(iter(lives))]
        heard[author] = lives
        strangers = [each for each in heard if not self.context.belongs(each)]
        for each in strangers[: -limits.STRANGERS_HEARD_MAX]:
            del heard[each]
        return is_new

    def _show(self, author: PeerKey, line: ChatLine) -> bool:
        """Show a line, under the author's name here; return whether it was shown.

        It is not shown if it is empty once cleaned, or if strangers have too many notices already.
        """
        text = clean_text(line.text, limits.CHAT_CHARS_MAX)
        name = self.names.name_of(author, line.name)
        return bool(text) and self.context.notify_of(author, ChatHeard(name, text, author))

    def _pass_on(self, key: PeerKey, chat: Chat) -> None:
        """If we announce the table, pass a line on to peers that may have no link to its author.

        A guest's line is sent to everybody else, and a member's to the guests. A guest and a member
        may have no link if the member cannot accept any, as in a browser tab.
        """
        context = self.context
        for other, _ in context.links.at_table() if self.deputy.announces() else ():
            if other != key and not (context.belongs(key) and context.belongs(other)):
                context.outbox.send(other, chat)


def _read(chat: Chat) -> ChatLine | None:
    """Return the line of a message, which may be hostile.

    None if the line does not decode, or if its author did not sign it.
    """
    try:
        line = decode(chat.line, ChatLine)
    except Malformed:
        return None
    is_signed = verify_signature(chat.author, CHAT_DOMAIN, chat.line, chat.signature)
    return line if is_signed else None
