"""Events at a table, one type per kind. Events know nothing of proofs."""

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
    """A seat drew a tile from the boneyard; only that seat knows which."""

    seat: Seat
    position: Position


class Passed(Struct, frozen=True, gc=False):
    """A seat passed: it did not lay the tile that was due."""

    seat: Seat


class MarkerUp(Struct, frozen=True, gc=False):
    """A train became public."""

    train: TrainId


class MarkerDown(Struct, frozen=True, gc=False):
    """A train became private again."""

    train: TrainId


class DoubleOwed(Struct, frozen=True, gc=False):
    """A double must be covered from now on: it was just laid, or it ends an opening chain."""

    train: TrainId
    tile: Tile
    seat: Seat
    """The seat that laid it."""


class DoubleCovered(Struct, frozen=True, gc=False):
    """An owed double now has all the tiles that it needed."""

    train: TrainId
    tile: Tile
    """That double, not its cover."""


class DoubleDead(Struct, frozen=True, gc=False):
    """A double, just laid or owed until now, can no longer be covered, so nobody owes it."""

    train: TrainId
    tile: Tile


class EndOfLine(Struct, frozen=True, gc=False):
    """Nothing can join a train's ends of value `pip` any more: all fitting tiles are laid."""

    train: TrainId
    pip: int


class HubLaid(Struct, frozen=True, gc=False):
    """A seat laid the round's double in the hub.

    A tile may have to go back to the boneyard before play begins.
    """

    seat: Seat
    tile: Tile


class NothingHeld(Struct, frozen=True, gc=False):
    """A seat claimed to hold none of the doubles asked for, or kept silent."""

    seat: Seat
    claimed: bool
    """True if it claims to hold none; False if it just keeps silent."""


class TileShown(Struct, frozen=True, gc=False):
    """A seat showed the heaviest tile that any hand has, and leads; the tile stays in its hand."""

    seat: Seat
    position: Position
    tile: Tile


class TileDenied(Struct, frozen=True, gc=False):
    """A seat claimed not to hold the tile asked for, the heaviest that any hand may still have."""

    seat: Seat
    tile: Tile


class TileTurned(Struct, frozen=True, gc=False):
    """A seat looked at a boneyard tile, or turned it up for all."""

    seat: Seat
    position: Position
    tile: Tile | None
    """The tile if all see it, else None."""


class TileReturned(Struct, frozen=True, gc=False):
    """A tile went back from a hand into the boneyard, unseen."""

    seat: Seat
    """The owner of the tile."""
    by: Seat
    """The seat that chose it."""


class TurnDone(Struct, frozen=True, gc=False):
    """A seat ended its turn without having to lay anything more."""

    seat: Seat


class Tapped(Struct, frozen=True, gc=False):
    """A seat announced that it has one tile left, or soon will."""

    seat: Seat


class Caught(Struct, frozen=True, gc=False):
    """A seat was caught with one tile left that it had not announced, and drew the penalty."""

    seat: Seat
    by: Seat
    count: int
    """Tiles drawn: the penalty, or fewer if the boneyard had fewer."""


class BulletTrain(Struct, frozen=True, gc=False):
    """A seat lays its whole hand on its own train; each tile has its own event after this one.

    The others may then each lay one more chain.
    """

    seat: Seat


class LastPlays(Struct, frozen=True, gc=False):
    """The boneyard is empty: each seat has one more turn from its hand, starting with `first`."""

    first: Seat


class TurnBegan(Struct, frozen=True, gc=False):
    """It is this seat's turn now.

    When a simultaneous opening begins, all seats act, and `seat` is the first player of the round.
    """

    seat: Seat


class RoundEnded(Struct, frozen=True, gc=False):
    """The round is over; the seats open their hands next, unless it will be dealt again."""

    outcome: Ending
    seat: Seat | None
    """The seat that is out, or None."""


class RoundScored(Struct, frozen=True, gc=False):
    """The round is scored: the points of the round and of the game so far, by seat."""

    scores: tuple[int, ...]
    totals: tuple[int, ...]


class GameEnded(Struct, frozen=True, gc=False):
    """The last round is scored; if there are several winners, they share the game."""

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
