"""How long a hint takes: processor time to find an expert's move and to weigh it.

The positions are choices from rounds of four house bots at double-nine and double-twelve, under
each preset in turn, with everything that the seat may know. Nothing is computed in advance.
"""

from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice
from statistics import mean, median, quantiles
from typing import Final

from bench.figure import Figure, timed
from engine.bots.advice import advise
from engine.bots.effort import Effort
from engine.bots.house import choose
from engine.bots.strategy import forced
from engine.chance import Entropy, below
from engine.rules.choose import RULE_SETS
from engine.rules.spec import TableSpec, make_spec
from engine.table.moves import LayTile, Move
from engine.table.turn import InPlay
from engine.view import SeatView
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import play_game

SEATS: Final = 4
SETS: Final = 9, 12
POSITIONS: Final = 120
GOAL_S: Final = 0.3
GOAL_95_S: Final = 0.5


def measure(positions: int = POSITIONS) -> list[Figure]:
    """Measure the processor seconds of a hint, and the mean number of rounds it plays out."""
    times, rounds = list[float](), list[int]()
    for number, view in enumerate(islice(choices(), positions)):
        effort = Effort()
        chance = seeded(f"hint {number}".encode())
        times.append(timed(partial(advise, view, chance, effort))[1])
        rounds.append(effort.spent)
    most = quantiles(times, n=20)[-1]
    return [
        Figure("hint: median", median(times), "s", GOAL_S),
        Figure("hint: 95 %", most, "s", GOAL_95_S),
        Figure("hint: rounds played out, mean", mean(rounds), "rounds"),
    ]


def choices() -> Iterator[SeatView]:
    """Yield, from each round that has any, one view in which the seat can choose between lays.

    The rounds use one preset after another, over and over; the views never end.
    """
    for number, (rules, pip_max) in enumerate(
        zip(cycle(RULE_SETS.values()), cycle(SETS), strict=False)
    ):
        spec = make_spec(rules, pip_max, SEATS, 1)
        if isinstance(spec, TableSpec):
            found = _choices_in(spec, number)
            entropy = seeded(f"choice {number}".encode())
            if found:
                yield found[below(entropy, len(found))]


def _choices_in(spec: TableSpec, number: int) -> list[SeatView]:
    """Return the views of one round of house bots in which a seat can choose between lays."""
    found = list[SeatView]()

    def chosen(view: SeatView, entropy: Entropy) -> Move:
        lays = [move for move in view.legal if isinstance(move, LayTile)]
        if isinstance(view.table.now, InPlay) and len(lays) > 1 and not forced(view, view.legal):
            found.append(view)
        return choose(view, entropy)

    name = f"hint {number}".encode()
    play_game(
        spec,
        [chosen] * spec.seats,
        seeded(name),
        lambda deck: seeded(name + b"/" + str(deck).encode()),
        informed=True,
    )
    return found
