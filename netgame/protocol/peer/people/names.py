"""The names of the people at a table, as the screen here shows them."""

from typing import Final

from netgame import limits
from netgame.protocol.notices import CHAIR_NAME, WATCHES
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.state.lobby import free_name
from netgame.protocol.text import clean_text

_NAMELESS: Final = "somebody"


class ScreenNames(PeerPart):
    """Keeps the names that watchers gave themselves; the log has those of members."""

    _names: dict[PeerKey, str] = {}

    def name_of(self, key: PeerKey, said: str = "") -> str:
        """Return the name of a key's owner on our screen; never empty.

        This is a member's own name, or `CHAIR_NAME` for a host without a seat. All others are
        watchers, and the mark `WATCHES` follows their names. `said` is the name to use for a peer
        that has told us none.
        """
        member = self.context.state.member(key)
        if member is not None:
            return member.name
        if key == self.context.state.host:
            return CHAIR_NAME
        name = self.context.name if key == self.context.key else self._names.get(key, _clean(said))
        return f"{self._apart(name)}{WATCHES}"

    def knows(self, key: PeerKey) -> bool:
        """Return True if we know what to call this peer: from the log, or from the peer itself."""
        state = self.context.state
        return state.member(key) is not None or key == state.host or key in self._names

    def _apart(self, name: str) -> str:
        """Return a watcher's name, with a number if a member has the same one."""
        return free_name(self.context.state.members, name)

    def note(self, key: PeerKey, name: str) -> None:
        """Note the name that a watcher gave itself, cleaned; a later name replaces it.

        Ignored for a key without a link, or for a new name when `2 * WATCHERS_MAX` are kept.
        """
        has_room = key in self._names or len(self._names) < 2 * limits.WATCHERS_MAX
        if key in self.context.links.peers and has_room:
            self._names[key] = _clean(name)

    def forget(self, key: PeerKey) -> None:
        """Forget the name that a watcher gave itself, because its link is gone."""
        self._names.pop(key, None)

    def watchers(self) -> dict[PeerKey, str]:
        """Return the names of the guests here that have given one, by key, in order of coming."""
        here = (key for key in self.context.links.guests() if key in self._names)
        return {key: self._apart(self._names[key]) for key in here}


def _clean(name: str) -> str:
    """Return the name that a watcher gave itself, made fit for a screen."""
    return clean_text(name, limits.NAME_CELLS_MAX, _NAMELESS).replace(" ", "_")
