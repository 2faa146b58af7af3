"""The mesh of links: when to dial a peer without one, and which ones to watch [peer.md §2].

A peer whose link lasted a while is dialled again at once. One whose links keep breaking is dialled
after growing pauses: if two programs use the same key, because a folder was copied, each takes over
the links of the other.
"""

import math
from collections.abc import Iterable
from typing import Final

from netgame.limits import DIAL_BACKOFF_MAX_S, DIAL_BACKOFF_MIN_S, LINK_SETTLED_S
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import Await, Dial, PeerKey
from netgame.protocol.state.phases import Phase

HIGHER_KEY_WAITS_S: Final = 1.5
"""Of two members without a link the lower key dials at once, the higher only after this."""


class Mesh(PeerPart):
    """Decides when to dial which peer, by the history of its links; the shell dials."""

    _awaited: frozenset[PeerKey] | None = None
    """The peers whose links the shell was told to watch; None if it must be told again."""
    _dial_at: dict[bytes, float] = {}
    """The time at which to dial each peer; infinite once the shell is dialling it."""
    _up_since: dict[bytes, float] = {}
    """The time at which the link to each peer came up."""
    _pauses: dict[bytes, float] = {}
    """The next pause before dialling a peer whose links break soon."""

    def begin(self, keys: Iterable[bytes]) -> None:
        """Dial these peers as soon as `dial` is called for them; forget all other due times.

        Their own programs may be in a long pause between two tries to reach us.
        """
        self._dial_at = dict.fromkeys(keys, self.context.now)

    def came(self, key: bytes) -> None:
        """Note that a link to this peer is up, so that `look_after` tells the shell to watch it."""
        self._up_since[key] = self.context.now
        self._dial_at.pop(key, None)
        self._awaited = None

    def went(self, key: bytes, *, is_dialled: bool) -> None:
        """Note that the link to this peer is gone.

        If we dial this peer and the link lasted only briefly, pause before dialling again. The
        first such link in a row brings no pause; after that each pause is twice as long as the
        last, within limits.
        """
        now = self.context.now
        held_s = now - self._up_since.pop(key, now)
        pause = self._pauses.pop(key, 0.0)
        if is_dialled and held_s < LINK_SETTLED_S:
            if pause:  # the first time may have been bad luck
                self._dial_at[key] = now + pause
            self._pauses[key] = min(max(2 * pause, DIAL_BACKOFF_MIN_S), DIAL_BACKOFF_MAX_S)

    def look_after(self) -> None:
        """Tell the shell whose links to watch, once the table is open and whenever they change.

        It watches the links of the host and of members who have not left for good. An absent player
        must show as absent to everybody, even while the table waits for somebody else: people talk,
        plan and vote by it.
        """
        state = self.context.state
        gone = {PeerKey(state.company.now.keys[seat]) for seat in state.gone}
        keys = {PeerKey(key) for key in (state.host, *(member.key for member in state.members))}
        if state.host and (sitting := frozenset(keys - gone)) != self._awaited:
            self._awaited = sitting
            self.context.outbox.emit(Await(sitting))

    def dial_members(self) -> None:
        """Dial each member without a link when it is time; see `dial`.

        A member waits first for those with a lower key to dial it. A watcher does not, because
        nobody dials it; before and after the game it dials nobody.
        """
        context, state = self.context, self.context.state
        sits = context.belongs(context.key)
        begun = state.phase not in (Phase.LOBBY, Phase.OVER)
        if not (sits or begun):
            return
        for member in state.members:
            key = PeerKey(member.key)
            if key != context.key:
                waits = sits and context.key > key
                self.dial(key, member.addresses, HIGHER_KEY_WAITS_S if waits else 0.0)

    def dial(self, key: PeerKey, addresses: tuple[str, ...], wait: float = 0.0) -> None:
        """Dial a peer when it is time, and only once, because the shell keeps trying.

        For the first `wait` seconds, leave dialling to the other side. Does nothing if the peer has
        a link. Without addresses, as for a member in a browser, the shell asks others to forward a
        link.
        """
        if key in self.context.links.peers:
            return
        if self.context.reached(self._dial_at.setdefault(key, self.context.now + wait)):
            # The shell keeps trying, so nothing is due before a link has come and gone.
            self._dial_at[key] = math.inf
            self.context.outbox.emit(Dial(key, addresses))
