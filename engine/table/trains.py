"""Trains: their tiles, the tile each one hangs on, the open ends, and the marker.

A train is a tree of lays that hangs from the hub. In most games it is a chain with one open end;
branching doubles give it several. The structure is the same in both cases. [docs/rules.md §2.2]
"""

from typing import Final, NewType, TypeVar

from msgspec import Struct

from engine.rules.spec import SEATS_MAX
from engine.tiles import Tile

_Each = TypeVar("_Each")

Seat = NewType("Seat", int)
"""A place at the table, 0 to seats - 1, clockwise."""

Position = NewType("Position", int)
"""A place in the shuffled deck of the round: the public name of a face-down tile."""

TrainId = NewType("TrainId", int)
"""A seat's own train has the seat's number; the Mexican train is -1, further ones -2, -3, ..."""

SEATS: Final = tuple(map(Seat, range(SEATS_MAX)))
"""The seat of each number."""

MEXICAN: Final = TrainId(-1)
"""The (first) Mexican train."""

HUB: Final = -1
"""The value of `on` for a tile or an open end that hangs on the hub itself."""


class Laid(Struct, frozen=True, gc=False):
    """One tile of a train, as it was laid."""

    tile: Tile
    joined: int
    """Pip value of the half that joins the tile it hangs on."""
    on: int
    """Index, in this train's lays, of the tile it hangs on; `HUB` for the hub."""
    seat: Seat
    """The seat that laid it."""
    position: Position
    """The position it came from."""

    @property
    def end(self) -> int:
        """The pip value that stays open at the far side."""
        return self.tile.low + self.tile.high - self.joined


class End(Struct, frozen=True, order=True, gc=False):
    """A place where a tile that fits `pip` may join a train."""

    train: TrainId
    on: int
    """Index of the lay it hangs on; `HUB` for the hub."""
    pip: int


class Train(Struct, frozen=True, gc=False):
    """The train of one seat, or a Mexican train: its tiles, its marker and its open ends."""

    id: TrainId
    lays: tuple[Laid, ...]
    """Its tiles in the order laid; the `on` of lays and ends is an index into this."""
    marker: bool
    """True if the owner's marker is up, which opens the train to every seat."""
    ends: tuple[End, ...]
    """Its open ends; a branching double has one for each tile that it can still take."""

    @property
    def started(self) -> bool:
        """True if the train has at least one tile."""
        return bool(self.lays)

    def is_bare(self, on: int) -> bool:
        """Return True if no tile hangs on the lay with this index."""
        return on not in [laid.on for laid in self.lays[on + 1 :]]

    @property
    def is_mexican(self) -> bool:
        """True for a Mexican train and for the arms, which have no owner and need no marker."""
        return self.id < 0


def train_index(seats: int, train: TrainId) -> int:
    """Return the index of a train in `Table.trains`: seats first, then the Mexican trains.

    Not checked: if the train is not on the table, the index may be out of range or that of another.
    """
    return train if train >= 0 else seats - 1 - train


def put(row: tuple[_Each, ...], at: int, new: _Each) -> tuple[_Each, ...]:
    """Return the tuple with the item at this index replaced."""
    changed = list(row)
    changed[at] = new
    return tuple(changed)
