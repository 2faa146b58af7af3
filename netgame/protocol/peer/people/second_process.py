"""Another process that comes to the same lobby with our key, as from a cloned disk."""

from typing import Final

from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.place import PeerPart
from netgame.protocol.peer.standing.stay import Stay

_TELLING_S: Final = 5.0
"""A process that has understood keeps its link so long: the other one dials back within 2 s
(`DIAL_BACKOFF_MAX_S`), takes the link, and thereby hears of it, too."""


class SecondProcess(PeerPart):
    """Stops both of two processes with one key that come to a lobby, before they sign anything.

    A host keeps one link to a key, so each of them takes the other's away, and neither knows why.
    The host says `rival` to the one that has come last. Over our first link that may be about a
    process that has died: a seat that was started again hears it, too. Over a later one it is about
    a process that has come since the host welcomed us, and so is there now [peer.md §3.3].

    Only the host is believed, who can end our stay in its lobby anyway. `_welcomed` are the peers
    that know this process, `_leave_at` is when to go at the latest, None while we are alone.
    """

    stay: Stay
    joiner: Joiner
    _welcomed: set[PeerKey] = set()
    _leave_at: float | None = None

    def note_welcome(self, key: PeerKey) -> None:
        """Note that this peer has welcomed us: it has told its head, and knows our process."""
        self._welcomed.add(key)

    def hear_rival(self, key: PeerKey) -> None:
        """Hear that this peer had a link to another process with our key when ours came."""
        is_host = key in (self.joiner.host, self.place.state.host)
        if is_host and self.place.in_lobby and key in self._welcomed and self._leave_at is None:
            self.stay.is_elsewhere = True
            self.joiner.look_on()  # it would sign another request
            self._leave_at = self.place.now + _TELLING_S

    def lose(self, key: PeerKey) -> None:
        """Go once the other process has taken our link to the host."""
        if self._leave_at is not None and key == self.joiner.host:
            self.stay.stop_here()

    def leave_when_told(self) -> None:
        """Go, if no other process has come back for the link."""
        if self._leave_at is not None and self.place.reached(self._leave_at):
            self.stay.stop_here()
