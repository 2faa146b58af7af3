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
        300: "c44c315c3fc6c479a9ca71977d484ffbb57d672a48f264c933f65fa5f79614aa",
        3_000: "7754119e50dba98992518dbb8a09779512addc2ddfe6f2efd0bcab3584d5a8b1",
    }
)
"""Digests of games played by this revision: of every preset and this many random rule sets.

`tests/engine/rules/reading.py` makes them, and writes them here; a test compares."""
