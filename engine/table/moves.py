"""Moves, one type for each thing that a seat may do. Moves know nothing of proofs.

A move is a claim about the table that `judge` judges and `apply` carries out. `events` tell a
screen or a log what then happened; the next `Table` never depends on them.
"""

from typing import ClassVar, TypeAlias

from msgspec import Struct

from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile


class LayTile(Struct, frozen=True, gc=False):
    """Lay one tile on an open end."""

    seat: Seat
    position: Position
    tile: Tile
    train: TrainId
    on: int
    """Index of the lay it hangs on, -1 for the hub."""
    joined: int
    """Pip value of the half that joins."""


class DrawTile(Struct, frozen=True, gc=False):
    """Draw the next tile of the boneyard; in play, claim to hold nothing that must be laid."""

    seat: Seat
    word: ClassVar[str] = "draw"


class Pass(Struct, frozen=True, gc=False):
    """End a turn in which what was owed could not be laid; claims to hold nothing that must be.

    After the tile that was due is lost it claims nothing.
    """

    seat: Seat
    word: ClassVar[str] = "pass"


class ChainLink(Struct, frozen=True, gc=False):
    """One tile of a chain: its position, the tile, the half that joins."""

    position: Position
    tile: Tile
    joined: int


class LayChain(Struct, frozen=True, gc=False):
    """Lay several tiles as one move, each on the one before; ends the turn.

    An opening chain, a bullet train, or a double together with the tile that covers it where rules
    ask for both at once. A single tile is a chain too. [docs/rules.md §3.1, §5.8, §7.10]
    """

    seat: Seat
    train: TrainId
    lays: tuple[ChainLink, ...]
    on: int = -1
    """Index of the lay the first tile hangs on, -1 for the hub."""
    bullet: bool = False
    """Whether this is the whole hand, declared as a bullet train."""
    back: bool = False
    """Whether the last tile goes on the double laid before this move, not on the chain."""


class LayHub(Struct, frozen=True, gc=False):
    """Lay the double in the hub, from the hand or from where it was found in the boneyard."""

    seat: Seat
    position: Position
    tile: Tile


class Show(Struct, frozen=True, gc=False):
    """Show everybody the tile of the hand that is asked for; it stays in the hand."""

    seat: Seat
    position: Position
    tile: Tile


class NoDouble(Struct, frozen=True, gc=False):
    """Claim to hold none of the doubles that are asked for now, or not the tile asked for."""

    seat: Seat
    word: ClassVar[str] = "none"


class Declare(Struct, frozen=True, gc=False):
    """Declare the double that is asked for, or was found, and lay it in the hub."""

    seat: Seat
    position: Position
    tile: Tile


class Silent(Struct, frozen=True, gc=False):
    """Declare nothing, whether or not there would be something to declare."""

    seat: Seat
    word: ClassVar[str] = "silent"


class TurnUp(Struct, frozen=True, gc=False):
    """Take the next boneyard tile to look at it, or turn it face up for all."""

    seat: Seat
    position: Position
    tile: Tile | None = None
    """The tile, where all see it; None where only `seat` does."""


class Discard(Struct, frozen=True, gc=False):
    """Put a tile of the hand back into the boneyard, unseen."""

    seat: Seat
    position: Position


class PullBack(Struct, frozen=True, gc=False):
    """Take a tile unseen from another hand and put it into the boneyard."""

    seat: Seat
    other: Seat
    position: Position


class Done(Struct, frozen=True, gc=False):
    """End a turn in which nothing more must be laid."""

    seat: Seat
    word: ClassVar[str] = "done"


class Mark(Struct, frozen=True, gc=False):
    """Choose, once in a turn, that the own marker is up, or down, when this turn has ended."""

    seat: Seat
    up: bool


class Tap(Struct, frozen=True, gc=False):
    """Announce that one tile is left, or is about to be."""

    seat: Seat
    word: ClassVar[str] = "tap"


class Catch(Struct, frozen=True, gc=False):
    """Catch `offender`, which has one tile left and did not announce it; it draws for that."""

    seat: Seat
    offender: Seat


class Quiet(Struct, frozen=True, gc=False):
    """Call nothing. Changes nothing."""

    seat: Seat
    word: ClassVar[str] = "quiet"


TurnMove: TypeAlias = LayTile | LayChain | DrawTile | Pass | Done | Mark
"""Moves of the seat in turn."""

Call: TypeAlias = Tap | Catch | Quiet
"""Moves of seats that need not be in turn."""

HubMove: TypeAlias = LayHub | NoDouble | Declare | Silent | TurnUp | Discard | PullBack | Show
"""Moves of the search for the hub's double, and for who begins; it may also have draws."""

Move: TypeAlias = TurnMove | Call | HubMove

WordMove: TypeAlias = DrawTile | Pass | NoDouble | Silent | Done | Tap | Quiet
"""Moves that carry nothing but their seat: each has a `word`, as people say it."""


def shows(move: Move) -> tuple[tuple[Position, Tile], ...]:
    """The positions that a move opens to everybody, with the tiles it says they hold.

    In the order laid; empty for a move that opens none.
    """
    match move:
        case LayTile() | LayHub() | Declare() | Show():
            return ((move.position, move.tile),)
        case LayChain():
            return tuple((link.position, link.tile) for link in move.lays)
        case TurnUp(tile=Tile() as tile):
            return ((move.position, tile),)
        case _:
            return ()
