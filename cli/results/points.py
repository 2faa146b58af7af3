"""The points of one seat round by round, even if it did not play every round."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Points(NamedTuple):
    """A seat's points in a round; `has_played` is False if it had left or had not come yet."""

    points: int
    has_played: bool


def points_of(
    seat: int, rounds: Sequence[Sequence[int]], absent: Sequence[int]
) -> Iterator[Points | None]:
    """Yield the points of a seat for each round, or None.

    `absent` contains the bit set of absent seats for each round; if it is empty, the seat counts as
    present in all. In a run of rounds that the seat did not play, the last one yields all the
    points given for the run, or None if there are none; the others yield None.
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
    """Yield the total of a seat after each round; None where `points_of` yields None."""
    total = 0
    for points in points_of(seat, rounds, absent):
        if points is not None:
            total += points.points
        yield None if points is None else total


def points_text(points: Points | None) -> str:
    """Return points as text, in brackets if the seat did not play the round; a dash for None."""
    if points is None:
        return "-"
    return str(points.points) if points.has_played else f"({points.points})"
