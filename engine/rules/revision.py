"""By which reading of docs/rules.md this program plays."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RULES_REVISION: Final = 1
"""The revision of docs/rules.md, whose head names it too. A table plays by one.

It is raised with every change of a reading: whatever changes which moves are legal, who is due, or
what a round scores.
"""

READING: Final[Mapping[int, str]] = MappingProxyType(
    {
        300: "1b9622b0fe03eb50fa7f30363e9c7b22e13f13e340cf63ca4a17fdb1e30badba",
        3_000: "0db1364bd3efe72d719222c5f8b91550c41acb0b62109e99e35c4700df3b04bc",
    }
)
"""A digest of games by this revision: of every preset and so many random rule sets.

`tests/engine/rules/reading.py` makes it, and writes it here; a test compares.
"""
