"""What the log tells the person here; who comes late hears nothing of what was over before."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from netgame.protocol import notices
from netgame.protocol.peer.place import Place
from netgame.wire.messages import Head

_CATCH_UP_S: Final = 60.0
"""Who comes late hears nothing of what is over until its log is level, but no longer than this."""

_OLD_NEWS: Final = (
    notices.DealStage | notices.Dealt | notices.GameStarted | notices.LobbyChanged
    | notices.MovesUndone | notices.Played | notices.RoundOver | notices.SeatsLeft
)  # fmt: skip


@dataclass(eq=False)
class News:
    """Silent about the log until it has come to the step `_level_at`, or the time is up.

    `deal_note` says how far the deal in the making has come.
    """

    place: Place
    deal_note: notices.DealStage | None = None
    _level_at: int | None = None
    _mute_until: float = 0.0

    @property
    def is_catching_up(self) -> bool:
        """Whether our log has yet to come to where the table was when we found it."""
        return self._level_at is not None

    def tell(self, told: Iterable[notices.Notice]) -> None:
        """Tell what a step has brought."""
        for notice in told:
            if self.is_catching_up and isinstance(notice, _OLD_NEWS):
                continue
            if isinstance(notice, notices.DealStage):
                self.deal_note = notice
            self.place.outbox.notify(notice)

    def come_late(self, head: Head) -> None:
        """The first head of the table we have just found: what came before is no news."""
        if self.place.state.step == 0 and not self.is_catching_up and head.step > 1:
            self._mute(head.step)

    def _mute(self, until_step: int) -> None:
        self._level_at, self._mute_until = until_step, self.place.now + _CATCH_UP_S

    def come_level(self) -> None:
        """Tell how things stand, once, when our log is level with what we found."""
        if self._level_at is None:
            return
        if self.place.state.step >= self._level_at or self.place.reached(self._mute_until):
            self._level_at = None
            in_lobby = self.place.in_lobby
            self.place.outbox.notify(notices.LobbyChanged() if in_lobby else notices.CaughtUp())
