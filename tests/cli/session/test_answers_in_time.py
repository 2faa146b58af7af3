"""Slow answers at a real terminal are announced at once, and never cover a turn."""

import pytest


@pytest.mark.parametrize("words", [(), ("--plain",)], ids=["screen", "plain"])
def test_a_hint_that_takes_long_says_so_at_once(start, words):
    """A hint that takes long is announced at once; a full screen later removes that sentence."""
    game = start("play", "--pace", "0", "--seed", "1", "--set", "12", "--bots", "3", *words)
    game.wait_for(r"Play  1: |You can play: 1")
    game.send("hint\r")
    game.wait_for(r"Try \d+[-=]\d+")
    game.read()
    thinks = "Thinking about a hint…"
    seen = game.seen.decode()
    assert seen.index(thinks) < seen.index("Try ")
    assert game.has(thinks) == bool(words)
    game.send("quit\r")
    game.wait_for("Type quit again")
    game.send("y\r")
    assert game.exit_code() == 0


@pytest.mark.usefixtures("quick_reviews")
def test_a_review_does_not_cover_the_first_turn_of_the_next_round(start):
    """A review that is ready during the next round opens only when it is asked for again."""
    rules = ("--set", "6", "--bots", "1", "--rounds", "2", "--seed", "7")
    game = start("play", "--pace", "0", *rules)
    game.play_until("Press Enter for the next round")
    game.send("review\r\r")
    game.wait_for("review of round 1 is ready|Type review 1 to go on reading")
    game.wait_until(lambda: game.shows("Play  1: ") and game.prompts())
    assert not game.shows("Round 1, Ann")
    game.send("review 1\r")
    game.wait_until(lambda: game.shows("Round 1, Ann"))
    assert game.count("Going through your moves") <= 1  # the answer may cover the talk
    game.send("quit\r")
    game.wait_for("Type quit again")
    game.send("y\r")
    assert game.exit_code() == 0
