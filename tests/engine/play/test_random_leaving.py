"""Random tables under random rules, with seats that leave at random moments. [§7.11]"""

from collections import Counter

import pytest

from engine.chance import below
from engine.play.calls import calls_due
from engine.play.due import due_seats
from engine.play.leavers import leave, void_round
from engine.table.table import Ending, RoundPhase
from engine.table.turn import TurnStage
from lab.rounds import random_tables
from lab.rounds.breaches import status
from lab.rounds.random_tables import Simulated, simulate_table
from lab.rounds.seeds import shuffled

SEEN = Counter()
"""Counts of what has happened at the tables, so that a test can tell what it covered."""


class LeavingGame(random_tables._Game):
    """A random game that seats leave at random moments."""

    def __init__(self, spec, entropy, result):
        """Choose how often seats leave this table."""
        super().__init__(spec, entropy, result)
        self.seldom = (20, 60, 180)[below(entropy, 3)]

    def _play_round(self):
        super()._play_round()
        if self.table.phase is RoundPhase.OVER and not below(self.entropy, 8):
            self._leave(self._leavers())

    def _play_step(self):
        gone = set(range(self.start.spec.seats)) - set(self.table.present)
        asked = {*due_seats(self.table), *calls_due(self.table)}
        assert not gone & asked, "who has left is asked for something"
        if below(self.entropy, self._odds()) or len(self.table.present) < 2:
            super()._play_step()
        elif self.table.phase is not RoundPhase.PLAY or not below(self.entropy, 3):
            self._void(self._leavers())
        else:
            self._note_turn()
            self._leave(self._leavers())
            if self.table.phase is RoundPhase.RESHUFFLE and not below(self.entropy, 3):
                self._leave(self._leavers())

    def _odds(self):
        """Return N, where seats leave at one step in N on average.

        N is lower in mid-turn, in last plays, and when a bullet train has been laid.
        """
        table = self.table
        amid = table.owed or table.turn.stage is not TurnStage.START or table.memory.silent
        ending = table.memory.last is not None or table.memory.bullet is not None
        return self.seldom // 10 if amid or ending else self.seldom

    def _leavers(self):
        """Return one or two seats at random, but never all."""
        present = self.table.present
        count = min(1 + below(self.entropy, 2), len(present) - 1)
        return shuffled(self.entropy, present)[:count]

    def _leave(self, seats):
        before = self.table
        self._take(lambda table, _: (leave(table, seats), ()))
        SEEN["leave", before.phase] += 1
        if self.table.phase is RoundPhase.RESHUFFLE:
            SEEN["rebuild"] += 1
            size = before.reshuffle.size if before.reshuffle else len(before.boneyard)
            held = sum(len(before.hands[seat]) for seat in seats)
            assert self.table.reshuffle.size == size + held, "the leavers' tiles are lost"

    def _void(self, seats):
        SEEN["void", self.table.phase] += 1
        number, lead = self.table.round_number, self.table.game.lead
        self._take(lambda table, _: (void_round(table, seats), ()))
        assert (self.table.round_number, self.table.game.lead) == (number, lead)
        assert status(self.table) == (), "a table is broken whose round is given up"

    def _note_turn(self):
        SEEN[self.table.turn.stage.value] += 1
        SEEN["last plays"] += self.table.memory.last is not None
        SEEN["bullet"] += self.table.memory.bullet is not None

    def _take(self, step):
        before = self.table
        super()._take(step)
        if self.table.outcome is not None and before.outcome is None:
            SEEN[self.table.outcome.ending] += 1
        if len(self.table.past) > len(before.past):
            late = dict(before.game.forfeits)
            rules, seats = before.rules, before.spec.seats
            for seat in set(range(seats)) - set(before.present) - set(late):
                if rules.partners.value == "no":
                    assert self.table.past[-1][seat] == 0, "who left before has a score"


@pytest.fixture
def leaving(monkeypatch):
    """Make random tables play `LeavingGame`, and clear `SEEN`."""
    SEEN.clear()
    monkeypatch.setattr(random_tables, "_Game", LeavingGame)


def simulated(count, seed):
    """Simulate this many random tables, and return the counts and the troubles found."""
    result = Simulated()
    for number in range(count):
        simulate_table(number, seed, result)
    return result


@pytest.mark.parametrize("tables", [80, pytest.param(300, marks=pytest.mark.campaign)])
def test_any_combination_of_switches_plays_on_when_seats_leave(tables, leaving):
    """Random tables with leaving seats show no trouble, and seats leave at all kinds of moments.

    Trouble is a round without an end, a lost tile, a due seat that cannot move, or two seats that
    arrive at different tables.
    """
    result = simulated(tables, b"leavers")
    assert result.troubles == []
    assert {Ending.LEFT, Ending.VOID, Ending.OUT, Ending.BLOCKED} <= SEEN.keys()
    assert {("leave", phase) for phase in (RoundPhase.PLAY, RoundPhase.OVER)} <= SEEN.keys()
    assert {("leave", RoundPhase.RESHUFFLE), "rebuild", "start", "cover"} <= SEEN.keys()
    assert {("void", phase) for phase in (RoundPhase.PLAY, RoundPhase.ENGINE)} <= SEEN.keys()
