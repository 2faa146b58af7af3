"""The names of those at a table, as the screen here shows them."""

from typing import Final

from netgame import limits
from netgame.protocol.notices import CHAIR_NAME, WATCHES
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.state.lobby import free_name
from netgame.protocol.text import clean_text

_NAMELESS: Final = "somebody"


class ScreenNames(PeerPart):
    """Keeps the names that watchers gave themselves; those of members are in the log."""

    _names: dict[PeerKey, str] = {}

    def name_of(self, key: PeerKey, said: str = "") -> str:
        """The name of a key's owner on our screen; never empty.

        It is the member's own, or `CHAIR_NAME` for a host without a seat; all others have a mark
        behind their name that they watch. `said` is the name by which somebody speaks who has told
        us none.
        """
        member = self.context.state.member(key)
        if member is not None:
            return member.name
        if key == self.context.state.host:
            return CHAIR_NAME
        name = self.context.name if key == self.context.key else self._names.get(key, _clean(said))
        return f"{self._apart(name)}{WATCHES}"

    def knows(self, key: PeerKey) -> bool:
        """Whether we have been told what to call this peer: by the log, or by itself."""
        state = self.context.state
        return state.member(key) is not None or key == state.host or key in self._names

    def _apart(self, name: str) -> str:
        """A watcher's name, with a number if a member has the same."""
        return free_name(self.context.state.members, name)

    def note(self, key: PeerKey, name: str) -> None:
        """Take a watcher's name for itself, made fit for a screen; a later one replaces it.

        Ignored for a key without a link, or where too many have one.
        """
        has_room = key in self._names or len(self._names) < 2 * limits.WATCHERS_MAX
        if key in self.context.links.peers and has_room:
            self._names[key] = _clean(name)

    def forget(self, key: PeerKey) -> None:
        """Forget the name that a watcher gave itself, as its link is gone."""
        self._names.pop(key, None)

    def watchers(self) -> dict[PeerKey, str]:
        """The guests here that have a name, in the order in which they came."""
        here = (key for key in self.context.links.guests() if key in self._names)
        return {key: self._apart(self._names[key]) for key in here}


def _clean(name: str) -> str:
    """A watcher's name for itself, fit for a screen."""
    return clean_text(name, limits.NAME_CELLS_MAX, _NAMELESS).replace(" ", "_")
