"""`python -m tests.lab.environments.random_rounds --rounds N`: games of any rules, numbered.

Every round is played through the numbers of actions, by chance, and every moment of it is observed
by every seat. Stops at the first thing that must never happen.
"""

import argparse
from collections.abc import Iterator

from engine.chance import below
from engine.rules.spec import TableSpec
from engine.table.moves import PullBack
from engine.table.trains import Seat
from lab.environments.action_numbers import ActionNumbers
from lab.environments.observation import observation_size, observed
from lab.environments.open_game import OpenGame
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import MOVES_MAX


def play_numbered(spec: TableSpec, seed: bytes) -> int:
    """Play a game by numbers, checking each moment; return how many deals it had."""
    entropy = seeded(seed)
    game = OpenGame(spec, Seat(below(entropy, spec.seats)))
    numbers, size = ActionNumbers(spec), observation_size(spec)
    moves = 0
    while not game.is_over:
        if game.is_chance:
            tiles = game.outcomes()
            game.draw(tiles[below(entropy, len(tiles))])
            continue
        seat = game.seat
        assert seat is not None
        legal = game.legal()
        numbered = numbers.by_number(game.view(seat), legal)
        assert numbered, "a seat decides and has no move"
        assert all(0 <= number < numbers.count for number in numbered)
        assert set(legal) - set(numbered.values()) <= {
            move for move in legal if isinstance(move, PullBack)
        }, "a move has no number"
        for each in range(spec.seats):
            seen = observed(game.view(Seat(each)))
            assert len(seen) == size
            assert 0 <= min(seen) <= max(seen) <= 1
        choices = tuple(numbered.values())
        game.decide(choices[below(entropy, len(choices))])
        moves += 1
        assert moves <= MOVES_MAX * game.deals, "a game goes on for ever"
    return game.deals


def random_games(seed: bytes) -> Iterator[tuple[TableSpec, int]]:
    """Games of random rules, one after the other, and how many deals each had."""
    number = 0
    while True:
        octets = seed + number.to_bytes(8, "big")
        spec = random_spec(seeded(octets))
        yield spec, play_numbered(spec, octets)
        number += 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", default="")
    options = parser.parse_args()
    games = played = 0
    for _, deals in random_games(options.seed.encode()):
        games, played = games + 1, played + deals
        if played >= options.rounds:
            break
    print(f"{games} games of random rules, {played} rounds: no fault")
