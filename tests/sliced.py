"""Parametrized tests that normally run some of their cases, and in a campaign all of them."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def sliced(
    names: str | Sequence[str], cases: Iterable[Any], every: int, *, first: int = 0, **more: Any
) -> pytest.MarkDecorator:
    """Parametrize a test so that one case in `every` always runs, the others only in a campaign.

    `first` is the number of the first case that always runs, below `every`. `more` is passed on to
    pytest.
    """
    marked = []
    for number, case in enumerate(cases):
        values = (case,) if isinstance(names, str) else case
        marks = () if number % every == first else pytest.mark.campaign
        marked.append(pytest.param(*values, marks=marks))
    return pytest.mark.parametrize(names, marked, **more)
