"""The report of a simulation: work done piece by piece, and its outcome."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple, Protocol


class Failure(NamedTuple):
    """A failure, and how to reproduce it."""

    where: str
    what: Sequence[str]
    again: str
    """The arguments of the command that reproduces it."""
    facts: dict[str, object]
    """Further details, in JSON."""
    beside: Sequence[str] = ()
    """Further details for people."""

    def as_json(self) -> dict[str, object]:
        """Return the JSON form: the facts, what went wrong, and the command to repeat it."""
        return {**self.facts, "what": list(self.what), "again": f"boneyard simulate {self.again}"}

    def lines(self) -> Iterator[str]:
        """Yield the lines to print about this failure."""
        yield from ("", f"{self.where}:", *(f"  {each}" for each in (*self.what, *self.beside)))
        yield f"  see it again: boneyard simulate {self.again}"


class Report(Protocol):
    """Work done by iterating over it, and its outcome so far."""

    @property
    def work(self) -> Iterator[object]:
        """The work still to be done, piece by piece."""

    @property
    def failed(self) -> Sequence[Failure]:
        """All failures so far."""

    def facts(self) -> dict[str, object]:
        """Return the result in its JSON form."""

    def lines(self) -> list[str]:
        """Return the report's lines for people, without the failures."""


class Digest:
    """A digest of everything that happened in many games: the same games give the same digest."""

    def __init__(self) -> None:
        self._octets = b""

    def add(self, of_game: bytes) -> None:
        """Add the digest of one more game."""
        self._octets = sha256(self._octets + of_game).digest()

    def __str__(self) -> str:
        return self._octets.hex()[:32]


def share(count: int, of: int) -> str:
    """Return `count` as a percentage of `of`, to print after a line; empty if `of` is 0."""
    return f"{count / of:>8.1%}" if of else ""


def line(name: str, count: int, width: int = 28) -> str:
    """Return a line to print, with a name on the left and a count on the right."""
    return f"{name:<{width}}{count:>12,}"
