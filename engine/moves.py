"""What a seat may do (moves) and what then happened (events). Neither knows of proofs.

A move is a claim about the table that `legality` judges and `transition` carries out. An event
is one fact for a screen or a log; the next `Table` never depends on events.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from engine.table import Ending
from engine.tiles import Tile
from engine.trains import Position, Seat, TrainId


class LayTile(NamedTuple):
    """Lay one tile on an open end.

    A tuple, because search makes thousands of them; the other moves are classes of their own, so
    that no two kinds of move ever compare equal.
    """

    seat: Seat
    position: Position
    tile: Tile
    train: TrainId
    on: int
    """Index of the lay it is to hang on, -1 for the hub."""
    joined: int
    """Pip value of the half that joins."""


@dataclass(frozen=True, slots=True)
class DrawTile:
    """Draw the next tile of the boneyard; claims that nothing held can be laid."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """End a turn in which what was owed could not be laid; claims that nothing held can be."""

    seat: Seat


Move: TypeAlias = LayTile | DrawTile | Pass


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
class TurnBegan:
    """It is this seat's turn now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round is over; hands are opened next."""

    outcome: Ending
    seat: Seat | None
    """Who is out; None when the round is blocked."""


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
    | TurnBegan
    | RoundEnded
    | RoundScored
    | GameEnded
)
