"""The moves that entries say (protocol.md 4.3), as `engine` has them."""

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

PLAIN = {"none": NoDouble, "silent": Silent, "done": Done, "tap": Tap, "quiet": Quiet}
WITH_TILE = {"hub": LayHub, "declare": Declare, "show": Show}
CHAINS = {
    "chain": (False, False),
    "chain-back": (False, True),
    "bullet": (True, False),
    "bullet-back": (True, True),
}


def move_of(seat, said):
    """Give the move that a turn makes; None if it says none, or not in its one way."""
    if said.tag == "lay":
        tile = make_tile(*said.tile)
        train = TrainId(said.train)
        return LayTile(Seat(seat), Position(said.position), tile, train, said.on, said.tile[0])
    if said.tag == "draw":
        return DrawTile(Seat(seat))
    if said.tag == "pass":
        return Pass(Seat(seat))
    return _act(Seat(seat), said.word, said.number, said.on, said.tiles)


def _act(seat, word, number, on, tiles):
    if word in CHAINS and tiles:
        bullet, back = CHAINS[word]
        links = tuple(
            ChainLink(Position(at), make_tile(joined, other), joined) for at, joined, other in tiles
        )
        return LayChain(seat, TrainId(number), links, on, bullet, back)
    if word in WITH_TILE and len(tiles) == 1 and (number, on) == (0, -1):
        ((at, low, high),) = tiles
        kind = WITH_TILE[word]
        return kind(seat, Position(at), make_tile(low, high)) if low <= high else None
    if tiles:
        return None
    if word == "pull":
        return PullBack(seat, Seat(on), Position(number)) if number >= 0 else None
    if on != -1:
        return None
    if word in PLAIN:
        return PLAIN[word](seat) if number == 0 else None
    if word == "mark":
        return Mark(seat, bool(number)) if number in (0, 1) else None
    if number < 0:
        return None
    if word == "catch":
        return Catch(seat, Seat(number))
    return Discard(seat, Position(number)) if word == "discard" else None


def called(seat, said):
    """Give the call that an act makes where all may speak; None if it is none."""
    move = move_of(seat, said)
    return move if isinstance(move, Tap | Catch | Quiet) else None
