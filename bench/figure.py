"""One measured number and the goal it is held to."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A number somebody could measure again.

    `goal` is None for a number that is only told. The goal is a ceiling, or with `more_is_better`
    a floor; `goal_text` says where it comes from.
    """

    name: str
    value: float
    unit: str
    goal: float | None = None
    goal_text: str = ""
    more_is_better: bool = False

    @property
    def ok(self) -> bool:
        """Whether the goal is met; told numbers always are."""
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


def format_figures(figures: Iterable[Figure]) -> str:
    """Lay figures out as a table of plain text: name, value and unit, goal, ok or MISSED."""
    rows = [
        (
            figure.name,
            _number(figure.value),
            figure.unit,
            _goal(figure),
            "" if figure.goal is None else "ok" if figure.ok else "MISSED",
        )
        for figure in figures
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    return "\n".join(
        f"{name:<{widths[0]}}  {value:>{widths[1]}} {unit:<{widths[2]}}"
        f"  {goal:<{widths[3]}}  {verdict}".rstrip()
        for name, value, unit, goal, verdict in rows
    )


def to_json(figures: Iterable[Figure]) -> str:
    """Give figures as a JSON array of objects, `ok` included."""
    return json.dumps([asdict(figure) | {"ok": figure.ok} for figure in figures], indent=2)
