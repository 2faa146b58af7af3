"""Simulated people talk, and others hear exactly what they said."""

from lab.simulation.game import play_game
from lab.simulation.mishaps.talking import KINDS


def test_people_talk_and_are_in_for_another_game_and_others_hear_it() -> None:
    """People talk and say that they are in for another game, and others hear both correctly."""
    game = play_game(126, faults=False, company=True, talk=True)
    assert not game.trouble
    assert all(game.counts["talk"][kind] for kind in KINDS)


def test_a_game_without_talk_counts_none() -> None:
    """A game that is played without `talk`, the default, has no counts of talk."""
    game = play_game(126, faults=False)
    assert not game.counts["talk"]
