"""How many rounds a second the engine plays, with four seats and a double-twelve set.

Whole games of thirteen rounds are played, dealing included, and processor time is counted. One goal
is for random legal moves, judged as every peer and the referee judge them: `legal_moves`,
`why_illegal`, `apply`. The other is for rollouts by the quick policy, as in search: their moves are
legal, and are not judged. A round of house bots is timed too, without a goal.
"""

from functools import partial
from typing import Final

from bench.figure import Figure, format_figures, timed
from engine.bots.house import choose
from engine.bots.numbered import numbers_in
from engine.bots.policy import Rollout
from engine.bots.strategy import Strategy
from engine.chance import Entropy
from engine.rules.ruleset import RuleSet
from engine.rules.spec import TableSpec, make_spec
from engine.scoring import round_scores
from engine.table.rounds import begin_round
from engine.table.table import hub_double
from engine.table.trains import Seat
from lab.rounds.any_move import choose_any
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, play_open

SEATS: Final = 4
PIP_MAX: Final = 12
GAMES: Final = 40
BOT_ROUNDS: Final = 20
GOAL: Final = 2_200
"""The goal for judged play, in rounds a second."""
GOAL_ROLLOUT: Final = 1_500
"""The goal for rollouts by the quick policy, in rounds a second."""


def _spec(rounds: int | None = None) -> TableSpec:
    spec = make_spec(RuleSet(), PIP_MAX, SEATS, rounds)
    assert isinstance(spec, TableSpec)
    return spec


def _fast_game(spec: TableSpec, entropy: Entropy) -> None:
    for number in range(spec.rounds):
        first = Seat(number % spec.seats)
        table = begin_round(spec, number, first, hub_double(spec, number), past=())
        rollout = Rollout(table, deal(table, entropy))
        outcome, tiles = rollout.play(), rollout.numbers.tiles
        assert outcome is not None
        held = [[tiles[number] for number in numbers_in(hand)] for hand in rollout.hands]
        round_scores(spec.rules, outcome, held)


def _open_games_s(spec: TableSpec, games: int, strategy: Strategy) -> float:
    seeds = (game.to_bytes(4, "big") for game in range(games))
    return sum(timed(partial(play_open, spec, seed, [strategy] * SEATS))[1] for seed in seeds)


def measure(games: int = GAMES, bot_rounds: int = BOT_ROUNDS) -> list[Figure]:
    """Measure rounds a second of random play and of rollouts, and the ms of a house-bot round."""
    spec, entropy = _spec(), seeded(b"bench")
    _fast_game(spec, entropy)
    fast_s = sum(timed(lambda: _fast_game(spec, entropy))[1] for _ in range(games))
    plain_games = max(1, games // 5)
    plain_s = _open_games_s(spec, plain_games, choose_any)
    bot_s = _open_games_s(_spec(rounds=1), bot_rounds, choose)
    return [
        Figure(
            "engine: random rounds judged, D12, 4 seats",
            plain_games * spec.rounds / plain_s,
            "rounds/s",
            goal=GOAL,
            more_is_better=True,
        ),
        Figure(
            "engine: rounds rolled out by the quick policy",
            games * spec.rounds / fast_s,
            "rounds/s",
            goal=GOAL_ROLLOUT,
            more_is_better=True,
        ),
        Figure("engine: a round of four house bots", bot_s / bot_rounds * 1000, "ms"),
    ]


if __name__ == "__main__":
    print(format_figures(measure()))
