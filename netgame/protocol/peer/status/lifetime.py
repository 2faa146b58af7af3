"""The lifetime of this process at the table, and the reasons why it leaves."""

from engine.rules import revision
from netgame.limits import LEAVE_AFTER_S, WATCHERS_GRACE_S
from netgame.protocol.notices import OtherRules, TableClosed, WhyClosed
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import Finished
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Head, Settings

_HALT_S = 15.0
"""A peer that is stopped by a fault stays this long to pass the evidence on. It signs again if
others let the culprit go meanwhile, or if it only lagged behind."""


class Lifetime(PeerPart):
    """Decides how long this peer stays at its table, and ends its part there."""

    is_over: bool = False
    """Nothing is left to do here."""
    has_left: bool = False
    """The player has left this seat for good, and it writes no more."""
    is_elsewhere: bool = False
    """Another process signs with our key, so this one takes and signs nothing."""
    _heads: dict[bytes, Head] = {}
    """The last heads of members, even over links that are gone."""
    _leave_at: float | None = None
    """The time at which to leave at the latest; None while the table goes on."""

    def close(self, why: WhyClosed) -> None:
        """End this peer's part at the table and tell the player why, unless it ended earlier."""
        if not self.is_over:
            self.context.outbox.notify(TableClosed(why))
            self._finish()

    def turn_away(self, offer: Settings) -> None:
        """Leave a table that plays another revision of the rules, and tell the player once."""
        if not self.is_over:
            self.context.outbox.notify(OtherRules(offer.revision, revision.RULES_REVISION))
            self._finish()

    def stop_here(self) -> None:
        """Sign nothing more because another process signs with our key, and tell the player."""
        self.is_elsewhere = True
        self.close(WhyClosed.ELSEWHERE)

    def halt(self) -> None:
        """Begin to leave because a fault stops us; `go_on` takes that back."""
        self._leave_at = self.context.now + _HALT_S

    def go_on(self) -> None:
        """Stay after all: no fault stops us any more."""
        self._leave_at = None

    def note_head(self, key: bytes, head: Head) -> None:
        """Note how far a member's log goes; the head of any other peer is ignored.

        At the end this peer stays until every member has the whole log, or the time is up.
        """
        if self.context.state.member(key) is not None:
            self._heads[key] = head

    def begins_to_end(self) -> bool:
        """Return True once, when the game is over, and set the time to leave.

        False, too, if a fault has set a time to leave.
        """
        if self.context.state.phase is not Phase.OVER or self._leave_at is not None:
            return False
        self._leave_at = self.context.now + LEAVE_AFTER_S
        return True

    def leave_when_done(self) -> None:
        """Leave once every member has the whole log, or the time is up.

        We wait for watchers, too, but not as long. While a fault stops us, we stay until the time
        is up. Does nothing before `halt` or `begins_to_end` has set a time.
        """
        if not self.is_over and self._leave_at is not None and self._may_leave(self._leave_at):
            self._finish()

    def _finish(self) -> None:
        self.is_over = True
        self.context.outbox.emit(Finished())

    def _may_leave(self, leave_at: float) -> bool:
        context = self.context
        if context.reached(leave_at):
            return True
        others = (member.key for member in context.state.members if member.key != context.key)
        if context.fault is not None or not all(self._is_ours(self._heads.get(k)) for k in others):
            return False
        # This time counts from the same moment, the end of the game.
        patient = not context.reached(leave_at - LEAVE_AFTER_S + WATCHERS_GRACE_S)
        guests = (context.links.peers[key].head for key in context.links.guests())
        return not patient or all(map(self._is_ours, guests))

    def _is_ours(self, head: Head | None) -> bool:
        """Return True if this head has the same step and digest as our log's; False for None."""
        state = self.context.state
        return head is not None and (head.step, head.digest) == (state.step, state.head)
