"""What a typed line asks for, before anybody knows whether the rules allow it."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from engine.table.moves import WordMove


@dataclass(frozen=True, slots=True)
class UsageError:
    """The line is not understood; `hint` says why, and what would be."""

    hint: str


# ---- moves ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TileReading:
    """One way to read a lay: a tile as two pips in typed order, and the train's words, if any."""

    pips: tuple[int, int]
    train: str | None


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a tile. `112 3` can mean 11-2 or 1-12 on train 3: every reading is kept, first best."""

    readings: tuple[TileReading, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """Take the play with this number on the printed list; failing that, the tile so written."""

    number: int
    otherwise: Play | None


@dataclass(frozen=True, slots=True)
class PlayChain:
    """Lay several tiles in this order, each on the one before, as one move.

    With `bullet` they are declared as a bullet train; with `back` the last one goes on the double
    laid before. No tiles: whatever chain the rules and the hand allow.
    """

    tiles: tuple[tuple[int, int], ...]
    train: str | None = None
    bullet: bool = False
    back: bool = False


@dataclass(frozen=True, slots=True)
class Speak:
    """Say one of the words of the game, which is a whole move."""

    kind: type[WordMove]


@dataclass(frozen=True, slots=True)
class SetMarker:
    """Have one's own marker stay up, or come down."""

    up: bool


@dataclass(frozen=True, slots=True)
class Look:
    """Look at the next tile of the boneyard, or turn it up."""


@dataclass(frozen=True, slots=True)
class CatchSeat:
    """Catch who did not tell of the last tile; without a name whoever can be caught."""

    name: str | None


@dataclass(frozen=True, slots=True)
class HubTile:
    """Lay or declare a double for the hub; without pips the only one that will do."""

    pips: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class DiscardTile:
    """Put a tile of the hand back into the boneyard."""

    pips: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PullTile:
    """Pull the tile with this number, from 1, unseen out of another hand."""

    number: int


MoveIntent: TypeAlias = (
    Play | PlayChain | Choose | Speak | SetMarker | Look | CatchSeat | HubTile | DiscardTile
    | PullTile
)  # fmt: skip


# ---- what is no move ------------------------------------------------------------------------


class Topic(Enum):
    """What can be shown without a word to the others."""

    HELP = auto()
    WHO = auto()
    RULES = auto()
    BOARD = auto()
    HAND = auto()
    SCORE = auto()

    @property
    def is_of_table(self) -> bool:
        """Whether there is nothing to show before the game has begun."""
        return self in (Topic.BOARD, Topic.HAND, Topic.SCORE)


@dataclass(frozen=True, slots=True)
class Show:
    """Show this, or of it what is named: a word, a switch, a train; `sort` of the hand."""

    topic: Topic
    named: str | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Would this move be refused, and by which rule? None: the one that was refused last."""

    move: MoveIntent | None


@dataclass(frozen=True, slots=True)
class SayText:
    """A line of talk to the table."""

    text: str


@dataclass(frozen=True, slots=True)
class ChangePlace:
    """Take a seat, now or when the next round is dealt; else take that wish back, and watch."""

    sits: bool


@dataclass(frozen=True, slots=True)
class Start:
    """Host only: begin with who sits now, and with whom, where the table chooses that."""

    first: str | None = None


@dataclass(frozen=True, slots=True)
class GoOnWithout:
    """Vote to give up who is away."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the table; `for_good`, so that the others go on without this seat."""

    for_good: bool = False


Request: TypeAlias = GoOnWithout | ChangePlace | Start | SayText
"""What is no move, and concerns the others."""

Intent: TypeAlias = MoveIntent | Show | Why | Request | Quit
