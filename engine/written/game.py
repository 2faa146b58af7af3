"""What a written game consists of: the values between text and referee.

A game is written down by people, so nothing here is checked against any rules; the names are those
of docs/rules.md §11. Line numbers do not count when games are compared.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from engine.refusals import RefusalCode
from engine.tiles import Tile, make_tile

LEAVES: Final = "leaves"
"""Key of a round's header for seats that left before it."""
JOINS: Final = "joins"
"""Key of a round's header for seats that sit down for it."""
REDEAL: Final = "redeal"
"""Word after `leaves` by which the round is dealt again."""
WITH: Final = "with"
"""Word before further seats that leave in the same moment."""


ASSERTION_KEYS: Final = (
    "turn",
    "public",
    "ends",
    "owed",
    "hand",
    "legal",
    "boneyard",
    "over",
    "score",
    "total",
    "winner",
)
"""What may be asserted of a table."""


class WrittenTile(NamedTuple):
    """A tile as it was written: where both halves fit, the one written first joins."""

    first: int
    second: int

    @property
    def tile(self) -> Tile:
        """The tile itself."""
        return make_tile(self.first, self.second)

    def __str__(self) -> str:
        """The tile with its halves in the written order."""
        return f"{self.first}-{self.second}"


class Verb(Enum):
    """What a seat may be written to do, in any of the published systems."""

    LAY = "lay"
    DRAW = "draw"
    PASS = "pass"
    ENGINE = "engine"
    NONE = "none"
    DECLARES = "declares"
    SILENT = "silent"
    TURNS = "turns"
    DISCARDS = "discards"
    PULLS = "pulls"
    OPEN = "open"
    CLOSE = "close"
    TAP = "tap"
    CATCHES = "catches"
    BULLET = "bullet"
    DONE = "done"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class Action:
    """One written action."""

    seat: str
    verb: Verb
    tiles: tuple[WrittenTile, ...] = ()
    train: str | None = None
    """Where tiles are laid: a seat's name, `mexican`, or a word that names no train."""
    hangs_on: WrittenTile | None = None
    """The double a tile is to hang on, where it is named."""
    other: str | None = None
    """The other seat of `pulls` and `catches`."""
    together: tuple[str, ...] = ()
    """Further seats that leave for good in the same moment."""
    redeal: bool = False
    """Whether the round is given up because of it, and dealt again."""


@dataclass(frozen=True, slots=True)
class WrittenDone:
    """A line that says what a seat did."""

    action: Action
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class MustRefuse:
    """A line that says what must be refused; `action` None is the table itself."""

    action: Action | None
    code: RefusalCode | None
    """The code it must be refused with; None for any."""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Assertion:
    """A line that says what must be true of the table."""

    key: str
    name: str | None
    """The seat that `hand` and `legal` ask about."""
    values: tuple[str, ...]
    line: int = field(default=0, compare=False)


Line: TypeAlias = WrittenDone | MustRefuse | Assertion


@dataclass(frozen=True, slots=True)
class SeatChange:
    """Seats that leave for good between two rounds, or sit down for the next one."""

    names: tuple[str, ...]
    joins: bool
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class RoundText:
    """One round: its part of the header, and its lines."""

    first: str | None = None
    engine: WrittenTile | None = None
    hands: tuple[tuple[str, tuple[WrittenTile, ...]], ...] = ()
    boneyard: tuple[WrittenTile, ...] | None = None
    lines: tuple[Line, ...] = ()
    line: int = field(default=1, compare=False)
    """Where the round's header begins."""
    lines_of: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """Where each of its header keys stands."""
    changes: tuple[SeatChange, ...] = ()
    """Who leaves and who comes before the round, in that order."""


@dataclass(frozen=True, slots=True)
class GameText:
    """A whole game as it was written. `seats` are those it begins with."""

    seats: tuple[str, ...]
    rounds: tuple[RoundText, ...]
    rules: str = "standard"
    switches: tuple[tuple[str, str], ...] = ()
    pip_max: int | None = None
    round_count: int | None = None
    lines_of: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """Where each header key of the whole game stands."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who ever has a seat, by seat number: who comes late sits after the others."""
        came = (name for each in self.rounds for change in each.changes for name in change.names)
        return tuple(dict.fromkeys((*self.seats, *came)))


@dataclass(frozen=True, slots=True)
class NotationProblem:
    """Why a text cannot be read. Line and column are counted from 1."""

    line: int
    column: int
    expected: str
