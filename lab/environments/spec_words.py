"""A table from the words that both libraries' games are made with, and what a score is worth."""

from collections.abc import Sequence

from cli.said.refusals import refusal_sentence
from engine.refusals import Refusal
from engine.rules.choose import parse_rules
from engine.rules.spec import TableSpec, make_spec
from engine.scoring import tile_points
from engine.tiles import full_set


def spec_of(preset: str, switches: str, pip_max: int, seats: int, rounds: int) -> TableSpec:
    """The table; ValueError, with the reason as a sentence, where there is none."""
    rules = parse_rules(preset, dict(_switch(word) for word in switches.split()))
    spec = rules if isinstance(rules, Refusal) else make_spec(rules, pip_max, seats, rounds)
    if isinstance(spec, Refusal):
        raise ValueError(refusal_sentence(spec))
    return spec


def _switch(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name, value


def utilities(spec: TableSpec, scores: Sequence[int]) -> tuple[float, ...]:
    """What points are worth to each seat: more is better, whichever way the rules count."""
    return tuple([-float(spec.rules.standing(score)) for score in scores])


def utility_bound(spec: TableSpec) -> float:
    """More points than any seat can have in a game: the whole set in one hand, each round."""
    points = sum(tile_points(spec.rules, tile) for tile in full_set(spec.pip_max))
    return float(points * spec.rounds * 2)
