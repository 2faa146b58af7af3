"""What a simulation tells: work that is done piece by piece, and what has come of it."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Protocol


class Report(Protocol):
    """Work that is done by iterating over it, and what has come of it at any moment."""

    @property
    def work(self) -> Iterator[object]:
        """What is still to be done, piece by piece."""

    @property
    def failed(self) -> object:
        """Whatever went wrong that must not; something empty if nothing did."""

    def facts(self) -> dict[str, object]:
        """Give the result as JSON has it."""

    def lines(self) -> list[str]:
        """Give the result as a person reads it."""


class Digest:
    """What stands for all that happened in many games: equal games, equal digest."""

    def __init__(self) -> None:
        self._octets = b""

    def add(self, of_game: bytes) -> None:
        """One more game was played."""
        self._octets = sha256(self._octets + of_game).digest()

    def __str__(self) -> str:
        return self._octets.hex()[:32]


def line(name: str, count: int) -> str:
    """A count, as a person reads it."""
    return f"{name:<28}{count:>12,}"
