"""The state of a table besides trains and hands: its phase, the turn, the round, the game.

Each phase up to the end of play is a value with all its data, and so is each stage of a turn. Under
most rules, most fields of the round's and the game's memory keep their defaults.
"""

from enum import Enum
from typing import ClassVar, Final, TypeAlias

from msgspec import Struct

from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile


class TurnStage(Enum):
    """The stages of a turn that carry no data."""

    START = "start"
    """The turn begins, or nothing laid in it matters any more."""
    EXTRA = "extra"
    """A double of this turn brings one more tile, on any open end or on the double."""
    HELD = "held"
    """Only a tile held before this turn may now cover the double laid."""
    LOST = "lost"
    """The tile that was owed is lost: the seat can only pass."""


class MustCover(Struct, frozen=True, gc=False):
    """The stage in which a double of this turn must be covered."""

    value: ClassVar[str] = "cover"
    drive: TrainId | None = None
    """The train that the swan drive reached last; None without a drive."""


class MayCover(Struct, frozen=True, gc=False):
    """The stage in which the seat may cover a double of this turn, or end the turn."""

    value: ClassVar[str] = "may"
    drive: TrainId | None = None
    """The train that the swan drive reached last; None without a drive."""


class InChain(Struct, frozen=True, gc=False):
    """The stage in which a chain goes on from its last tile, or ends."""

    value: ClassVar[str] = "chain"
    train: TrainId
    on: int
    """Index of the last tile in the train's lays."""


class InDrive(Struct, frozen=True, gc=False):
    """The stage in which a swan drive goes on along the public trains, or ends."""

    value: ClassVar[str] = "drive"
    train: TrainId
    """The train that the drive reached last."""


Stage: TypeAlias = TurnStage | MustCover | MayCover | InChain | InDrive
"""The stage of a turn, which says what the seat may do next. [docs/rules.md §5]"""


class Turn(Struct, frozen=True, gc=False):
    """The progress of a turn; the next turn begins as `FRESH`."""

    stage: Stage = TurnStage.START
    drawn: tuple[Position, ...] = ()
    """Positions drawn in this turn, in order."""
    doubles: tuple[tuple[TrainId, int], ...] = ()
    """Doubles of this turn that brought a tile to lay, in order: train and index of the lay."""
    double_count: int = 0
    """How many doubles were laid in this turn, including those that need no tile."""
    laid: bool = False
    """True if a tile was laid in this turn."""
    from_hand: bool = False
    """True if a tile was laid that was not drawn in this turn."""
    started: bool = False
    """True if the seat started its own train in this turn."""
    mark: bool | None = None
    """The seat's choice for its marker: True for up, False for down, None if it made none."""
    tapped: bool = False
    """True if the seat announced, before it played, that one tile would be left."""
    at_once: bool = False
    """True if all seats have this turn at once, each on its own train."""

    @property
    def is_due(self) -> bool:
        """True if a tile is due: a seat that cannot lay one draws or passes."""
        stage = self.stage
        return stage is TurnStage.START or stage is TurnStage.EXTRA or isinstance(stage, MustCover)

    @property
    def may_end(self) -> bool:
        """True if the seat may end its turn: it has laid, and no tile is due.

        True in every chain, even one that may not end on its last double.
        """
        return not isinstance(self.stage, (TurnStage, MustCover))


FRESH: Final = Turn()
"""A turn in which nothing has happened yet."""


class SeekStep(Enum):
    """A step of the search for the hub's double. [docs/rules.md §1.4 to §1.7]"""

    HEAVIEST = "heaviest"
    """Before that search: every seat shows the tile asked for, or says that it does not hold it."""
    ASK = "ask"
    """Every seat lays the double asked for, or answers that it does not."""
    IN_TURN = "in-turn"
    """The seat to move lays one of its doubles, or says it has none."""
    ALL_DRAW = "all-draw"
    """Every seat draws one tile."""
    TURN_DRAW = "turn-draw"
    """The seat to move draws one tile."""
    DRAWN = "drawn"
    """The seat that has just drawn lays the double, or says it has none."""
    CLAIM = "claim"
    """Nobody declared: every seat proves that it holds no unused double, or keeps silent."""
    LOOK = "look"
    """The seat to move looks at the next boneyard tile."""
    LOOKED = "looked"
    """The seat that looked declares the double it found, or keeps silent."""
    FORCED = "forced"
    """The seats have looked through all tiles: the highest unused double in a hand must be laid."""
    TURN = "turn"
    """The seat to move turns up the next boneyard tile."""
    FOUND = "found"
    """An unused double is turned up: the seat that turned it must lay it."""
    DISCARD = "discard"
    """The seat that laid the double it found puts a tile of its hand back."""
    PULL = "pull"
    """The seat before the one that laid the double pulls a tile from that seat's hand."""


class HighDraw(Struct, frozen=True, gc=False):
    """The phase before the deal in which every seat turns up a tile. [docs/rules.md §1.5]

    The seat with the highest tile plays first. The phase ends in a reshuffle once all seats have
    turned one up, and run-offs have broken ties as far as the rules and the boneyard allow.
    """

    said: int = 0
    """Bit set of the seats that have turned one up."""
    turned: tuple[tuple[Position, Tile | None], ...] = ()
    """The tiles turned up so far, in this run-off and before."""
    run_offs: int = 0
    """How often equal seats had to turn up further tiles."""


class EngineSearch(Struct, frozen=True, gc=False):
    """The phase in which the seats look for the hub's double, until one is laid or the round ends.

    Where the heaviest tile in a hand decides who begins, the seats look for that first, in the same
    way.
    """

    step: SeekStep
    asked: tuple[Tile, ...]
    """The doubles that may be laid now, highest first; some steps ask for them one by one. In
    `HEAVIEST`, the tiles that may be shown, heaviest first."""
    said: int = 0
    """Bit set of the seats that have answered in this step."""
    proven: int = 0
    """Bit set of the seats that claimed to hold no unused double."""
    turned: tuple[tuple[Position, Tile | None], ...] = ()
    """Boneyard tiles looked at (None) or turned up."""

    @property
    def asked_now(self) -> tuple[Tile, ...]:
        """The tiles that an answer is about now: only the first if they are asked one by one."""
        return self.asked[:1] if self.asks_one else self.asked

    @property
    def asks_one(self) -> bool:
        """True if the step asks for one tile at a time, from the highest down."""
        return self.step in (SeekStep.HEAVIEST, SeekStep.ASK, SeekStep.FORCED)

    @property
    def found(self) -> tuple[Position, Tile | None] | None:
        """The position and tile in the boneyard that may be laid in the hub now, or None.

        The tile is None while only the seat to move has seen it.
        """
        return self.turned[-1] if self.step in (SeekStep.LOOKED, SeekStep.FOUND) else None


class Returning(Struct, frozen=True, gc=False):
    """The phase after the double is found, in which a tile goes back to the boneyard. [§1.7]

    It ends in a reshuffle, after which play begins, or the round is over.
    """

    step: SeekStep
    """`DISCARD` or `PULL`; `FORCED` if only the tiles looked through are shuffled."""
    layer: Seat
    """The seat that laid the double."""
    tile: Tile
    """The double."""
    turned: tuple[tuple[Position, Tile | None], ...]
    """Boneyard tiles looked at (None) or turned up."""


class OpeningAll(Struct, frozen=True, gc=False):
    """The phase of a simultaneous opening: every seat lays its chain, until all are done.

    Sets of seats are bit sets.
    """

    finished: int = 0
    """Seats that are done."""
    drew: int = 0
    """Seats that have drawn."""


class InPlay(Struct, frozen=True, gc=False):
    """The phase in which the seats move in turn, until the round ends or seats leave."""


class Reshuffle(Struct, frozen=True, gc=False):
    """The phase in which tiles go back, until the new boneyard is shuffled. [docs/rules.md §1.8]"""

    undrawn: tuple[Position, ...]
    """Positions that nobody drew."""
    shown: tuple[tuple[Position, Tile], ...]
    """Open positions that go back, with their tiles."""
    hidden: tuple[tuple[Seat, Position], ...]
    """Positions that go back from a hand, unseen."""
    since: HighDraw | Returning | InPlay
    """The phase in which tiles went back; next is the deal, the first turn, or the same turn."""

    @property
    def rebuild(self) -> bool:
        """True if seats have left, so the others rebuild the boneyard. [§7.11]"""
        return isinstance(self.since, InPlay)

    @property
    def size(self) -> int:
        """The number of tiles in the new boneyard."""
        return len(self.undrawn) + len(self.shown) + len(self.hidden)


class LastTurns(Struct, frozen=True, gc=False):
    """The turns left, this one included, once the boneyard is empty. [§7.8]"""

    closing: bool
    """True while an open double must still be covered, before the last play of each seat."""
    left: int


class RoundMemory(Struct, frozen=True, gc=False):
    """State of one round that only some rules need. Sets of seats are bit sets."""

    stocked: bool = True
    """True if there was a boneyard after the deal."""
    opened: tuple[tuple[TrainId, int], ...] = ()
    """Doubles at the ends of opening chains: owed once all have opened."""
    out: Seat | None = None
    """The first seat that ran out of tiles in an opening that others still have to finish."""
    tapped: int = 0
    """Seats that have announced their last tile."""
    silent: int = 0
    """Seats that have not announced their last tile, and may be caught."""
    failed: int = 0
    """Seats that could not lay in their latest turn."""
    voluntary: int = 0
    """Seats whose marker is up by their own choice."""
    last: LastTurns | None = None
    bullet: Seat | None = None
    """The seat that laid a bullet train, while the others lay their chains."""


class GameMemory(Struct, frozen=True, gc=False):
    """The facts of a game that outlast a round. Sets of seats are bit sets."""

    lead: Seat = Seat(0)
    """The seat that leads this round by rotation."""
    own: Tile | None = None
    """The round's own double, set aside or asked for; None if any double will do."""
    hubs: tuple[Tile, ...] = ()
    """The doubles used in the hub in this game; once play begins, this round's is the last."""
    winner: Seat | None = None
    """The winner of the last round."""
    gone: int = 0
    """Seats that have left the table for good."""
    forfeits: tuple[tuple[Seat, int], ...] = ()
    """Seats that have left in this round, including earlier deals of it, with their points.

    A seat that comes back stays in the list, and its next forfeit is added to its points.
    """
    came: int = 0
    """Seats that join for the next round and took no part in this one."""
    absent: tuple[int, ...] = ()
    """For each scored round, the seats that did not play for their points: they had left, or got
    the points of the last place when they came. [docs/rules.md §7.12]"""


NEW_GAME: Final = GameMemory()
"""The memory of a game before its first round."""
