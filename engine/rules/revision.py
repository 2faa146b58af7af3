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
        300: "38d19644f2a95a4ccc0c294f1ff3f354a08ba9759bfe05daf1fd26b8e85fa3c9",
        3_000: "f0a03881ca4446b10737d8bf499c30f44abff38ce751551dbee34198925ce2b2",
    }
)
"""Digests of games played by this revision: of every preset and this many random rule sets.

`tests/engine/rules/reading.py` makes them, and writes them here; a test compares."""
