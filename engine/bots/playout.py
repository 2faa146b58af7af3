"""A round that a search plays out: flat where the wheel can, by the rulebook everywhere else.

Both play the same policy move by move, so a search finds the same with the wheel and without.
[engine.bots.flat, engine.bots.policy]
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engine.bots.flat import NOBODY, code_of, flatten, is_flat, outcome_of, plans_in, table_of
from engine.bots.numbered import numbers_in
from engine.bots.policy import Rollout
from engine.play.due import due_seats
from engine.table.moves import Move
from engine.table.table import Outcome, Table
from engine.table.trains import Position, Seat
from engine.table.turn import InPlay, OpeningAll

if TYPE_CHECKING:
    from engine._flat import Round


class Playout:
    """A round with all hands known, which the quick policy can play on; it changes in place."""

    def __init__(self, now: "Rollout | Round", at: Mapping[Position, int], table: Table) -> None:
        """Take a round as it is at this table; `at` numbers the tiles of all positions."""
        self._now, self._at = now, at
        self._before = table
        """The table that a flat round was made of."""
        self._table: Table | None = table
        """That of a flat round as it is now, once somebody has asked for it."""

    def copy(self) -> "Playout":
        """Make a copy that can be played on separately."""
        new = Playout(self._now.copy(), self._at, self._before)
        new._table = self._table
        return new

    def table(self) -> Table:
        """Return the table as it is now."""
        if isinstance(self._now, Rollout):
            return self._now.table
        if self._table is None:
            positions = {number: position for position, number in self._at.items()}
            self._table = table_of(self._now, self._before, positions)
        return self._table

    def rollout(self) -> Rollout:
        """Return a copy of the round as the rulebook has it; the two are played on separately."""
        if isinstance(self._now, Rollout):
            return self._now.copy()
        rollout = Rollout(self.table(), {})
        rollout.know(self._at)
        rollout.resume(plans_in(self._now))
        return rollout

    def make(self, move: Move) -> None:
        """Carry out a legal move."""
        if isinstance(self._now, Rollout):
            self._now.make(move)
        elif (code := code_of(self.table(), move)) is None:
            self._make_by_rulebook(move)
        else:
            self._now.make(code)
            self._table = None

    def play_until(self, seat: Seat) -> None:
        """Play on by the quick policy, up to a turn of this seat or to the end of play.

        It does nothing if that is reached already. An opening of all at once is played through
        first, for this seat, too.
        """
        self._play_flat(seat)
        if isinstance(rollout := self._now, Rollout):
            while isinstance(rollout.table.now, InPlay) and rollout.table.to_move != seat:
                rollout.make(rollout.chosen(rollout.table.to_move))

    def play(self) -> Outcome:
        """Play to the end of the round by the quick policy, and return how it ended."""
        while True:
            self._play_flat(NOBODY)
            if isinstance(self._now, Rollout):
                return self._now.play()
            if (outcome := outcome_of(self._now)) is not None:
                return outcome

    def _play_flat(self, until: int) -> None:
        """Play on for as long as the round is flat, from the end of an opening of all at once.

        It stops at a turn of the seat `until` or at the end, and where the round cannot be flat.
        """
        if isinstance(rollout := self._now, Rollout):
            while isinstance(rollout.table.now, OpeningAll):
                rollout.make(rollout.chosen(due_seats(rollout.table)[0]))
            self._take(rollout)
        while not isinstance(self._now, Rollout):
            is_there = self._now.play(until)
            self._table = None
            if is_there:
                break
            self._make_by_rulebook(None)

    def _make_by_rulebook(self, move: Move | None) -> None:
        """Carry out this move by the rulebook, or the policy's for None; then be flat if it can."""
        rollout = self.rollout()
        rollout.make(rollout.chosen(rollout.table.to_move) if move is None else move)
        self._take(rollout)

    def _take(self, rollout: Rollout) -> None:
        """Go on with this round, flat if it can be."""
        self._now, self._table = rollout, rollout.table
        if is_flat(rollout.table):
            self._now = flatten(rollout.table, self._at, rollout.kept_plans())
            self._before = rollout.table

    def held(self) -> list[list[int]]:
        """Return by seat the numbers of the tiles left in its hand, which are in no fixed order."""
        if isinstance(self._now, Rollout):
            return [numbers_in(bits) for bits in self._now.hands]
        return [[*hand] for hand in self._now.hands()]


def dealt(outset: Rollout, at: Mapping[Position, int], planners: Iterable[Seat]) -> Playout:
    """Return the round of `outset`, dealt with these tiles, with new plans for these seats.

    `at` numbers the tiles of all positions. `outset` itself stays as it is.
    """
    table = outset.table
    if is_flat(table):
        flat = flatten(table, at, outset.kept_plans())
        flat.plan(sum([1 << seat for seat in planners]))
        return Playout(flat, at, table)
    rollout = outset.copy()
    rollout.know(at)
    for seat in planners:
        rollout.plan_anew(seat)
    return Playout(rollout, at, table)
