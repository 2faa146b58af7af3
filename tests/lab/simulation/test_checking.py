"""Slow checks of shuffles: a seat vouches for a chain only after it has checked it."""

from lab.simulation.game import play_game
from lab.simulation.mishaps import faults
from lab.simulation.mishaps.kinds import Mishap
from netgame.protocol.ledger.ledger import Ledger


def test_a_seat_whose_checks_take_long_signs_nothing_before(monkeypatch) -> None:
    """Games end properly, and no seat vouches for a chain that it has not checked."""
    monkeypatch.setattr(faults, "_KINDS", (Mishap.SLOW_CHECK,))
    done = 0
    for seed in range(4):
        game = play_game(seed)
        assert not game.trouble, (seed, game.trouble, game.story)
        done += game.counts["faults"][Mishap.SLOW_CHECK.value]
    assert done


def test_a_program_that_signs_before_it_has_checked_is_noticed(monkeypatch) -> None:
    """A program that trusts a chain before checking it, a planted bug, is reported as hasty."""
    monkeypatch.setattr(faults, "_KINDS", (Mishap.SLOW_CHECK,))
    monkeypatch.setattr(Ledger, "has_passed", lambda self: self.chain is not None)
    games = (play_game(seed) for seed in range(8))
    assert any("hasty" in line for game in games for line in game.trouble)
