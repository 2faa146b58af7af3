"""The only translator between the engine's moves and the wire's entries.

Moves other than lay, draw and pass are the words of `act` entries: one table joins each with its
word. The engine says what a move shows and what it claims of the hand (`shows`, `hidden_claim`), so
this module knows no rule. [protocol.md §4.3]
"""

from collections.abc import Callable
from typing import Final

from engine.table import moves
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import make_tile
from netgame.errors import LocalMisuse
from netgame.wire.messages import Act, Draw, Lay, Pass

TurnPayload = Lay | Draw | Pass | Act

Words = tuple[str, int, int, tuple[tuple[int, int, int], ...]]
"""The fields word, number, on and tiles of an `act`."""

_PLAIN: Final = {
    kind.word: kind for kind in (moves.NoDouble, moves.Silent, moves.Done, moves.Tap, moves.Quiet)
}
"""Moves that carry nothing but their seat."""

_ONE_TILE: Final[dict[str, type[moves.LayHub | moves.Declare | moves.Show]]] = {
    "hub": moves.LayHub,
    "declare": moves.Declare,
    "show": moves.Show,
}
"""Answers to a question for a tile that show it."""

_CHAINS: Final = {
    "chain": (False, False),
    "chain-back": (False, True),
    "bullet": (True, False),
    "bullet-back": (True, True),
}
"""The meaning of a chain's word: (as a bullet train, on the partner's side)."""

_NUMBERED: Final[dict[str, Callable[[Seat, Act], moves.Move]]] = {
    "mark": lambda seat, act: moves.Mark(seat, bool(act.number)),
    "catch": lambda seat, act: moves.Catch(seat, Seat(act.number)),
    "discard": lambda seat, act: moves.Discard(seat, Position(act.number)),
    "pull": lambda seat, act: moves.PullBack(seat, Seat(act.on), Position(act.number)),
}
"""Moves with one number: marker up or down, the seat caught, the position that goes back."""


def move_of(seat: int, payload: TurnPayload) -> moves.Move | None:
    """The engine's move of an entry, not judged yet.

    None for an act, which may be hostile, that encodes no move, or one not canonically.
    """
    match payload:
        case Lay(position, tile, train, on):
            place, laid = Position(position), make_tile(*tile)
            return moves.LayTile(Seat(seat), place, laid, TrainId(train), on, joined=tile[0])
        case Draw():
            return moves.DrawTile(Seat(seat))
        case Pass():
            return moves.Pass(Seat(seat))
        case Act(word, number, on, tiles):
            move = _read(Seat(seat), payload)
            is_one_way = move is not None and words_of(move) == (word, number, on, tiles)
            return move if is_one_way else None


def turn_entry(
    move: moves.Move, tokens: bytes = b"", proof: bytes = b"", claim: bytes = b""
) -> TurnPayload:
    """The entry for a move, with the octets that open its tiles and prove its claim, if given.

    The half that joins is written first. Octets for which the entry has no field are left out.
    Raises LocalMisuse for a move that has no entry, such as turning up a tile.
    """
    match move:
        case moves.LayTile():
            tile = (move.joined, move.tile.other_end(move.joined))
            return Lay(move.position, tile, move.train, move.on, tokens, proof)
        case moves.DrawTile():
            return Draw(claim)
        case moves.Pass():
            return Pass(claim)
    words = words_of(move)
    if words is None:
        raise LocalMisuse("no entry says this move")
    return Act(*words, tokens, proof, claim)


def words_of(move: moves.Move) -> Words | None:
    """The fields of an `act` entry for a move.

    None for a move with another kind of entry, or none.
    """
    match move:
        case moves.LayChain():
            word = next(w for w, how in _CHAINS.items() if how == (move.bullet, move.back))
            tiles = tuple(
                (link.position, link.joined, link.tile.other_end(link.joined)) for link in move.lays
            )
            return word, move.train, move.on, tiles
        case moves.LayHub() | moves.Declare() | moves.Show():
            word = next(word for word, kind in _ONE_TILE.items() if isinstance(move, kind))
            return word, 0, -1, ((move.position, move.tile.low, move.tile.high),)
        case moves.Discard():
            return "discard", move.position, -1, ()
        case moves.PullBack():
            return "pull", move.position, move.other, ()
        case moves.Mark():
            return "mark", int(move.up), -1, ()
        case moves.Catch():
            return "catch", move.offender, -1, ()
        case moves.NoDouble() | moves.Silent() | moves.Done() | moves.Tap() | moves.Quiet():
            return move.word, 0, -1, ()
        case _:
            return None


def _read(seat: Seat, act: Act) -> moves.Move | None:
    tiles = [(Position(at), make_tile(joined, other), joined) for at, joined, other in act.tiles]
    if act.word in _PLAIN:
        return _PLAIN[act.word](seat)
    if act.word in _CHAINS and tiles:
        bullet, back = _CHAINS[act.word]
        links = tuple(moves.ChainLink(*link) for link in tiles)
        return moves.LayChain(seat, TrainId(act.number), links, act.on, bullet, back)
    if act.word in _ONE_TILE and len(tiles) == 1:
        return _ONE_TILE[act.word](seat, tiles[0][0], tiles[0][1])
    if act.word in _NUMBERED and act.number >= 0:
        return _NUMBERED[act.word](seat, act)
    return None
