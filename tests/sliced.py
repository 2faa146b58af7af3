"""Kinds of case of which the tests play some, and a campaign all."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def sliced(
    names: str | Sequence[str], cases: Iterable[Any], every: int, *, first: int = 0, **more: Any
) -> pytest.MarkDecorator:
    """Parametrize a test: every so-manieth case is one of the tests, the others are a campaign."""
    marked = []
    for number, case in enumerate(cases):
        values = (case,) if isinstance(names, str) else case
        marks = () if number % every == first else pytest.mark.campaign
        marked.append(pytest.param(*values, marks=marks))
    return pytest.mark.parametrize(names, marked, **more)
