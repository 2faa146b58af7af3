"""The points of one seat round by round, which it need not all have played for."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Points(NamedTuple):
    """The points of a round for a seat; `has_played` unless it had left, or had not come yet."""

    points: int
    has_played: bool


def points_of(
    seat: int, rounds: Sequence[Sequence[int]], absent: Sequence[int]
) -> Iterator[Points | None]:
    """Yield the points of a seat by round; `absent` has bit sets of who was not there, if known.

    Of rounds in a row that it has not played, the last has all the points it was given when it
    came, and the others None, as has the last if it was given none.
    """
    there = [not seats >> seat & 1 for seats in absent] or [True] * len(rounds)
    given = 0
    for at, scores in enumerate(rounds):
        if there[at]:
            yield Points(scores[seat], has_played=True)
            continue
        given += scores[seat]
        is_last = all(there[at + 1 : at + 2])
        yield Points(given, has_played=False) if is_last and given else None
        if is_last:
            given = 0


def totals_of(
    seat: int, rounds: Sequence[Sequence[int]], absent: Sequence[int]
) -> Iterator[int | None]:
    """Yield the total of a seat after each round; None where it has no points of that round."""
    total = 0
    for points in points_of(seat, rounds, absent):
        if points is not None:
            total += points.points
        yield None if points is None else total


def points_text(points: Points | None) -> str:
    """Write points, in brackets if they are not of a round that was played; a dash for none."""
    if points is None:
        return "-"
    return str(points.points) if points.has_played else f"({points.points})"
