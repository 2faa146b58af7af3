"""The random choices of a simulation, all from one seed: the same seed gives the same game."""

from collections.abc import Sequence
from typing import Final, TypeVar

from engine.chance import below
from lab.rounds.seeds import pick, seeded

T = TypeVar("T")

_UNITS: Final = 1 << 20


class Chance:
    """A stream of random choices; drawing from the stream of one label changes no other stream."""

    def __init__(self, seed: int, label: str) -> None:
        self._entropy = seeded(f"boneyard simulation {seed} {label}".encode())

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1."""
        return below(self._entropy, bound)

    def once_in(self, times: int) -> bool:
        """Return True once in `times` calls, on average."""
        return self.below(times) == 0

    def between(self, least: float, most: float) -> float:
        """Return a random number from `least` up to `most`, `most` itself excluded."""
        return least + (most - least) * self.below(_UNITS) / _UNITS

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, each with the same chance."""
        return pick(self._entropy, items)
