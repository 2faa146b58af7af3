"""A measured number and its goal, and functions that combine and print several."""

import json
from collections.abc import Callable, Iterable, Sequence
from statistics import median, quantiles
from time import process_time
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

T = TypeVar("T")

_STEADY: Final = 0.02
_LEAST: Final = 3
_ENDS: Final = "lowest to highest"


class Figure(Struct, frozen=True):
    """A measured value with its name and unit and, if it has one, its goal."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    """The most it may be, or the least with `more_is_better`; None if it has no goal."""
    goal_text: str = ""
    """A note beside the goal, or in its place."""
    more_is_better: bool = False
    spread: tuple[float, float] | None = None
    """The lowest and the highest of several values, of which `value` is the median."""

    @property
    def ok(self) -> bool:
        """True if the goal is met, or if there is none."""
        if self.goal is None:
            return True
        return self.value >= self.goal if self.more_is_better else self.value <= self.goal


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _goal(figure: Figure) -> str:
    if figure.goal is None:
        return figure.goal_text
    relation = ">=" if figure.more_is_better else "<="
    return f"{relation} {_number(figure.goal)} {figure.goal_text}".rstrip()


def _verdict(figure: Figure, met: str, missed: str) -> str:
    if figure.goal is None:
        return ""
    return met if figure.ok else missed


def format_figures(figures: Iterable[Figure]) -> str:
    """Lay figures out as a plain-text table: name, value and unit, goal, ok or MISSED."""
    rows = [
        (
            figure.name,
            _number(figure.value),
            figure.unit,
            _goal(figure),
            _verdict(figure, "ok", "MISSED"),
        )
        for figure in figures
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    return "\n".join(
        f"{name:<{widths[0]}}  {value:>{widths[1]}} {unit:<{widths[2]}}"
        f"  {goal:<{widths[3]}}  {verdict}".rstrip()
        for name, value, unit, goal, verdict in rows
    )


def to_json(figures: Iterable[Figure], before: Sequence[Figure] = ()) -> str:
    """Return figures as a JSON array of objects, with `ok`.

    Where `before` has a figure of the same name and unit, its value is added as "before".
    """
    rows, then = [], _named(before)
    for figure in figures:
        old = then.get((figure.name, figure.unit))
        rows.append(asdict(figure) | {"ok": figure.ok} | ({"before": old.value} if old else {}))
    return json.dumps(rows, indent=2)


def _named(figures: Iterable[Figure]) -> dict[tuple[str, str], Figure]:
    return {(figure.name, figure.unit): figure for figure in figures}


def summed_up(runs: Iterable[Iterable[Figure]]) -> list[Figure]:
    """Combine the figures of several runs that have the same name, unit and goal text.

    Each combined figure has their median as its value, and their spread. A figure that occurs only
    once is returned unchanged.
    """
    found: dict[tuple[str, str, str], list[Figure]] = {}
    for figure in (figure for run in runs for figure in run):
        found.setdefault((figure.name, figure.unit, figure.goal_text), []).append(figure)
    return [_middle(figures) for figures in found.values()]


def _middle(figures: Sequence[Figure]) -> Figure:
    if len(figures) == 1:
        return figures[0]
    values = [figure.value for figure in figures]
    ends = [end for figure in figures for end in figure.spread or (figure.value,)]
    return replace(figures[0], value=median(values), spread=(min(ends), max(ends)))


def timed(act: Callable[[], T]) -> tuple[T, float]:
    """Call `act`; return its result and the processor seconds it took."""
    began = process_time()
    result = act()
    return result, process_time() - began


def middle(
    name: str, values: Sequence[float], unit: str, goal: float | None = None, goal_text: str = ""
) -> Figure:
    """Return a figure with the median of several values, and their lowest and highest as spread."""
    return Figure(name, median(values), unit, goal, goal_text, spread=(min(values), max(values)))


def slowest(times: Sequence[float], of: int) -> float:
    """Return the quantile that one time in `of` exceeds; if there is only one time, return it."""
    return quantiles(times, n=of)[-1] if len(times) > 1 else times[0]


def until_steady(sample: Callable[[], dict[str, float]], most: int) -> dict[str, list[float]]:
    """Repeat a measurement until no median moves by more than 2 %, at most `most` times.

    Return all values by name. There are at least four samples, unless `most` is less.
    """
    samples: dict[str, list[float]] = {}
    for _ in range(most):
        for name, value in sample().items():
            samples.setdefault(name, []).append(value)
        if all(map(_is_steady, samples.values())):
            break
    return samples


def _is_steady(values: Sequence[float]) -> bool:
    if len(values) <= _LEAST:
        return False
    return abs(median(values) - median(values[:-1])) <= _STEADY * abs(median(values))


def format_table(figures: Iterable[Figure], before: Sequence[Figure] = ()) -> str:
    """Lay out the figures with goals as a Markdown table, with missed goals in bold.

    If `before` is not empty, lay out the figures without goals too, and add two columns with the
    value and spread of the figure in `before` that has the same name and unit.
    """
    then = _named(before)
    heads = ["figure", *(("before", _ENDS) if then else ()), "now", _ENDS, "goal", ""]
    rows = [heads, ["---"] * len(heads)]
    for figure in figures:
        if figure.goal is not None or then:
            old = _value_and_ends(then.get((figure.name, figure.unit))) if then else ()
            verdict = _verdict(figure, "met", "**missed**")
            rows.append([figure.name, *old, *_value_and_ends(figure), _goal(figure), verdict])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _value_and_ends(figure: Figure | None) -> tuple[str, str]:
    if figure is None:
        return "", ""
    ends = " to ".join(map(_number, figure.spread or ()))
    return f"{_number(figure.value)} {figure.unit}".rstrip(), ends
