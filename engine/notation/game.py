"""The values of a written game, as the parser makes them and the referee reads them.

People write these games down, so nothing here is checked against any rules. The names are those of
docs/rules.md §11. Comparing games ignores line numbers. `str` writes a game, or a part of one, as
`notation.parse` reads it.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from engine.refusals import RefusalCode
from engine.tiles import Tile, make_tile

LEAVES: Final = "leaves"
"""The key in a round's header for seats that left before it."""
JOINS: Final = "joins"
"""The key in a round's header for seats that join for it."""
REDEAL: Final = "redeal"
"""The word after `leaves` if the round is then dealt again."""
WITH: Final = "with"
"""The word before further seats that leave at the same moment."""


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
"""The subjects of assertions about a table."""


class WrittenTile(NamedTuple):
    """A tile with its halves in the order written.

    If both halves fit an end, the one written first joins.
    """

    first: int
    second: int

    @property
    def tile(self) -> Tile:
        """The tile with its smaller half first, whichever was written first."""
        return make_tile(self.first, self.second)

    def __str__(self) -> str:
        """Return the halves in the written order."""
        return f"{self.first}-{self.second}"


class Verb(Enum):
    """The verb of a seat's action in a written game.

    The members are enough for every published system; the rules of one table allow only some.
    """

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
    SHOWS = "shows"
    OPEN = "open"
    CLOSE = "close"
    TAP = "tap"
    CATCHES = "catches"
    BULLET = "bullet"
    DONE = "done"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class Action:
    """One action as it was written: the name of a seat, and what it does or tries to do."""

    seat: str
    verb: Verb
    tiles: tuple[WrittenTile, ...] = ()
    train: str | None = None
    """The train that tiles are laid on: a seat's name, `mexican`, or a word that names no train."""
    hangs_on: WrittenTile | None = None
    """The double that the tile hangs on, if the line names it."""
    other: str | None = None
    """The other seat of `pulls` and `catches`."""
    together: tuple[str, ...] = ()
    """Further seats that leave for good at the same moment."""
    redeal: bool = False
    """True if the round is given up because seats leave, and dealt again."""

    @property
    def tile(self) -> Tile:
        """The first tile of the action; raise IndexError if it has none."""
        return self.tiles[0].tile

    @property
    def words(self) -> str:
        """The written form of the action, without the seat's name."""
        tiles = map(str, self.tiles)
        words = [] if self.verb is Verb.LAY else [self.verb.value]
        other = [self.other] if self.other else []
        words += [*other, *tiles] if self.verb is Verb.CATCHES else [*tiles, *other]
        if self.train is not None:
            words.append(f"{self.train}/{self.hangs_on}" if self.hangs_on else self.train)
        words += [REDEAL] if self.redeal else []
        words += [WITH, *self.together] if self.together else []
        return " ".join(words)

    def __str__(self) -> str:
        """Return the written form, with the name of the seat."""
        return f"{self.seat} {self.words}"


@dataclass(frozen=True, slots=True)
class WrittenDone:
    """A line with an action that a seat took; it is wrong if the rules refuse the action."""

    action: Action
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return str(self.action)


@dataclass(frozen=True, slots=True)
class MustRefuse:
    """A line that requires a refusal: of its action, or of the table if `action` is None."""

    action: Action | None
    code: RefusalCode | None
    """The code of the refusal; None for any."""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"! {self.action or 'table'}" + (f" : {self.code.value}" if self.code else "")


@dataclass(frozen=True, slots=True)
class Assertion:
    """A line with a claim that must be true of the table."""

    key: str
    name: str | None
    """The seat that `hand` or `legal` is about."""
    values: tuple[str, ...]
    line: int = field(default=0, compare=False)

    @property
    def subject(self) -> str:
        """The subject of the claim: the key, and the seat if it has one."""
        return f"{self.key} {self.name}" if self.name else self.key

    def __str__(self) -> str:
        return f"? {self.subject}: {' '.join(self.values)}".rstrip()


Line: TypeAlias = WrittenDone | MustRefuse | Assertion


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A header line about seats that leave for good before a round, or that join for it."""

    names: tuple[str, ...]
    joins: bool
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        """Return the change as a line of the header."""
        return f"{JOINS if self.joins else LEAVES}: {' '.join(self.names)}"


def _together(tiles: tuple[WrittenTile, ...]) -> str:
    return " ".join(map(str, tiles))


@dataclass(frozen=True, slots=True)
class RoundText:
    """One round as it was written: its header and its lines."""

    first: str | None = None
    """The seat that leads, if the header names it."""
    engine: WrittenTile | None = None
    """The double in the hub, if the header names it."""
    hands: tuple[tuple[str, tuple[WrittenTile, ...]], ...] = ()
    """The hands in the header, each with its seat."""
    boneyard: tuple[WrittenTile, ...] | None = None
    """The boneyard, next tile first; None if the header does not give it."""
    lines: tuple[Line, ...] = ()
    line: int = field(default=1, compare=False)
    """The line where the round's header begins."""
    lines_of: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """The line number of each key in its header."""
    changes: tuple[SeatChange, ...] = ()
    """The seats that leave and join before the round, in that order."""

    def __str__(self) -> str:
        """Return the round's header, an empty line, and its lines."""
        header = [str(change) for change in self.changes]
        header += [f"first: {self.first}"] if self.first else []
        header += [f"engine: {self.engine}"] if self.engine else []
        header += [f"hand {name}: {_together(tiles)}" for name, tiles in self.hands]
        if self.boneyard is not None:
            header.append(f"boneyard: {_together(self.boneyard) or 'none'}")
        return "\n".join((*header, "", *map(str, self.lines)))


@dataclass(frozen=True, slots=True)
class GameText:
    """A whole game as it was written."""

    seats: tuple[str, ...]
    """The names of the seats that begin the game."""
    rounds: tuple[RoundText, ...]
    rules: str = "standard"
    switches: tuple[tuple[str, str], ...] = ()
    pip_max: int | None = None
    round_count: int | None = None
    lines_of: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """The line number of each header key of the whole game."""

    @property
    def names(self) -> tuple[str, ...]:
        """All players who ever have a seat, in the order of seat numbers: latecomers come last."""
        came = (name for each in self.rounds for change in each.changes for name in change.names)
        return tuple(dict.fromkeys((*self.seats, *came)))

    def __str__(self) -> str:
        """Return the whole game as text; parsing it gives an equal game."""
        header = [f"rules: {self.rules}"]
        if self.switches:
            header.append("with: " + " ".join(f"{name}={value}" for name, value in self.switches))
        header += [f"set: {self.pip_max}"] if self.pip_max is not None else []
        header.append(f"seats: {' '.join(self.seats)}")
        header += [f"rounds: {self.round_count}"] if self.round_count is not None else []
        rounds = "\n\n".join(map(str, self.rounds))
        return "\n".join((*header, rounds)) + "\n"


@dataclass(frozen=True, slots=True)
class NotationProblem:
    """The place where a text cannot be read, and the text expected there.

    Lines and columns are counted from 1.
    """

    line: int
    column: int
    expected: str
