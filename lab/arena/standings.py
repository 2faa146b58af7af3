"""Standings and their certainty: shares of games won, clustered by deal.

Games of one deal are correlated, because the same hands come up in all of them. The sample is
therefore each deal's mean over its rotations, and the interval is that of the mean of the deals.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import Final, NamedTuple

from engine.bots.levels import BotLevel
from lab.arena.matches import MatchScore

CONFIDENCE: Final = 0.95
_REACH: Final = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


class Mean(NamedTuple):
    """A mean and the ends of its confidence interval."""

    value: float
    low: float
    high: float


class LevelStanding(NamedTuple):
    """The result of one level."""

    level: BotLevel
    seats: int
    """How many seats it had."""
    games: int
    share: Mean
    """The part of the games that one seat of the level won."""
    fair: float
    """That share as a multiple of the fair share."""
    points: Mean
    """The points that one seat of the level has per game."""


def standings(levels: Sequence[BotLevel], scores: Iterable[MatchScore]) -> list[LevelStanding]:
    """Return each level's standing, best share first.

    Deals that were not played in all rotations do not count. Without a complete deal, return [].
    """
    by_deal: dict[int, list[MatchScore]] = defaultdict(list)
    for score in scores:
        by_deal[score.match.deal].append(score)
    whole = [deal for deal in by_deal.values() if len(deal) == len(levels)]
    found = [_standing(level, levels, whole) for level in dict.fromkeys(levels)] if whole else []
    return sorted(found, key=lambda standing: -standing.share.value)


def _standing(
    level: BotLevel, levels: Sequence[BotLevel], deals: Sequence[Sequence[MatchScore]]
) -> LevelStanding:
    mine = [at for at, each in enumerate(levels) if each is level]
    shares = [fmean(score.shares[at] for score in deal for at in mine) for deal in deals]
    points = [fmean(score.points[at] for score in deal for at in mine) for deal in deals]
    share = mean(shares)
    games = len(deals) * len(levels)
    return LevelStanding(level, len(mine), games, share, share.value * len(levels), mean(points))


def mean(values: Sequence[float]) -> Mean:
    """Return the mean of independent values and its interval, which is infinite for one value."""
    middle = fmean(values)
    if len(values) < 2:
        return Mean(middle, float("-inf"), float("inf"))
    reach = _REACH * stdev(values) / sqrt(len(values))
    return Mean(middle, middle - reach, middle + reach)


def ratings(levels: Sequence[BotLevel], scores: Iterable[MatchScore]) -> Mapping[BotLevel, float]:
    """Return each level's ordinal rating (OpenSkill, Plackett-Luce).

    The mapping is empty if OpenSkill is not installed.
    """
    try:
        from openskill.models import PlackettLuce
    except ModuleNotFoundError:
        return {}
    model = PlackettLuce()
    rated = {level: model.rating() for level in dict.fromkeys(levels)}
    for score in sorted(scores):
        teams = [[rated[level]] for level in levels]
        new = model.rate(teams, scores=list(score.shares))
        changed: dict[BotLevel, list[object]] = defaultdict(list)
        for level, (rating,) in zip(levels, new, strict=True):
            changed[level].append(rating)
        for level, each in changed.items():
            mu, sigma = (fmean(getattr(one, name) for one in each) for name in ("mu", "sigma"))
            rated[level] = model.rating(mu=mu, sigma=sigma)
    return {level: rating.ordinal() for level, rating in rated.items()}
