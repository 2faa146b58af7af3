"""The random choices of a simulation, all from one seed: the same seed gives the same game."""

from collections.abc import Sequence
from typing import Final, TypeVar

from engine.chance import below
from lab.rounds.seeds import pick, seeded

T = TypeVar("T")

_UNITS: Final = 1 << 20


class Chance:
    """A stream of choices; streams with different labels do not disturb each other."""

    def __init__(self, seed: int, label: str) -> None:
        self._entropy = seeded(f"boneyard simulation {seed} {label}".encode())

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1."""
        return below(self._entropy, bound)

    def once_in(self, times: int) -> bool:
        """Return True once in `times` calls, on average."""
        return self.below(times) == 0

    def between(self, least: float, most: float) -> float:
        """Return a number between the two."""
        return least + (most - least) * self.below(_UNITS) / _UNITS

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return pick(self._entropy, items)
