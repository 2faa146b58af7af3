"""Moves, one type for each thing that a seat may do. Moves know nothing of proofs.

`engine.play.judge` judges a move and `engine.play.apply` carries it out. Events then tell a screen
or a log the result; the next `Table` never depends on them.
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
    """Index of the lay it hangs on; -1 for the hub."""
    joined: int
    """Pip value of the half that joins."""


class DrawTile(Struct, frozen=True, gc=False):
    """Draw the next boneyard tile.

    In play, a draw claims that the seat holds nothing that must be laid.
    """

    seat: Seat
    word: ClassVar[str] = "draw"


class Pass(Struct, frozen=True, gc=False):
    """End a turn without the tile that was due, claiming to hold nothing that must be laid.

    Once the tile that was due is lost, a pass claims nothing.
    """

    seat: Seat
    word: ClassVar[str] = "pass"


class ChainLink(Struct, frozen=True, gc=False):
    """One tile of a chain: its position, the tile, the half that joins."""

    position: Position
    tile: Tile
    joined: int


class LayChain(Struct, frozen=True, gc=False):
    """Lay several tiles as one move, each on the one before, and end the turn.

    The chain is an opening chain, a bullet train, or a double together with its cover where the
    rules ask for both at once. It may be a single tile. [docs/rules.md §3.1, §5.8, §7.10]
    """

    seat: Seat
    train: TrainId
    lays: tuple[ChainLink, ...]
    on: int = -1
    """Index of the lay the first tile hangs on; -1 for the hub."""
    bullet: bool = False
    """True if this is the whole hand, declared as a bullet train."""
    back: bool = False
    """True if the last tile goes on the double laid before this move, not on the chain."""


class LayHub(Struct, frozen=True, gc=False):
    """Lay the double in the hub, from the hand or from its place in the boneyard."""

    seat: Seat
    position: Position
    tile: Tile


class Show(Struct, frozen=True, gc=False):
    """Show everybody the tile asked for; it stays in the hand."""

    seat: Seat
    position: Position
    tile: Tile


class NoDouble(Struct, frozen=True, gc=False):
    """Claim to hold none of the doubles asked for now, or not the tile asked for."""

    seat: Seat
    word: ClassVar[str] = "none"


class Declare(Struct, frozen=True, gc=False):
    """Declare the double asked for, or the one found, and lay it in the hub."""

    seat: Seat
    position: Position
    tile: Tile


class Silent(Struct, frozen=True, gc=False):
    """Declare nothing, whether or not there is something to declare."""

    seat: Seat
    word: ClassVar[str] = "silent"


class TurnUp(Struct, frozen=True, gc=False):
    """Look at the next boneyard tile, or turn it face up for all."""

    seat: Seat
    position: Position
    tile: Tile | None = None
    """The tile if all see it; None if only `seat` does."""


class Discard(Struct, frozen=True, gc=False):
    """Put a tile of the hand back into the boneyard, unseen."""

    seat: Seat
    position: Position


class PullBack(Struct, frozen=True, gc=False):
    """Take a tile from another hand and put it into the boneyard, unseen."""

    seat: Seat
    other: Seat
    position: Position


class Done(Struct, frozen=True, gc=False):
    """End a turn in which nothing more must be laid."""

    seat: Seat
    word: ClassVar[str] = "done"


class Mark(Struct, frozen=True, gc=False):
    """Choose whether the seat's own marker is up or down after this turn.

    A seat may choose once a turn.
    """

    seat: Seat
    up: bool


class Tap(Struct, frozen=True, gc=False):
    """Announce that one tile is left, or soon will be."""

    seat: Seat
    word: ClassVar[str] = "tap"


class Catch(Struct, frozen=True, gc=False):
    """Catch `offender`, which has one tile left and did not announce it, and so draws a penalty."""

    seat: Seat
    offender: Seat


class Quiet(Struct, frozen=True, gc=False):
    """Call nothing; the table stays as it is."""

    seat: Seat
    word: ClassVar[str] = "quiet"


TurnMove: TypeAlias = LayTile | LayChain | DrawTile | Pass | Done | Mark
"""Moves of the seat whose turn it is."""

Call: TypeAlias = Tap | Catch | Quiet
"""Moves that a seat may make even when it is not its turn."""

HubMove: TypeAlias = LayHub | NoDouble | Declare | Silent | TurnUp | Discard | PullBack | Show
"""Moves of the search for the hub's double or the first seat; `DrawTile` may occur there, too."""

Move: TypeAlias = TurnMove | Call | HubMove

WordMove: TypeAlias = DrawTile | Pass | NoDouble | Silent | Done | Tap | Quiet
"""Moves that have no field but their seat; each has a `word`, as people say it."""


def shows(move: Move) -> tuple[tuple[Position, Tile], ...]:
    """Return the positions that a move opens to everybody, each with the tile named for it.

    They are in the order laid. Return () for a move that opens none.
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
