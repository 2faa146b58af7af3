"""The recovery of a seat after a start: it first learns how far others' logs go [peer.md §8.1].

A seat that forgot its last entry and wrote another would look like a cheater. After a start it
therefore waits for everybody's head, as a replica recovers in Viewstamped Replication. Then it
listens for a second program that may play with its key.

A peer may claim a longer log than there is. If our log does not move for a while despite a claim,
the peer counts as out of reach, unless we may have forgotten what we signed: that could be what is
missing.
"""

import math
from enum import Enum
from typing import Final, TypeAlias, assert_never

from netgame.frozen import FrozenStruct
from netgame.limits import DIAL_BACKOFF_MAX_S
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.linked import is_ahead
from netgame.protocol.peer.state_table import after
from netgame.protocol.peer.status.journal import Journal
from netgame.wire.messages import Admit, Payload, RoundOver

_ASK_FIRST_S: Final = 3.0
"""After a restart a seat waits this long for the heads of members that it cannot reach."""

_LISTEN_S: Final = DIAL_BACKOFF_MAX_S + 1.0
"""A seat that may not be alone with its key listens this long once it is level: by then another
program, run from a copy of its folder, has its links again and has told what it wrote meanwhile."""


class Free(FrozenStruct):
    """No recovery is under way, so the seat may sign; the last one ended at `ended_at`."""

    ended_at: float


class Hearing(FrozenStruct):
    """This seat is waiting to hear how far others' logs go.

    Until the time `until`, it waits for all the peers that it has asked.
    """

    until: float


class Listening(FrozenStruct):
    """Our log came level with the others' heads at the time `since`, when `step` was due.

    Others may still show us more before our key may sign. `until` is as in `Hearing`.
    """

    until: float
    step: int
    since: float


class RecoveryEvent(Enum):
    """The events that change the recovery."""

    START = "it comes back to a table, or finds one, and has yet to hear where the others stand"
    LEVEL = "it has heard enough, and holds all that the heads name"
    ALONE = "the same, and it is alone with its key, or has listened for 3 s"


RecoveryState: TypeAlias = Free | Hearing | Listening

RECOVERIES: Final[dict[tuple[type[RecoveryState], RecoveryEvent], type[RecoveryState]]] = {
    (Free, RecoveryEvent.START): Hearing,
    (Hearing, RecoveryEvent.START): Hearing,
    (Hearing, RecoveryEvent.LEVEL): Listening,
    (Listening, RecoveryEvent.ALONE): Free,
}
"""A head that goes ahead does not end `Listening`: our log was level once."""


class Recovery(PeerPart):
    """The recovery after a start: `look` moves it on, and `lasts` only reports it."""

    journal: Journal
    state: RecoveryState = Free(-math.inf)
    _heard: set[bytes] = set()
    """The keys whose heads have come."""
    _met_rival: set[bytes] = set()
    """The peers that had a link to another process with our key when ours came."""
    _has_journal: bool = False
    """We know all that this key has signed: our own files tell it, or this very process asked for
    the seat."""

    def begin(self, *, has_journal: bool) -> None:
        """Begin to recover; while a member's head is missing, this takes at least `_ASK_FIRST_S`.

        `has_journal` says whether our own files contain all that this key has signed.
        """
        until = self.context.now + _ASK_FIRST_S
        self.state = after(RECOVERIES, self.state, RecoveryEvent.START, until=until)
        self._has_journal = has_journal

    @property
    def lasts(self) -> bool:
        """True if, as of the last `look`, this seat must hear more before it signs anything."""
        return not isinstance(self.state, Free)

    @property
    def ended_at(self) -> float:
        """The time at which the last recovery ended; infinite while one lasts."""
        return self.state.ended_at if isinstance(self.state, Free) else math.inf

    def meet_seating(self, payload: Payload) -> None:
        """Take note if this entry gives us a seat that this process has asked for.

        A request can be used only once [protocol.md §4.4, §4.8], so the seat is new, and we know
        everything that was signed for it: no peer's claim keeps us from signing for long. But the
        recovery goes on. A process that has lost its files may sign the octets of an old request
        again, if somebody shows it the log only up to that point; then others are ahead, and send
        the entries that it has forgotten.
        """
        match payload:
            case Admit():
                admits: tuple[Admit, ...] = (payload,)
            case RoundOver():
                admits = payload.latecomers
            case _:
                return
        if any(each.request in self.context.asked for each in admits):
            self._has_journal = True

    def claimants(self) -> tuple[bytes, ...]:
        """Return the keys of the linked peers whose empty claims keep us from signing.

        They claim more of the log than they send. Empty while no recovery lasts, or if we know all
        that this key has signed.
        """
        if self._forgets_nothing() or not self.lasts:
            return ()
        claims = self.context.links.claims_more
        return tuple(key for key in self.context.links.peers if self._is_asked(key) and claims(key))

    def hear(self, key: bytes) -> None:
        """Note that this peer has told us its head."""
        self._heard.add(key)

    def forget(self, key: bytes) -> None:
        """Forget a peer that does not belong to the table and whose link is gone."""
        self._heard.discard(key)
        self._met_rival.discard(key)

    def met_rival(self, key: bytes) -> None:
        """Note that this peer had a link to another process with our key when ours came."""
        self._met_rival.add(key)

    def look(self) -> None:
        """Check whether we have heard enough; once this seat is `Free`, it stays so until `begin`.

        We have heard enough when all peers that we ask have told their heads, or when the time is
        up and one has. Our log must be level with these heads; if another process may sign with our
        key, it must have been level for some seconds.
        """
        if isinstance(self.state, Free):
            return
        context = self.context
        others = {member.key for member in context.state.members} - {context.key}
        asked = set(filter(self._is_asked, others))
        # Peers that claim more and bring nothing count as out of reach, if the missing entries
        # cannot be our own.
        lost: set[bytes] = set()
        if self._forgets_nothing():
            lost = set(filter(context.links.claims_more, context.links.peers))
        heads = [
            peer.head
            for key, peer in context.links.peers.items()
            if peer.greeted and peer.head and self._is_asked(key) and key not in lost
        ]
        # A peer that came back over a new link may have gone on since we heard its head.
        links_anew = {key for key, peer in context.links.peers.items() if peer.head is None}
        is_unheard = not asked <= self._heard - links_anew - lost
        if is_unheard and (not context.reached(self.state.until) or not (heads or lost)):
            return
        if any(is_ahead(head, context.head()) for head in heads):
            return
        self.state = after(
            RECOVERIES, self.state, RecoveryEvent.LEVEL, step=context.state.step, since=context.now
        )
        # A member has met another process with our key, or cannot be asked: such a process may play
        # from a copy of our folder.
        may_be_two = self.journal.mark.step >= 0 and (is_unheard or bool(asked & self._met_rival))
        if not may_be_two or self._has_listened():
            self.state = after(RECOVERIES, self.state, RecoveryEvent.ALONE, ended_at=context.now)

    def _has_listened(self) -> bool:
        """Return True if we have listened for `_LISTEN_S` for another program with our key."""
        state = self.state
        return isinstance(state, Listening) and self.context.reached(state.since + _LISTEN_S)

    def _forgets_nothing(self) -> bool:
        """Return True if we know all that this key has signed."""
        return self._has_journal and not self.journal.is_in_doubt()

    def _is_asked(self, key: bytes) -> bool:
        """Return True if we wait for this peer's head: it may show entries that we forgot.

        In the lobby we wait for any member, and later for any seat. We do not wait for seats that
        have gone or parted, because they need not come back.
        """
        if self.context.in_lobby:
            return self.context.belongs(key)
        parted = self.context.ledger.poll.cut.parted()
        return self.context.sits(key) and not parted & self.context.state.company.now.bit_of(key)

    def has_been_level(self, step: int) -> bool:
        """Return True unless a recovery lasts and has not found our log level at `step` or earlier.

        Otherwise, an entry of our key for `step` that we do not know may be one that we forgot.
        """
        match self.state:
            case Free():
                return True
            case Hearing():
                return False
            case Listening(step=level_at):
                return step >= level_at
            case _:
                assert_never(self.state)
