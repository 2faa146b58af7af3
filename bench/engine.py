"""How many rounds a second the engine plays: four seats, double-twelve, random legal moves."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from bench.figure import Figure
from engine import RuleSet, TableSpec, make_spec
from engine.simulate import play_open
from engine.strategy import choose, choose_any

SEATS: Final = 4
PIP_MAX: Final = 12
GAMES: Final = 30
"""Games of thirteen rounds, so that every hub double counts alike."""
BOT_ROUNDS: Final = 20


def _spec(rounds: int | None = None) -> TableSpec:
    spec = make_spec(RuleSet(), PIP_MAX, SEATS, rounds)
    assert isinstance(spec, TableSpec)
    return spec


def measure(games: int = GAMES, bot_rounds: int = BOT_ROUNDS) -> list[Figure]:
    """Rounds a second of random legal play, and how long the house bot takes for a round."""
    spec = _spec()
    play_open(spec, b"warm", [choose_any] * SEATS)
    start = perf_counter()
    for game in range(games):
        play_open(spec, game.to_bytes(4, "big"), [choose_any] * SEATS)
    random_s = perf_counter() - start
    one_round = _spec(rounds=1)
    start = perf_counter()
    for game in range(bot_rounds):
        play_open(one_round, game.to_bytes(4, "big"), [choose] * SEATS)
    bot_s = perf_counter() - start
    return [
        Figure(
            "engine: random legal play, D12, 4 seats",
            games * spec.rounds / random_s,
            "rounds/s",
            goal=2000,
            goal_text="pure Python; checks of `why_illegal` included",
            more_is_better=True,
        ),
        Figure("engine: a round of four house bots", bot_s / bot_rounds * 1000, "ms"),
    ]


if __name__ == "__main__":
    from bench.figure import format_figures

    print(format_figures(measure()))
