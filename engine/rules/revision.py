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
        300: "8e92206686027928396912d2e6d4fdcb1faec0386a40d8b74072f79153b3089f",
        3_000: "5015669e91add6a48d8e2314d61071594c37be83f29fbd16269df6765c372992",
    }
)
"""A digest of games by this revision: of every preset and so many random rule sets.

`tests/engine/rules/reading.py` makes it, and writes it here; a test compares.
"""
