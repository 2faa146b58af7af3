"""What happened at a table: one value an event. Events know nothing of proofs."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.table.table import Ending
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round is ready to be played."""

    round_number: int
    """Counted from 0."""
    hub: Tile | None
    first: Seat


@dataclass(frozen=True, slots=True)
class TileLaid:
    """A tile now lies on a train."""

    seat: Seat
    tile: Tile
    train: TrainId
    joined: int


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """A tile went from the boneyard to a hand; only its new owner knows which."""

    seat: Seat
    position: Position


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat could lay nothing."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MarkerUp:
    """A train became public."""

    train: TrainId


@dataclass(frozen=True, slots=True)
class MarkerDown:
    """A train became private again."""

    train: TrainId


@dataclass(frozen=True, slots=True)
class DoubleOwed:
    """A double was laid that has to be covered."""

    train: TrainId
    tile: Tile
    seat: Seat
    """Who laid it."""


@dataclass(frozen=True, slots=True)
class DoubleCovered:
    """An owed double was covered."""

    train: TrainId
    tile: Tile


@dataclass(frozen=True, slots=True)
class DoubleDead:
    """A double was laid that nobody can ever cover, and nobody owes."""

    train: TrainId
    tile: Tile


@dataclass(frozen=True, slots=True)
class EndOfLine:
    """Nothing can ever join this train's last tile: every tile of its value is on the table."""

    train: TrainId
    pip: int


@dataclass(frozen=True, slots=True)
class HubLaid:
    """The double of the round was found and lies in the hub."""

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True)
class NothingHeld:
    """A seat has none of the doubles asked for, or declares none."""

    seat: Seat
    claimed: bool
    """Whether it claims to hold none, rather than just keeping silent."""


@dataclass(frozen=True, slots=True)
class TileTurned:
    """A boneyard tile was looked at by one seat, or turned up for all."""

    seat: Seat
    position: Position
    tile: Tile | None
    """The tile, where all see it."""


@dataclass(frozen=True, slots=True)
class TileReturned:
    """A tile went back from a hand into the boneyard, unseen."""

    seat: Seat
    """Whose tile it was."""
    by: Seat
    """Who chose it."""


@dataclass(frozen=True, slots=True)
class TurnDone:
    """A seat laid no more, though it might have."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Tapped:
    """A seat told that one tile is left, or is about to be."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Caught:
    """A seat was caught silent with one tile left and drew for it."""

    seat: Seat
    by: Seat
    count: int
    """Tiles drawn: the penalty, or what the boneyard had."""


@dataclass(frozen=True, slots=True)
class BulletTrain:
    """A seat laid its whole hand on its own train; the others lay their chains once more."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LastPlays:
    """The boneyard is empty: each seat has one more turn from its hand."""

    first: Seat


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """It is this seat's turn now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round is over; hands are opened next."""

    outcome: Ending
    seat: Seat | None
    """Who is out; None when nobody is."""


@dataclass(frozen=True, slots=True)
class RoundScored:
    """Points of the round and of the game so far, by seat."""

    scores: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last round is scored; several winners share the game."""

    winners: tuple[Seat, ...]


Event: TypeAlias = (
    RoundBegan
    | TileLaid
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
