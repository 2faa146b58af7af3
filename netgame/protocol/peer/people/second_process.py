"""Handling of a second process at the same table with our key, for example on a cloned disk."""

from typing import Final

from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.status.lifetime import Lifetime

_TELLING_S: Final = 5.0
"""A process that learns of the other one stays this long. The other one redials within 2 s
(`DIAL_BACKOFF_MAX_S`), takes over the link, and so is told of this process, too."""


class SecondProcess(PeerPart):
    """Makes two processes that run with the same key both leave, if possible before they sign.

    A peer keeps one link per key, so each process takes the link away from the other, and neither
    knows why. The peer sends `rival` to the one that linked last. Over our first link to the peer,
    `rival` may be about a process that has died: a restarted seat is sent it, too. Over a later
    link, it is about a process that linked after the peer welcomed us, and so is running
    [peer.md §2].

    A liar must not be able to empty a seat with `rival`. In the lobby we believe the host, who can
    dismiss us there anyway. Later we believe more than half of the other seats. A bot counts as
    telling us what its host does, because only the host has links to it. So while more than half of
    the other seats are honest, no lie makes a process leave.
    """

    lifetime: Lifetime
    joiner: Joiner
    _welcomed: set[bytes] = set()
    """The peers that know this process."""
    _told_by: set[bytes] = set()
    """The peers among them that told of another process."""
    _leave_at: float | None = None
    """The time at which to leave at the latest; None while we know of no other process."""

    def note_welcome(self, key: PeerKey) -> None:
        """Note that this peer has welcomed us: it told its head, so it knows our process."""
        self._welcomed.add(key)

    def hear_rival(self, key: PeerKey) -> None:
        """Handle `rival`: this peer had a link to another process with our key before ours.

        Once enough peers have told us so, withdraw our wish for a seat and leave a little later.
        """
        peer = self.context.links.peers.get(key)
        # A peer that welcomed us and has told no head over this link: so this is a later link.
        if key in self._welcomed and peer is not None and peer.head is None:
            self._told_by.add(key)
        if self._leave_at is None and self._is_shown():
            self.lifetime.is_elsewhere = True
            self.joiner.look_on()  # it would sign another request
            self._leave_at = self.context.now + _TELLING_S

    def _is_shown(self) -> bool:
        """Return True if we must believe that another process with our key is running.

        In the lobby, the host must have told us so; in a game, more than half of the other seats.
        """
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
        """Leave if another process has our key and this link, now lost, was the last we needed.

        In the lobby we need the link to the host; in a game, a link to any other seat.
        """
        if self._leave_at is None:
            return
        if self.context.in_lobby:
            is_alone = key == self.joiner.host
        else:
            is_alone = not any(map(self.context.sits, self.context.links.peers))
        if is_alone:
            self.lifetime.stop_here()

    def leave_when_told(self) -> None:
        """Leave once the time that `hear_rival` has set is up, even if we still have links."""
        if self._leave_at is not None and self.context.reached(self._leave_at):
            self.lifetime.stop_here()
