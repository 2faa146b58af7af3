"""When all may speak: what this seat calls, and how long a person here is waited for.

[docs/rules.md §7.7, protocol.md §4.4]
"""

from dataclasses import dataclass

from engine.play.calls import call_by_itself, calls_due, has_just_played, offenders
from engine.play.judge import why_illegal
from engine.refusals import Refusal, RefusalReason
from engine.table.moves import Call, Quiet
from engine.table.table import Table
from engine.table.trains import Seat
from netgame.limits import CALL_S
from netgame.protocol.peer.place import Place


@dataclass(eq=False)
class Calling:
    """The calls of one seat.

    A seat that nobody attends tells of its last tile, and catches who has let a turn go by; for a
    person it waits, in the first step after the offender's turn (`_step`, until `_until`), and says
    what they have said.
    """

    place: Place
    _said: Call | None = None
    _step: int = -1
    _until: float = 0.0

    def say(self, move: Call) -> Refusal | None:
        """Remember a call for the step in which all may speak, or say what is against it."""
        table = self.place.state.table
        if table is None or not calls_due(table):
            return Refusal(RefusalReason.NOTHING_TO_CALL)
        refusal = why_illegal(table, move)
        if refusal is None:
            self._said = move
        return refusal

    def answer(self, table: Table, seat: Seat) -> Call | None:
        """What to call in this step, or None while a person here may still say something."""
        if not self.place.attended:
            return call_by_itself(table, seat)
        said, self._said = self._said, None
        if said is not None and why_illegal(table, said) is None:
            return said
        return None if self._is_open(table) else Quiet(seat)

    def is_waiting(self) -> bool:
        """Whether a person has been given time in this step."""
        return self.place.state.step == self._step

    def wake_at(self) -> float | None:
        """When the time of this step is over; None if none is running."""
        return self._until if self.is_waiting() and self.place.now < self._until else None

    def _is_open(self, table: Table) -> bool:
        if self.is_waiting():
            return self.place.now < self._until
        if not any(has_just_played(table, offender) for offender in offenders(table)):
            return False
        self._step, self._until = self.place.state.step, self.place.now + CALL_S
        return True
