"""The reading of docs/rules.md by which this program plays."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RULES_REVISION: Final = 2
"""The revision of docs/rules.md, also named at its head. Each table plays by one.

It is raised with every change of which moves are legal, which seat is due, or what a round
scores."""

READING: Final[Mapping[int, str]] = MappingProxyType(
    {
        300: "efed9f5ab075d46562c65b6255b1cbb211aa83aecf3eb9869489b6ab7f75cf61",
        3_000: "c1862d4e69f3a8d34de38eaa8c8338a2273966fe502a3f7e61afc567a7b4e34a",
    }
)
"""Digests of games played by this revision: of every preset and this many random rule sets.

`tests/engine/rules/reading.py` makes them, and writes them here; a test compares."""
