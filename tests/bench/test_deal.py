"""The benchmarks of the deal and of leaving at a small size, and the checks of their goals."""

import json

import pytest

from bench import deal, leave
from bench.figure import Figure, format_figures, to_json


@pytest.mark.parametrize("part", [deal, leave])
def test_a_small_table_is_measured(part):
    """Every step of the deal and of leaving is measured; at a small size none has a goal."""
    figures = part.measure(seats=2, pips=3, hand=2, most=1)
    assert len(figures) == 1 + 2 * len(part.GOALS)
    assert all(figure.value > 0 and figure.ok for figure in figures)
    assert {figure.unit for figure in figures} == {"us", "ms", "multiplications"}
    assert all(figure.goal is None for figure in figures)


def test_a_figure_knows_whether_it_meets_its_goal():
    """A goal is a ceiling, or a floor if more is better; a figure without a goal is always ok."""
    assert Figure("told", 5.0, "ms").ok
    assert Figure("fast", 5.0, "ms", 5.0).ok
    assert not Figure("slow", 5.1, "ms", 5.0).ok
    assert Figure("many", 5.1, "1/s", 5.0, more_is_better=True).ok
    assert not Figure("few", 4.9, "1/s", 5.0, more_is_better=True).ok


def test_figures_become_a_table_and_json():
    """The table has a line for each figure and marks missed goals; JSON has a field `ok`."""
    figures = [Figure("told", 1234.5, "ms", None, "old: 2"), Figure("slow", 5.1, "ms", 5.0, "(x)")]
    assert format_figures(figures).splitlines() == [
        "told  1,234 ms  old: 2",
        "slow    5.1 ms  <= 5 (x)  MISSED",
    ]
    assert format_figures([]) == ""
    decoded = json.loads(to_json(figures))
    assert [row["ok"] for row in decoded] == [True, False]
    assert decoded[0]["name"] == "told"
