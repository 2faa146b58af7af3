"""The moves in entries (protocol.md 4.3), as moves of `engine`."""

from engine.table.moves import (
    Catch,
    ChainLink,
    Declare,
    Discard,
    Done,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    NoDouble,
    Pass,
    PullBack,
    Quiet,
    Show,
    Silent,
    Tap,
)
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import make_tile

PLAIN = {
    "draw": DrawTile, "pass": Pass, "done": Done, "tap": Tap, "quiet": Quiet,
    "none": NoDouble, "silent": Silent,
}  # fmt: skip
WITH_TILE = {"hub": LayHub, "declare": Declare, "show": Show}


def move_of(seat, said):
    """Return the move of a turn or call.

    Return None for a hub, a declared tile or a shown tile whose lower half is not first.
    """
    by = Seat(seat)
    if said.tag in PLAIN:
        return PLAIN[said.tag](by)
    if said.tag in WITH_TILE:
        low, high = said.tile
        kind = WITH_TILE[said.tag]
        return kind(by, Position(said.position), make_tile(low, high)) if low <= high else None
    if said.tag == "lay":
        tile, train = make_tile(*said.tile), TrainId(said.train)
        return LayTile(by, Position(said.position), tile, train, said.on, said.tile[0])
    if said.tag == "chain":
        links = tuple(
            ChainLink(Position(at), make_tile(joined, other), joined)
            for at, joined, other in said.tiles
        )
        return LayChain(by, TrainId(said.train), links, said.on, said.bullet, said.back)
    if said.tag == "mark":
        return Mark(by, said.up)
    if said.tag == "catch":
        return Catch(by, Seat(said.offender))
    if said.tag == "pull-back":
        return PullBack(by, Seat(said.other), Position(said.position))
    return Discard(by, Position(said.position))
