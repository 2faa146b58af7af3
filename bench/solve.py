"""How long it takes to find the longest train of a hand and to prove that none is longer.

Hands are dealt at random, and their trains begin with the highest pip. The last figure is the worst
of ten thousand hands of up to sixty tiles, each from a set of random size.
"""

import random
from collections.abc import Iterator
from itertools import islice
from statistics import median
from typing import Final

from bench.figure import Figure, timed
from engine.longest_train import longest_train
from engine.tiles import SET_SIZES, Tile, full_set

GOALS_MS: Final = {15: 0.3, 25: 1.5, 40: 2.0}
"""Goals for the median, by the number of tiles of a double-twelve hand."""
WORST_GOAL_MS: Final = 50.0
HANDS: Final = 2_000
HANDS_OF_ANY_SET: Final = 10_000
_TILES_MAX: Final = 60


def measure(hands: int = HANDS, of_any_set: int = HANDS_OF_ANY_SET) -> list[Figure]:
    """Measure the processor ms for a hand: the median and the worst for each number of tiles.

    The last figure is the worst of `of_any_set` hands from sets of random size.
    """
    chance = random.Random(1)
    figures = []
    for count, goal in GOALS_MS.items():
        times = [_ms(chance.sample(full_set(12), count), 12) for _ in range(hands)]
        name = f"solve: {count} tiles of double-12, median"
        figures.append(Figure(name, median(times), "ms", goal))
        figures.append(Figure(f"solve: {count} tiles, worst of {hands:,}", max(times), "ms"))
    worst = max(_ms(hand, pip_max) for pip_max, hand in islice(_of_any_set(chance), of_any_set))
    name = f"solve: up to {_TILES_MAX} tiles of any set, worst of {of_any_set:,}"
    return [*figures, Figure(name, worst, "ms", WORST_GOAL_MS)]


def _of_any_set(chance: random.Random) -> Iterator[tuple[int, list[Tile]]]:
    while True:
        pip_max = chance.choice(SET_SIZES)
        tiles = full_set(pip_max)
        yield pip_max, chance.sample(tiles, chance.randint(1, min(_TILES_MAX, len(tiles))))


def _ms(hand: list[Tile], start: int) -> float:
    return 1000 * timed(lambda: longest_train(hand, start))[1]
