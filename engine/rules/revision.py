"""The reading of docs/rules.md by which this program plays."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RULES_REVISION: Final = 1
"""The revision of docs/rules.md, also named at its head. Each table plays by one.

It is raised with every change of which moves are legal, which seat is due, or what a round
scores."""

READING: Final[Mapping[int, str]] = MappingProxyType(
    {
        300: "1b9622b0fe03eb50fa7f30363e9c7b22e13f13e340cf63ca4a17fdb1e30badba",
        3_000: "0db1364bd3efe72d719222c5f8b91550c41acb0b62109e99e35c4700df3b04bc",
    }
)
"""Digests of games played by this revision: of every preset and this many random rule sets.

`tests/engine/rules/reading.py` makes them, and writes them here; a test compares."""
