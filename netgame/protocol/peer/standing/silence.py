"""Ask before you speak: when a seat may sign again after its process has started [protocol.md §8].

A seat that forgot its last entry and wrote another would look exactly like a cheater. So it first
hears where everybody stands and gets all that they have. Where it cannot rule out that a second
program plays with its key, it listens a while longer: that one shows itself by what it writes.
"""

import math
from dataclasses import dataclass, field
from typing import Final

from netgame.limits import DIAL_BACKOFF_MAX_S
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.standing.journal import Journal
from netgame.protocol.peer.sync import is_ahead

ASK_FIRST_S: Final = 3.0
"""After a restart a seat waits this long for heads of members it cannot reach."""

_LISTEN_S: Final = DIAL_BACKOFF_MAX_S + 1.0
"""A seat that may not be alone with its key is silent so long once it is level: another program,
run from a copy of its folder, has its links again by then and has told what it wrote meanwhile."""


@dataclass(eq=False)
class Silence:
    """Who has told where they stand since the start, and what keeps this seat silent.

    `_heard` are the keys whose heads have come, `ended_at` is when the last silence was over.
    Silent at least until `_until` while somebody has not been heard; None where nothing keeps this
    seat silent any more, or ever has. `_level_since` has the step and time from which on we had
    all that others told of; `_met_rival` had a link to another process with our key.
    """

    place: Place
    journal: Journal
    ended_at: float = -math.inf
    _heard: set[bytes] = field(default_factory=set)
    _until: float | None = None
    _level_since: tuple[int, float] | None = None
    _met_rival: set[bytes] = field(default_factory=set)

    def begin(self, until: float) -> None:
        """Be silent: at least until then while somebody has not been heard."""
        self._until, self._level_since = until, None

    def hear(self, key: bytes) -> None:
        """This peer has told where it stands."""
        self._heard.add(key)

    def forget(self, key: bytes) -> None:
        """The link to somebody who does not belong to the table is gone."""
        self._heard.discard(key)

    def met_rival(self, key: bytes) -> None:
        """This peer had a link to another process with our key when ours came."""
        if self._until is not None:
            self._met_rival.add(key)

    def lasts(self) -> bool:
        """Whether this seat has to hear more before it signs anything."""
        if self._until is None:
            return False
        place = self.place
        own, now = place.seat, place.now
        without = frozenset[int]() if own is None else place.ledger.missing.named_by(own)
        members = {member.key for member in place.state.members} - {place.key}
        asked = {key for key in members if self._is_asked(key, without)}
        heads = [
            peer.head
            for key, peer in place.links.peers.items()
            if peer.greeted and peer.head and self._is_asked(key, without)
        ]
        filled = frozenset(place.ledger.slots) | without  # whose entries we take no more
        is_unheard = not asked <= self._heard
        if is_unheard and (now < self._until or not heads):
            return True
        if any(is_ahead(head, place.state.step, filled) for head in heads):
            return True
        if self._level_since is None:
            self._level_since = place.state.step, now
        may_be_two = self.journal.mark >= 0 and (is_unheard or bool(asked & self._met_rival))
        if may_be_two and now - self._level_since[1] < _LISTEN_S:
            return True
        self._until, self.ended_at = None, now
        return False

    def _is_asked(self, key: bytes, without: frozenset[int]) -> bool:
        """Whether the head of this peer says what we may have forgotten.

        Who has left, or is given up by us, may go on by itself for ever.
        """
        if self.place.in_lobby:
            return self.place.belongs(key)
        state = self.place.state
        return state.seat_of(key) in frozenset(state.present) - without

    def has_been_level(self, step: int) -> bool:
        """Whether an own entry of this step that we did not sign was made after we had caught up.

        What was forgotten, and what somebody held back, is shown before.
        """
        return self._until is None or (
            self._level_since is not None and step >= self._level_since[0]
        )
