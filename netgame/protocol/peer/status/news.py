"""The notices for the player that come from the log; latecomers are not told of the past.

A log begins to *catch up* when a newly linked peer shows that the table has gone on without us. It
is level once it has reached the step that this peer was at then. Meanwhile our table replays
moments long over, which no player wants to watch; the player is told once when the log is level.
"""

from collections.abc import Iterable
from typing import Final

from netgame.protocol import notices
from netgame.protocol.peer.context import PeerPart
from netgame.wire.messages import Head

_CATCH_UP_S: Final = 60.0
"""A latecomer hears nothing of the past until its log is level, but for no longer than this."""

_STALLED_S: Final = 3.0
"""A log that has begun and has not moved for this long will come no further: a peer may claim any
head. We pull from it at least every 2 s [peer.linked.PULL_PATIENCE_S]."""

_BEHIND_STEPS: Final = 4
"""Fewer missing steps than this are normal in any game, and come within a moment."""

_OLD_NEWS: Final = (
    notices.DealStage | notices.Dealt | notices.GameStarted | notices.LobbyChanged
    | notices.MovesUndone | notices.Played | notices.Reshuffled | notices.RoundOver
    | notices.SeatsLeft
)  # fmt: skip


class News(PeerPart):
    """Gives the player the notices of the log, and knows whether our log is catching up."""

    deal_note: notices.DealStage | None = None
    """The last stage of the present deal that the player was told of."""
    _level_at: tuple[int, int] | None = None
    """The polls and step at which our log will be level; None unless it is catching up."""
    _is_late: bool = False
    """Notices of the past are withheld, because we were not here then."""
    _until: float = 0.0
    """The time at which catching up ends in any case."""
    _seen_at: tuple[int, int] = (0, 0)
    """The polls and step of our log when it last moved."""
    _moved: float = 0.0
    """The time at which it last moved."""

    @property
    def is_catching_up(self) -> bool:
        """True while our log is catching up with the head of a peer that was ahead of us."""
        return self._level_at is not None

    def tell(self, told: Iterable[notices.Notice]) -> None:
        """Pass on the notices of a step, except old news while we catch up as a latecomer."""
        for notice in told:
            if self.is_catching_up and self._is_late and isinstance(notice, _OLD_NEWS):
                continue
            if isinstance(notice, notices.DealStage):
                self.deal_note = notice
            elif isinstance(notice, notices.SeatsCame | notices.VotesCame | notices.SeatsLeft):
                self.deal_note = None  # the deal in the making is dropped
            self.context.outbox.notify(notice)

    def come_late(self, head: Head) -> None:
        """Catch up with the head of a table just found, withholding the notices of its past.

        Does nothing once our log has a step or is catching up, or for a head before step 2.
        """
        if self.context.state.step == 0 and not self.is_catching_up and head.step > 1:
            self._begin(head, is_late=True)

    def find_others_ahead(self, head: Head) -> None:
        """Check the first head that a peer sends over a new link: it may be ahead of our log.

        If it is a poll or at least `_BEHIND_STEPS` steps ahead, our log catches up, and in a game
        the player is told once. Does nothing while our log is empty.
        """
        polls, step = self._here()
        is_ahead = head.polls > polls or (head.polls == polls and head.step - step >= _BEHIND_STEPS)
        if step > 0 and is_ahead and (head.polls, head.step) > (self._level_at or (0, 0)):
            self._begin(head, is_late=self.is_catching_up and self._is_late)

    def _begin(self, head: Head, *, is_late: bool) -> None:
        if not (is_late or self.is_catching_up or self.context.in_lobby):
            self.context.outbox.notify(notices.FellBehind())
        self._level_at, self._is_late = (head.polls, head.step), is_late
        self._seen_at, self._moved = self._here(), self.context.now
        self._until = self.context.now + _CATCH_UP_S

    def _here(self) -> tuple[int, int]:
        """Return the number of decided polls, and the due step of our log.

        Polls come first, because a poll may cut the log back to an earlier step.
        """
        return len(self.context.ledger.decisions), self.context.state.step

    def come_level(self) -> None:
        """End catching up, and tell the player, once we are level or stuck, or the time is up."""
        if self._level_at is None:
            return
        context, here = self.context, self._here()
        if here != self._seen_at:
            self._seen_at, self._moved = here, context.now
        is_stuck = not self._is_late and context.reached(self._moved + _STALLED_S)
        is_level = here >= self._level_at
        if is_level or is_stuck or context.reached(self._until):
            self._level_at = None
            context.outbox.notify(
                notices.LobbyChanged() if context.in_lobby else notices.CaughtUp(is_level)
            )
