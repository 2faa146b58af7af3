"""How many rounds a second the engine plays: four seats, double-twelve, random legal moves.

Whole games of thirteen rounds, dealing included, in processor time. The goal is for the judged
path, which every peer and the referee run: `legal_moves`, `why_illegal`, `apply`; and for rollouts
by the quick policy, whose moves are known to be legal and not judged, as search makes them. With
the wheel of `native/engine` a search makes them on flat rounds; so both are played there too, each
move listed, judged and carried out by calls from Python.
"""

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from bench._machine import is_compiled
from bench.figure import Figure, format_figures, timed
from engine.bots.facts import IS_BUILT
from engine.bots.flat import flatten
from engine.bots.house import choose
from engine.bots.playout import dealt
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

if TYPE_CHECKING:
    from engine._flat import Round

SEATS: Final = 4
TILES: Final = 91
PIP_MAX: Final = 12
GAMES: Final = 40
BOT_ROUNDS: Final = 20
GOAL: Final = 2_200
GOAL_COMPILED: Final = 7_500
"""Rounds a second of judged play, by the sources as they are and by a wheel made of them."""
GOAL_ROLLOUT: Final = 1_500
"""Rounds a second by the quick policy."""
GOAL_FLAT: Final = 14_000
"""Rounds a second of judged play on flat rounds: twenty times what the sources made of tables."""


def _spec(rounds: int | None = None) -> TableSpec:
    spec = make_spec(RuleSet(), PIP_MAX, SEATS, rounds)
    assert isinstance(spec, TableSpec)
    return spec


def _fast_game(spec: TableSpec, entropy: Entropy) -> None:
    for number in range(spec.rounds):
        first = Seat(number % spec.seats)
        table = begin_round(spec, number, first, hub_double(spec, number), past=())
        outset = Rollout(table, deal(table, entropy))
        end = dealt(outset, outset.at, ())
        tiles = outset.numbers.tiles
        outcome = end.play()
        round_scores(spec.rules, outcome, [[tiles[at] for at in held] for held in end.held()])


def _flat_game(begun: list["Round"], chance: Random) -> None:
    """Play each of these rounds by random moves, with other tiles in all hands."""
    bits = chance.getrandbits
    for round_ in begun:
        played = round_.mixed(chance.randbytes(4 * TILES))
        legal, is_legal, carry_out = played.legal, played.is_legal, played.carry_out
        is_over = False
        while not is_over:
            moves = legal()
            assert moves
            move = moves[bits(16) * len(moves) >> 16] if len(moves) > 1 else moves[0]
            assert is_legal(move)
            is_over = carry_out(move)


def _begun(spec: TableSpec, entropy: Entropy) -> list["Round"]:
    """The rounds of a game as they begin, dealt."""
    found = []
    for number in range(spec.rounds):
        first = Seat(number % spec.seats)
        table = begin_round(spec, number, first, hub_double(spec, number), past=())
        found.append(flatten(table, Rollout(table, deal(table, entropy)).at))
    return found


def _open_games_s(spec: TableSpec, games: int, strategy: Strategy) -> float:
    seeds = (game.to_bytes(4, "big") for game in range(games))
    return sum(timed(partial(play_open, spec, seed, [strategy] * SEATS))[1] for seed in seeds)


def measure(games: int = GAMES, bot_rounds: int = BOT_ROUNDS) -> list[Figure]:
    """Rounds a second of random play and of rollouts, and what the house bot takes for one."""
    spec, entropy = _spec(), seeded(b"bench")
    _fast_game(spec, entropy)
    fast_s = sum(timed(lambda: _fast_game(spec, entropy))[1] for _ in range(games))
    plain_games = max(1, games // 5)
    plain_s = _open_games_s(spec, plain_games, choose_any)
    bot_s = _open_games_s(_spec(rounds=1), bot_rounds, choose)
    flat_figures = []
    if IS_BUILT:
        begun, chance = _begun(spec, entropy), Random(1)
        _flat_game(begun, chance)
        flat_s = sum(timed(lambda: _flat_game(begun, chance))[1] for _ in range(games))
        flat_figures.append(
            Figure(
                "engine: random rounds judged, D12, 4 seats, as flat rounds",
                games * spec.rounds / flat_s,
                "rounds/s",
                goal=GOAL_FLAT,
                more_is_better=True,
            )
        )
    return [
        Figure(
            "engine: random rounds judged, D12, 4 seats",
            plain_games * spec.rounds / plain_s,
            "rounds/s",
            goal=GOAL_COMPILED if is_compiled() else GOAL,
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
        *flat_figures,
    ]


if __name__ == "__main__":
    print(format_figures(measure()))
