"""The report of a simulation: work that is done piece by piece, and what has come of it."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple, Protocol


class Failure(NamedTuple):
    """A failure."""

    where: str
    what: Sequence[str]
    again: str
    """The arguments of the command that shows it again."""
    facts: dict[str, object]
    """What else helps, in JSON."""
    beside: Sequence[str] = ()
    """What else helps a person."""

    def as_json(self) -> dict[str, object]:
        """All of it that has a name."""
        return {**self.facts, "what": list(self.what), "again": f"boneyard simulate {self.again}"}

    def lines(self) -> Iterator[str]:
        """All of it that a person reads."""
        yield from ("", f"{self.where}:", *(f"  {each}" for each in (*self.what, *self.beside)))
        yield f"  see it again: boneyard simulate {self.again}"


class Report(Protocol):
    """Work that is done by iterating over it, and what has come of it at any moment."""

    @property
    def work(self) -> Iterator[object]:
        """The work still to be done, piece by piece."""

    @property
    def failed(self) -> Sequence[Failure]:
        """All that went wrong and must not."""

    def facts(self) -> dict[str, object]:
        """Give the result as JSON has it."""

    def lines(self) -> list[str]:
        """Give the result as a person reads it, but for what has failed."""


class Digest:
    """A digest of everything that happened in many games: equal games, equal digest."""

    def __init__(self) -> None:
        self._octets = b""

    def add(self, of_game: bytes) -> None:
        """One more game was played."""
        self._octets = sha256(self._octets + of_game).digest()

    def __str__(self) -> str:
        return self._octets.hex()[:32]


def share(count: int, of: int) -> str:
    """The share of a count in a sum, to be told behind its line; empty if there is no sum."""
    return f"{count / of:>8.1%}" if of else ""


def line(name: str, count: int, width: int = 28) -> str:
    """A count, as a person reads it."""
    return f"{name:<{width}}{count:>12,}"
