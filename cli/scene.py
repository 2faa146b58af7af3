"""The table as one seat sees it, with names instead of numbers: what is drawn and typed about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.legality import legal_moves
from engine.moves import DrawTile, LayTile, Pass
from engine.trains import Seat, TrainId

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Hand, Table
    from engine.tiles import Tile
    from netgame.protocol.view import TableView

__all__ = [
    "Scene",
    "find_trains",
    "lays",
    "legal",
    "own_train",
    "scene_of",
    "seat_name",
    "tile_text",
    "train_name",
    "train_number",
]

_MEXICAN: Final = "mexican"


@dataclass(frozen=True, slots=True)
class Scene:
    """The public table, one's own hand (None for who only looks on), and the names by seat."""

    table: Table
    hand: Hand | None
    names: tuple[str, ...]
    seat: Seat | None
    can_move: bool


def scene_of(view: TableView) -> Scene | None:
    """Return what can be drawn of a view; None before there is a table."""
    if view.table is None:
        return None
    names = tuple(info.name for info in view.seats)
    return Scene(view.table, view.hand, names, view.seat, view.can_move)


def legal(scene: Scene) -> tuple[Move, ...]:
    """All moves this seat may make now, in the order of the printed list."""
    if scene.hand is None or not scene.can_move:
        return ()
    return legal_moves(scene.table, scene.hand)


def lays(scene: Scene) -> tuple[LayTile, ...]:
    """Return the lays among `legal`: entry i has number i + 1 on the printed list."""
    return tuple(move for move in legal(scene) if isinstance(move, LayTile))


def choices(scene: Scene) -> tuple[Move, ...]:
    """Return what is on the printed list: the lays, then all else but draw and pass."""
    others = (move for move in legal(scene) if not isinstance(move, LayTile | DrawTile | Pass))
    return (*lays(scene), *others)


def own_train(scene: Scene) -> TrainId | None:
    """Return the train of this seat; None for who only looks on."""
    return None if scene.seat is None else TrainId(scene.seat)


def seat_name(scene: Scene, seat: Seat) -> str:
    """Name who sits there."""
    return scene.names[seat]


def train_name(scene: Scene, train: TrainId) -> str:
    """Name a train by its owner, or as `Mexican`."""
    if train >= 0:
        return scene.names[train]
    return "Mexican" if train == -1 else f"Mexican{-train}"


def train_number(train: TrainId) -> str:
    """Return what stands before the train on the board, and may be typed for it."""
    if train >= 0:
        return str(train + 1)
    return "M" if train == -1 else f"M{-train}"


def tile_text(tile: Tile, joined: int | None = None) -> str:
    """Write a tile with the joining half first; a double has `=` between its halves."""
    first = tile.low if joined is None else joined
    second = tile.high if first == tile.low else tile.low
    return f"{first}{'=' if first == second else '-'}{second}"


def find_trains(scene: Scene, text: str) -> tuple[TrainId, ...]:
    """All trains that `text` can mean: its number, `m`, the owner's name or the start of one.

    A whole name wins over the start of another; `own` and `mine` are one's own train unless
    somebody has such a name.
    """
    folded = text.casefold()
    known = {train.id: train_name(scene, train.id).casefold() for train in scene.table.trains}
    exact = tuple(
        key for key, name in known.items() if folded in (name, train_number(key).casefold())
    )
    if exact:
        return exact
    starts = tuple(key for key, name in known.items() if name.startswith(folded))
    if not starts and folded in ("own", "mine") and scene.seat is not None:
        return (TrainId(scene.seat),)
    return starts
