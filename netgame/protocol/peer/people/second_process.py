"""Another process that comes to the same table with our key, as from a cloned disk."""

from typing import Final

from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.status.lifetime import Lifetime

_TELLING_S: Final = 5.0
"""A process that has understood stays so long: the other one dials back within 2 s
(`DIAL_BACKOFF_MAX_S`), takes the link, and thereby hears of it, too."""


class SecondProcess(PeerPart):
    """Stops both of two live processes with one key, if possible before they sign anything.

    A peer keeps one link to a key, so each of the two takes the other's away, and neither knows
    why. The peer says `rival` to the one that has come last. Over our first link that may be about
    a process that has died: a seat that was started again hears it, too. Over a later one it is
    about a process that has come since that peer welcomed us, and so is there now [peer.md §2].

    A liar must not empty a seat with this word. In the lobby the host is believed, who can dismiss
    us there anyway; later more than half of the others who sit, each bot with its host, which alone
    has links to it. So while more than half of a table are honest, no lie makes a process leave.
    """

    lifetime: Lifetime
    joiner: Joiner
    _welcomed: set[bytes] = set()
    """The peers that know this process."""
    _told_by: set[bytes] = set()
    """Those of them that have told of another."""
    _leave_at: float | None = None
    """When to go at the latest; None while we are alone."""

    def note_welcome(self, key: PeerKey) -> None:
        """Note that this peer has welcomed us: it has told its head, and knows our process."""
        self._welcomed.add(key)

    def hear_rival(self, key: PeerKey) -> None:
        """Hear that this peer had a link to another process with our key when ours came."""
        peer = self.context.links.peers.get(key)
        if key in self._welcomed and peer is not None and peer.head is None:  # so a later link
            self._told_by.add(key)
        if self._leave_at is None and self._is_shown():
            self.lifetime.is_elsewhere = True
            self.joiner.look_on()  # it would sign another request
            self._leave_at = self.context.now + _TELLING_S

    def _is_shown(self) -> bool:
        """Whether those who must be believed have told of another process."""
        context = self.context
        if context.in_lobby:
            return self.joiner.host in self._told_by
        others = [
            member
            for member in context.state.members
            if context.sits(member.key) and member.key != context.key
        ]
        told = [(context.state.host if each.bot else each.key) in self._told_by for each in others]
        return 2 * sum(told) > len(told)

    def lose(self, key: PeerKey) -> None:
        """Go once the other process has taken our link to the host, or all our links in a game."""
        if self._leave_at is None:
            return
        if self.context.in_lobby:
            is_alone = key == self.joiner.host
        else:
            is_alone = not any(map(self.context.sits, self.context.links.peers))
        if is_alone:
            self.lifetime.stop_here()

    def leave_when_told(self) -> None:
        """Go, if no other process has come back for the links."""
        if self._leave_at is not None and self.context.reached(self._leave_at):
            self.lifetime.stop_here()
