"""The revision of docs/rules.md that this program plays by."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RULES_REVISION: Final = 1
"""The revision of docs/rules.md, also named at its head. Each table plays by one revision.

Raise it with every change to the legal moves, the seat that is due, or the scores of a round."""

READING: Final[Mapping[int, str]] = MappingProxyType(
    {
        300: "5df6cff37b8051e20f09087f84a4f83715a5f549f0c994cc9c3f1247ec8b4011",
        3_000: "e77283c6d098a0708955fd95d223175e075b10a480c0531c68b65b3f10198e9a",
    }
)
"""Digests of games played by this revision, by every preset and this many random rule sets.

`tests/engine/rules/reading.py` makes them and writes them here; a test compares them."""
