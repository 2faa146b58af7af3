"""Events at a table, one type for each kind. Events know nothing of proofs."""

from typing import TypeAlias

from msgspec import Struct

from engine.table.table import Ending
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile


class TileLaid(Struct, frozen=True, gc=False):
    """A seat laid a tile on a train."""

    seat: Seat
    tile: Tile
    train: TrainId
    joined: int
    """Pip value of the half that joins."""


class TileDrawn(Struct, frozen=True, gc=False):
    """A tile went from the boneyard to a hand; only its new owner knows which."""

    seat: Seat
    position: Position


class Passed(Struct, frozen=True, gc=False):
    """A seat passed: it laid nothing of what was due."""

    seat: Seat


class MarkerUp(Struct, frozen=True, gc=False):
    """A train became public."""

    train: TrainId


class MarkerDown(Struct, frozen=True, gc=False):
    """A train became private again."""

    train: TrainId


class DoubleOwed(Struct, frozen=True, gc=False):
    """A double has to be covered from now on: it was just laid, or it ends an opening chain."""

    train: TrainId
    tile: Tile
    seat: Seat
    """The seat that laid it."""


class DoubleCovered(Struct, frozen=True, gc=False):
    """An owed double has all the tiles that it needed."""

    train: TrainId
    tile: Tile
    """That double, not its cover."""


class DoubleDead(Struct, frozen=True, gc=False):
    """A double can never be covered now, and nobody owes it: it was just laid, or was owed."""

    train: TrainId
    tile: Tile


class EndOfLine(Struct, frozen=True, gc=False):
    """Nothing can ever join a train's ends of value `pip`: all that fits is on the table."""

    train: TrainId
    pip: int


class HubLaid(Struct, frozen=True, gc=False):
    """A seat laid the double of the round in the hub; a tile may still have to go back for it."""

    seat: Seat
    tile: Tile


class NothingHeld(Struct, frozen=True, gc=False):
    """A seat has none of the doubles asked for, or declares none."""

    seat: Seat
    claimed: bool
    """Whether it claims to hold none, rather than just keeping silent."""


class TileShown(Struct, frozen=True, gc=False):
    """A seat showed the heaviest tile that any hand has, so it leads; the tile stays in hand."""

    seat: Seat
    position: Position
    tile: Tile


class TileDenied(Struct, frozen=True, gc=False):
    """A seat does not hold the tile asked for, the heaviest that any hand may still have."""

    seat: Seat
    tile: Tile


class TileTurned(Struct, frozen=True, gc=False):
    """A boneyard tile was looked at by one seat, or turned up for all."""

    seat: Seat
    position: Position
    tile: Tile | None
    """The tile, where all see it; else None."""


class TileReturned(Struct, frozen=True, gc=False):
    """A tile went back from a hand into the boneyard, unseen."""

    seat: Seat
    """The owner of the tile."""
    by: Seat
    """The seat that chose it."""


class TurnDone(Struct, frozen=True, gc=False):
    """A seat said that its turn ends, in which nothing more had to be laid."""

    seat: Seat


class Tapped(Struct, frozen=True, gc=False):
    """A seat announced that it has one tile left, or is about to."""

    seat: Seat


class Caught(Struct, frozen=True, gc=False):
    """A seat was caught silent with one tile left, and drew for it as far as tiles were left."""

    seat: Seat
    by: Seat
    count: int
    """Tiles drawn: the penalty, or as many as the boneyard had."""


class BulletTrain(Struct, frozen=True, gc=False):
    """A seat lays its whole hand on its own train; the tiles follow, each as its own event.

    The others then lay their chains once more.
    """

    seat: Seat


class LastPlays(Struct, frozen=True, gc=False):
    """The boneyard is empty: each seat has one more turn from its hand, `first` the first."""

    first: Seat


class TurnBegan(Struct, frozen=True, gc=False):
    """It is this seat's turn now; as an opening of all at once begins, the first seat's."""

    seat: Seat


class RoundEnded(Struct, frozen=True, gc=False):
    """The round is over; hands are opened next, unless it is to be dealt again."""

    outcome: Ending
    seat: Seat | None
    """The seat that is out; None when nobody is."""


class RoundScored(Struct, frozen=True, gc=False):
    """Points of the round and of the game so far, by seat."""

    scores: tuple[int, ...]
    totals: tuple[int, ...]


class GameEnded(Struct, frozen=True, gc=False):
    """The last round is scored; several winners share the game."""

    winners: tuple[Seat, ...]


Event: TypeAlias = (
    TileLaid
    | TileDrawn
    | Passed
    | MarkerUp
    | MarkerDown
    | DoubleOwed
    | DoubleCovered
    | DoubleDead
    | EndOfLine
    | HubLaid
    | NothingHeld
    | TileShown
    | TileDenied
    | TileTurned
    | TileReturned
    | TurnDone
    | Tapped
    | Caught
    | BulletTrain
    | LastPlays
    | TurnBegan
    | RoundEnded
    | RoundScored
    | GameEnded
)
