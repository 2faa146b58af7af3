"""When this seat says that others are missing [protocol.md §4.7].

People decide with a vote; a program that nobody attends follows them, and everybody's gives up by
itself who has been away for as long as the table has agreed on, or has said farewell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from netgame.limits import SUSPECT_S
from netgame.protocol.options import Patience, options_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from netgame.protocol.state import State

__all__ = ["PATIENCE_S", "Watch"]

PATIENCE_S: Final[dict[Patience, float]] = {
    Patience.FIVE_MINUTES: 300.0,
    Patience.MINUTE: 60.0,
    Patience.VOTE: float("inf"),
}

_IDLE_S: Final = 60.0
"""A seat that is linked and writes nothing is given up with a vote after this long in one step."""


class Watch:
    """Who is away, since when, and whom a person here wants to go on without.

    Times are monotonic seconds.
    """

    def __init__(self) -> None:
        self.wanted: frozenset[int] = frozenset()
        self._down: dict[int, float] = {}
        self._parted: set[int] = set()
        self._step, self._since = -1, 0.0

    def look(self, state: State, linked: frozenset[int], now: float) -> None:
        """Remember who has no link now, and since when the due step has been due."""
        if state.step != self._step:
            self._step, self._since = state.step, now
            self.wanted &= frozenset(state.present)
        self._down = {
            seat: self._down.get(seat, now) for seat in state.present if seat not in linked
        }

    def part(self, seat: int) -> None:
        """A seat says that it leaves for good: once its link is down nobody waits for it."""
        self._parted.add(seat)

    def meet(self, seat: int | None) -> None:
        """A seat is linked anew: it has not left after all."""
        self._parted.discard(-1 if seat is None else seat)

    def say(
        self,
        state: State,
        seat: int,
        lacking: frozenset[int],
        said: Mapping[tuple[int, frozenset[int]], object],
        now: float,
        *,
        attended: bool,
    ) -> frozenset[int] | None:
        """Whom to say are missing now, or None.

        `lacking` are the seats whose entry of the due step is not here, `said` what has been said.
        """
        limit = PATIENCE_S[options_of(state.settings).patience]
        away = frozenset(
            each
            for each, since in self._down.items()
            if each in self._parted or now - since >= limit
        )
        others = [seats for each, seats in said if each != seat]
        choices = [self.wanted, away, *(self._agreed(others) if attended else others)]
        for seats in choices:
            told = (seat, seats) in said or seat in seats
            if told or not seats & lacking or not seats <= frozenset(state.present):
                continue
            if seats in (self.wanted, away) or self._may_follow(seats, now):
                return seats
        return None

    def _agreed(self, others: Iterable[frozenset[int]]) -> list[frozenset[int]]:
        """Of what others say, what a person here has asked for in part: nobody is left behind."""
        return [seats for seats in others if self.wanted and self.wanted <= seats]

    def _may_follow(self, seats: frozenset[int], now: float) -> bool:
        """Whether each of these is away for us too, or has kept all waiting for long."""
        idle = now - self._since >= _IDLE_S
        return all(idle or now - self._down.get(each, now) >= SUSPECT_S for each in seats)
