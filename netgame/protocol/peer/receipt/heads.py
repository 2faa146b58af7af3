"""Our head, told soon after it has changed and every second; and the alarm for the next time."""

from dataclasses import dataclass

from netgame.limits import HEAD_DELAY_S, HEAD_S
from netgame.protocol.peer.effects import Wake
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.standing.calls import Calling
from netgame.protocol.peer.standing.stay import Stay
from netgame.protocol.peer.sync import batches
from netgame.wire.messages import Entries, Head


@dataclass(eq=False)
class Heads:
    """`_told` is the head last told; the next is due at `_beat_at`, or sooner, at `_tell_at`."""

    place: Place
    stay: Stay
    calling: Calling
    _told: tuple[int, bytes] | None = None
    _tell_at: float | None = None
    _beat_at: float = 0.0

    def tell(self) -> None:
        """Tell our head, and what seats have said of who is missing, if it is time to."""
        now, state, ledger = self.place.now, self.place.state, self.place.ledger
        mark = (state.step, ledger.filled())
        if mark != self._told and self._tell_at is None:
            self._tell_at = now + HEAD_DELAY_S
        if self.stay.begins_to_end():
            self._tell_at = now
        if now >= self._next_at():
            self._told, self._tell_at, self._beat_at = mark, None, now + HEAD_S
            self.place.links.tell_all(Head(state.step, state.head, mark[1]))
            for piece in batches(each.signed for each in ledger.missing.values()):
                self.place.links.tell_all(Entries(piece))

    def set_alarm(self) -> None:
        """Be woken for the next head, or when the time of a person who may call is over."""
        at = self._next_at()
        self.place.outbox.emit(Wake(min(at, self.calling.wake_at() or at)))

    def _next_at(self) -> float:
        return self._beat_at if self._tell_at is None else min(self._beat_at, self._tell_at)
