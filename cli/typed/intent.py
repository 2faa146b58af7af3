"""What a typed line asks for, before anybody knows whether the rules allow it."""

from enum import Enum, auto
from typing import Final, TypeAlias

from msgspec import Struct

from engine.table.moves import WordMove


class UsageError(Struct, frozen=True):
    """The line is not understood; `hint` says why, and what would be.

    It `orders` something that only the host of a table can.
    """

    hint: str
    orders: bool = False


# ---- moves ----------------------------------------------------------------------------------


class TileReading(Struct, frozen=True):
    """One way to read a lay: a tile as two pips in typed order, and the train's words, if any."""

    pips: tuple[int, int]
    train: str | None


class Play(Struct, frozen=True):
    """Lay a tile. `112 3` can mean 11-2 or 1-12 on train 3: every reading is kept, first best."""

    readings: tuple[TileReading, ...]


class Choose(Struct, frozen=True):
    """Take the play with this number on the printed list; failing that, the tile so written."""

    number: int
    otherwise: Play | None


class PlayChain(Struct, frozen=True):
    """Lay several tiles in this order, each on the one before, as one move.

    With `bullet` they are declared as a bullet train; with `back` the last one goes on the double
    laid before. No tiles: whatever chain the rules and the hand allow.
    """

    tiles: tuple[tuple[int, int], ...]
    train: str | None = None
    bullet: bool = False
    back: bool = False


class Speak(Struct, frozen=True):
    """Say one of the words of the game, which is a whole move."""

    kind: type[WordMove]


class SetMarker(Struct, frozen=True):
    """Have one's own marker stay up, or come down."""

    up: bool


class Look(Struct, frozen=True):
    """Look at the next tile of the boneyard, or turn it up."""


class CatchSeat(Struct, frozen=True):
    """Catch who did not tell of the last tile; without a name whoever can be caught."""

    name: str | None


class HubTile(Struct, frozen=True):
    """Lay or declare a double for the hub; without pips the only one that will do."""

    pips: tuple[int, int] | None


class DiscardTile(Struct, frozen=True):
    """Put a tile of the hand back into the boneyard."""

    pips: tuple[int, int]


class PullTile(Struct, frozen=True):
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
    HINT = auto()
    ODDS = auto()
    REVIEW = auto()

    @property
    def is_of_table(self) -> bool:
        """Whether there is nothing to show before the game has begun."""
        return self in (Topic.BOARD, Topic.HAND, Topic.SCORE, Topic.HINT, Topic.ODDS)


class Show(Struct, frozen=True):
    """Show this, or of it what is named: a word, a switch, a train.

    `train` of a hint is the longest train in hand; of a review, the number of a round.
    """

    topic: Topic
    named: str | None = None


class Why(Struct, frozen=True):
    """Would this move be refused, and by which rule? None: the one that was refused last."""

    move: MoveIntent | None


class HandOrder(Enum):
    """How a hand lies, in a sentence; `hand sort` goes on to the next of the first four."""

    NUMBER = "Your hand lies by number."
    VALUE = "Your hand lies heaviest first."
    TRAIN = "Your hand lies with its longest train first."
    ENDS = "Your hand lies playable first."
    GROUPS = "Your hand lies as you put it."


HAND_ORDERS: Final = {
    "number": HandOrder.NUMBER,
    "value": HandOrder.VALUE,
    "train": HandOrder.TRAIN,
    "playable": HandOrder.ENDS,
}
"""Orders by the word that somebody types for them."""


class ArrangeHand(Struct, frozen=True):
    """Have one's tiles lie in this order, or in groups, tiles with the half that comes first."""

    order: str = ""
    groups: tuple[tuple[tuple[int, int], ...], ...] = ()


class MakePlan(Struct, frozen=True):
    """Plan these tiles for the turns to come; none: the longest train; `drops` gives a plan up."""

    chain: PlayChain | None = None
    drops: bool = False


class SayText(Struct, frozen=True):
    """A line of talk to the table."""

    text: str


class ChangePlace(Struct, frozen=True):
    """Take a seat, now or when the next round is dealt; else take that wish back, and watch."""

    sits: bool


class Start(Struct, frozen=True):
    """Host only: begin with who sits now, and with whom, where the table chooses that."""

    first: str | None = None


class GoOnWithout(Struct, frozen=True):
    """Vote to give up who is away: all that these words name, or ask who that could be."""

    names: tuple[str, ...]


class Kick(Struct, frozen=True):
    """Host only: take somebody's seat back before the game."""

    name: str


class Allow(Struct, frozen=True):
    """Host only: let somebody sit down again who was kicked."""

    name: str


class SeatBots(Struct, frozen=True):
    """Host only: have just these bots, a number or levels, before the game."""

    words: tuple[str, ...]


class ChangeTable(Struct, frozen=True):
    """Host only: play by other rules, with another set and so on, before the game."""

    words: tuple[str, ...]


LobbyOrder: TypeAlias = Kick | Allow | SeatBots | ChangeTable


class Rename(Struct, frozen=True):
    """Be called otherwise from now on, before the game."""

    name: str


class Again(Struct, frozen=True):
    """Play another game with the same company, now that this one is over."""


class TakeRisk(Struct, frozen=True):
    """Sign again although nobody knows what this seat has signed: others may see its hand."""


class Quit(Struct, frozen=True):
    """Leave the table; `for_good`, so that the others go on without this seat."""

    for_good: bool = False


DeskIntent: TypeAlias = ArrangeHand | MakePlan
"""What concerns only what lies before oneself."""

Request: TypeAlias = (
    GoOnWithout | ChangePlace | Start | LobbyOrder | Rename | Again | SayText | TakeRisk
)
"""What is no move, and concerns the others."""

Intent: TypeAlias = MoveIntent | Show | Why | DeskIntent | Request | Quit
