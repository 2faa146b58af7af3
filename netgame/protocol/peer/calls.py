"""When all may speak: what this seat calls, and how long a person here is waited for.

[docs/rules.md §7.7, protocol.md §4.4]
"""

from __future__ import annotations

from engine.play.calls import call_by_itself, calls_due, has_just_played, offenders
from engine.play.legality import Refusal, RefusalReason, why_illegal
from engine.table.moves import Call, Quiet
from engine.table.table import Table
from engine.table.trains import Seat
from netgame.limits import CALL_S


class Calling:
    """The calls of one seat. Times are monotonic seconds.

    A seat that nobody attends tells of its last tile, and catches who has let a turn go by; for a
    person it waits, in the first step after the offender's turn, and says what they have said.
    """

    def __init__(self) -> None:
        self.attended = False
        self._said: Call | None = None
        self._step = -1
        self._until = 0.0

    def say(self, table: Table | None, move: Call) -> Refusal | None:
        """Remember a call for the step in which all may speak, or say what is against it."""
        if table is None or not calls_due(table):
            return Refusal(RefusalReason.NOTHING_TO_CALL)
        refusal = why_illegal(table, move)
        if refusal is None:
            self._said = move
        return refusal

    def answer(self, table: Table, seat: Seat, step: int, now: float) -> Call | None:
        """What to call in this step, or None while a person here may still say something."""
        if not self.attended:
            return call_by_itself(table, seat)
        said, self._said = self._said, None
        if said is not None and why_illegal(table, said) is None:
            return said
        return None if self._is_open(table, step, now) else Quiet(seat)

    def is_waiting(self, step: int) -> bool:
        """Whether a person has been given time in this step."""
        return step == self._step

    def wake_at(self, step: int, now: float) -> float | None:
        """When the time of this step is over; None if none is running."""
        return self._until if step == self._step and now < self._until else None

    def _is_open(self, table: Table, step: int, now: float) -> bool:
        if step == self._step:
            return now < self._until
        if not any(has_just_played(table, offender) for offender in offenders(table)):
            return False
        self._step, self._until = step, now + CALL_S
        return True
