"""The worth of a score to a seat, in both libraries' games."""

from collections.abc import Sequence

from engine.rules.spec import TableSpec
from engine.scoring import tile_points
from engine.tiles import full_set


def utilities(spec: TableSpec, scores: Sequence[int]) -> tuple[float, ...]:
    """The worth of points to each seat: more is better, whichever way the rules count."""
    return tuple([-float(spec.rules.standing(score)) for score in scores])


def utility_bound(spec: TableSpec) -> float:
    """More points than any seat can have in a game: the whole set in one hand, each round."""
    points = sum(tile_points(spec.rules, tile) for tile in full_set(spec.pip_max))
    return float(points * spec.rounds * 2)
