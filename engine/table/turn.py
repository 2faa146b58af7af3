"""The state of a table beside trains and hands: its phase, the turn, the round, the game.

A phase up to the end of play is a value with all that belongs to it, and so is a stage of a turn.
Under most rules most of what the round and the game remember stays at its first value.
"""

from enum import Enum
from typing import ClassVar, Final, TypeAlias

from msgspec import Struct

from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile


class TurnStage(Enum):
    """The stages of a turn of which nothing more is to be said than their names."""

    START = "start"
    """Nothing has been laid in this turn, or nothing that still matters."""
    EXTRA = "extra"
    """A double of this turn brings one more tile, on any open end or on it."""
    HELD = "held"
    """A double was laid that only a tile held before this turn may cover now."""
    LOST = "lost"
    """The tile that was owed is lost: the seat can only pass."""


class MustCover(Struct, frozen=True, gc=False):
    """The stage in which a double of this turn must be covered on itself."""

    value: ClassVar[str] = "cover"
    drive: TrainId | None = None
    """The train that a drive was last on; None without one."""


class MayCover(Struct, frozen=True, gc=False):
    """The stage in which a double of this turn may be covered, or the turn be ended."""

    value: ClassVar[str] = "may"
    drive: TrainId | None = None
    """The train that a drive was last on; None without one."""


class InChain(Struct, frozen=True, gc=False):
    """The stage in which a chain goes on from its last tile, or ends."""

    value: ClassVar[str] = "chain"
    train: TrainId
    on: int
    """Index of that tile in the train's lays."""


class InDrive(Struct, frozen=True, gc=False):
    """The stage in which a drive goes on along the public trains, or ends."""

    value: ClassVar[str] = "drive"
    train: TrainId
    """The train that it was last on."""


Stage: TypeAlias = TurnStage | MustCover | MayCover | InChain | InDrive
"""The stage of a turn, which says what the seat may do next. [docs/rules.md §5]"""


class Turn(Struct, frozen=True, gc=False):
    """How far the seat in turn has got in this turn; the next turn begins as `FRESH`."""

    stage: Stage = TurnStage.START
    drawn: tuple[Position, ...] = ()
    """Positions drawn in this turn, in order."""
    doubles: tuple[tuple[TrainId, int], ...] = ()
    """Doubles of this turn that brought a tile to lay, in order: train and index of the lay."""
    double_count: int = 0
    """How many doubles were laid in this turn, with those that need no tile."""
    laid: bool = False
    """Whether a tile was laid in this turn."""
    from_hand: bool = False
    """Whether a tile was laid that was not drawn in this turn."""
    started: bool = False
    """Whether the own train was started in this turn."""
    mark: bool | None = None
    """The seat's choice for its marker: up, down, or None."""
    tapped: bool = False
    """Whether the seat announced before the play that one tile would be left."""
    at_once: bool = False
    """Whether all seats have this turn at once, each on its own train."""

    @property
    def is_due(self) -> bool:
        """Whether a tile is due: a seat without one draws or passes."""
        stage = self.stage
        return stage is TurnStage.START or stage is TurnStage.EXTRA or isinstance(stage, MustCover)

    @property
    def may_end(self) -> bool:
        """Whether the seat may end its turn when it likes: it has laid, and no tile is due.

        True in every chain, also in one that may not end on the double it ends on now.
        """
        return not isinstance(self.stage, (TurnStage, MustCover))


FRESH: Final = Turn()
"""A turn in which nothing has happened yet."""


class SeekStep(Enum):
    """A step of the search for the hub's double. [docs/rules.md §1.4 to §1.7]"""

    HEAVIEST = "heaviest"
    """Before that search: every seat shows the tile asked for, or says that it does not hold it."""
    ASK = "ask"
    """Every seat lays the double asked for, or says that it does not."""
    IN_TURN = "in-turn"
    """The seat in turn lays its highest double, or says it has none."""
    ALL_DRAW = "all-draw"
    """Every seat draws one tile."""
    TURN_DRAW = "turn-draw"
    """The seat in turn draws one tile."""
    DRAWN = "drawn"
    """The seat that has just drawn lays the double, or says it has none."""
    CLAIM = "claim"
    """Nobody declared: every seat proves that it holds no unused double, or keeps silent."""
    LOOK = "look"
    """The seat in turn looks at the next boneyard tile."""
    LOOKED = "looked"
    """It declares what it found, or keeps silent."""
    FORCED = "forced"
    """All tiles were looked through: the highest unused double in a hand must be laid."""
    TURN = "turn"
    """The seat in turn turns up the next boneyard tile."""
    FOUND = "found"
    """An unused double is turned up: the seat that turned it must lay it."""
    DISCARD = "discard"
    """The seat that laid the double it found puts a tile of its hand back."""
    PULL = "pull"
    """The seat to the right of the one that laid pulls a tile from that hand."""


class HighDraw(Struct, frozen=True, gc=False):
    """The phase before the deal in which every seat turns up a tile. [docs/rules.md §1.5]

    The highest plays first. It ends in a reshuffle once all have, and equal ones are told apart
    where rules and boneyard allow.
    """

    said: int = 0
    """Bit set of the seats that have turned one up."""
    turned: tuple[tuple[Position, Tile | None], ...] = ()
    """The tiles turned up so far, this time and before."""
    run_offs: int = 0
    """How often further tiles were turned up, as the last ones were equal."""


class EngineSearch(Struct, frozen=True, gc=False):
    """The phase in which the hub's double is looked for, until one is laid or the round ends.

    Where the heaviest tile in a hand says who begins, that is asked for before, in the same way.
    """

    step: SeekStep
    asked: tuple[Tile, ...]
    """The doubles that may be laid now, highest first; asked one by one where rules say so. Before
    that the tiles that may be shown, heaviest first."""
    said: int = 0
    """Bit set of the seats that have answered in this step."""
    proven: int = 0
    """Bit set of the seats that claimed to hold no unused double."""
    turned: tuple[tuple[Position, Tile | None], ...] = ()
    """Boneyard tiles looked at (None) or turned up."""

    @property
    def asked_now(self) -> tuple[Tile, ...]:
        """The tiles that an answer now is about: one, where they are asked one by one."""
        return self.asked[:1] if self.asks_one else self.asked

    @property
    def asks_one(self) -> bool:
        """Whether one tile is asked for at a time, from the highest down."""
        return self.step in (SeekStep.HEAVIEST, SeekStep.ASK, SeekStep.FORCED)

    @property
    def found(self) -> tuple[Position, Tile | None] | None:
        """The boneyard tile that may be laid in the hub now; None if there is none.

        Its tile is None while only the seat in turn has seen it.
        """
        return self.turned[-1] if self.step in (SeekStep.LOOKED, SeekStep.FOUND) else None


class Returning(Struct, frozen=True, gc=False):
    """The phase in which the double is found, and a tile is to go back for it. [docs/rules.md §1.7]

    It ends in a reshuffle, after which play begins, or the round is over.
    """

    step: SeekStep
    """`DISCARD` or `PULL`; `FORCED` where only what was looked through is shuffled."""
    layer: Seat
    """The seat that has laid the double."""
    tile: Tile
    """The double."""
    turned: tuple[tuple[Position, Tile | None], ...]
    """Boneyard tiles looked at (None) or turned up."""


class OpeningAll(Struct, frozen=True, gc=False):
    """The phase in which every seat lays its opening chain, all at once, until all are done.

    Sets of seats are bit sets.
    """

    finished: int = 0
    """Seats that are done."""
    drew: int = 0
    """Seats that have drawn."""


class InPlay(Struct, frozen=True, gc=False):
    """The phase in which the seat in turn moves, until the round ends or seats leave."""


class Reshuffle(Struct, frozen=True, gc=False):
    """The phase in which tiles go back, until the new boneyard is shuffled. [docs/rules.md §1.8]"""

    undrawn: tuple[Position, ...]
    """Positions that nobody drew."""
    shown: tuple[tuple[Position, Tile], ...]
    """Positions that lie open and go back."""
    hidden: tuple[tuple[Seat, Position], ...]
    """Positions that go back out of a hand, unseen."""
    since: HighDraw | Returning | InPlay
    """The phase in which they went back: a deal follows, or the first turn, or the turn goes on."""

    @property
    def rebuild(self) -> bool:
        """Whether seats have left, so that the others rebuild the boneyard. [§7.11]"""
        return isinstance(self.since, InPlay)

    @property
    def size(self) -> int:
        """How many tiles the new boneyard has."""
        return len(self.undrawn) + len(self.shown) + len(self.hidden)


class LastTurns(Struct, frozen=True, gc=False):
    """How many turns are left, this one included, once the boneyard is empty. [§7.8]"""

    closing: bool
    """Whether an open double must still be covered, before the last play of each seat."""
    left: int


class RoundMemory(Struct, frozen=True, gc=False):
    """State of one round, of which most rules need nothing. Sets of seats are bit sets."""

    stocked: bool = True
    """Whether there was a boneyard after the deal."""
    opened: tuple[tuple[TrainId, int], ...] = ()
    """Doubles at the ends of opening chains: owed once all have opened."""
    out: Seat | None = None
    """The first seat that ran out in an opening that others still have to finish."""
    tapped: int = 0
    """Seats that have announced their last tile."""
    silent: int = 0
    """Seats that have not announced it, and may be caught."""
    failed: int = 0
    """Seats that could not lay in their latest turn."""
    voluntary: int = 0
    """Seats whose marker is up by their own choice."""
    last: LastTurns | None = None
    bullet: Seat | None = None
    """The seat that has laid a bullet train, while the others lay their chains."""


class GameMemory(Struct, frozen=True, gc=False):
    """The facts of a game that outlast a round. Sets of seats are bit sets."""

    lead: Seat = Seat(0)
    """The seat whose turn it is to lead by rotation."""
    own: Tile | None = None
    """The round's own double, which is set aside or asked for; None where any will do."""
    hubs: tuple[Tile, ...] = ()
    """The doubles that have been in the hub in this game, this round's last once play begins."""
    winner: Seat | None = None
    """The winner of the round before."""
    gone: int = 0
    """Seats that have left the table for good."""
    forfeits: tuple[tuple[Seat, int], ...] = ()
    """Seats that have left in this round, however often it was dealt, and their points in it.

    One that has come back is still here, and what it forfeits next is added.
    """
    came: int = 0
    """Seats that join for the next round, and had no part in this one."""
    absent: tuple[int, ...] = ()
    """By scored round, the seats whose points in it come from no play: they had left, or were given
    the points of the last place when they came. [docs/rules.md §7.12]"""


NEW_GAME: Final = GameMemory()
"""The memory of a game of which nothing has been played."""
