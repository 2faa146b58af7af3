"""The only translator between the engine's moves and the wire's messages.

Each type of move that a seat can write has one type of message, and one table translates both ways.
The engine says what a move shows and what it claims about the hand (`shows`, `hidden_claim`), so
this module does not know any rules. [protocol.md §4.3]
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from engine.table import moves
from engine.table.moves import Move
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import make_tile
from netgame.errors import LocalMisuse
from netgame.wire import messages as wire
from netgame.wire.messages import Spoken, Turn

Said: TypeAlias = Turn | Spoken


class MoveProofs(NamedTuple):
    """The octets sent with a move that open the tiles it shows and prove its claim."""

    tokens: bytes = b""
    proof: bytes = b""
    """The proof of the tokens."""
    claim: bytes = b""


_NO_PROOFS: Final = MoveProofs()


class _Row(NamedTuple):
    """A type of message and its type of move, and how to turn each into the other."""

    said: type[Any]
    move: type[Any]
    read: Callable[[Seat, Any], Move | None]
    write: Callable[[Any, MoveProofs], Said]
    proofs: Callable[[Any], MoveProofs] = lambda _: _NO_PROOFS
    """Reads the proofs of the message."""


def _read_lay(seat: Seat, said: wire.Lay) -> Move:
    tile, train = make_tile(*said.tile), TrainId(said.train)
    return moves.LayTile(seat, Position(said.position), tile, train, said.on, joined=said.tile[0])


def _write_lay(move: moves.LayTile, by: MoveProofs) -> wire.Lay:
    tile = (move.joined, move.tile.other_end(move.joined))
    return wire.Lay(move.position, tile, move.train, move.on, by.tokens, by.proof)


def _read_chain(seat: Seat, said: wire.LayChain) -> Move:
    links = tuple(
        moves.ChainLink(Position(at), make_tile(joined, other), joined)
        for at, joined, other in said.tiles
    )
    return moves.LayChain(seat, TrainId(said.train), links, said.on, said.bullet, said.back)


def _write_chain(move: moves.LayChain, by: MoveProofs) -> wire.LayChain:
    tiles = tuple(
        (link.position, link.joined, link.tile.other_end(link.joined)) for link in move.lays
    )
    return wire.LayChain(move.train, move.on, move.bullet, move.back, tiles, by.tokens, by.proof)


def _plain(said: type[Any], move: type[Any]) -> _Row:
    """Make the row of a move that has no field but its seat."""
    return _Row(said, move, lambda seat, _: move(seat), lambda _, __: said())


def _claiming(said: type[Any], move: type[Any]) -> _Row:
    """Make the row of a move that has no field but its seat, and may make a claim about the hand.

    The message has a field for the proof of that claim.
    """
    return _Row(
        said,
        move,
        lambda seat, _: move(seat),
        lambda _, by: said(by.claim),
        lambda each: MoveProofs(claim=each.claim),
    )


def _showing(said: type[Any], move: type[Any], *, claims: bool = False) -> _Row:
    """Make the row of an answer that shows the tile asked for, low half first.

    With `claims`, the message also has a field for the proof of a claim about the hand.
    """

    def read(seat: Seat, each: Any) -> Move | None:  # noqa: ANN401 - of `said`
        low, high = each.tile
        return move(seat, Position(each.position), make_tile(low, high)) if low <= high else None

    def write(each: Any, by: MoveProofs) -> Any:  # noqa: ANN401 - a `move`, and a `said`
        claim = (by.claim,) if claims else ()
        return said(each.position, (each.tile.low, each.tile.high), by.tokens, by.proof, *claim)

    def proofs(each: Any) -> MoveProofs:  # noqa: ANN401 - of `said`
        return MoveProofs(each.token, each.proof, each.claim if claims else b"")

    return _Row(said, move, read, write, proofs)


_ROWS: Final = (
    _Row(wire.Lay, moves.LayTile, _read_lay, _write_lay,
         lambda each: MoveProofs(each.token, each.proof)),
    _Row(wire.LayChain, moves.LayChain, _read_chain, _write_chain,
         lambda each: MoveProofs(each.tokens, each.proof)),
    _claiming(wire.Draw, moves.DrawTile),
    _claiming(wire.Pass, moves.Pass),
    _plain(wire.Done, moves.Done),
    _Row(wire.Mark, moves.Mark,
         lambda seat, said: moves.Mark(seat, said.up), lambda move, _: wire.Mark(move.up)),
    _plain(wire.Tap, moves.Tap),
    _Row(wire.Catch, moves.Catch,
         lambda seat, said: moves.Catch(seat, Seat(said.offender)),
         lambda move, _: wire.Catch(move.offender)),
    _plain(wire.Quiet, moves.Quiet),
    _showing(wire.LayHub, moves.LayHub, claims=True),
    _showing(wire.Show, moves.Show),
    _showing(wire.Declare, moves.Declare),
    _claiming(wire.NoDouble, moves.NoDouble),
    _claiming(wire.Silent, moves.Silent),
    _Row(wire.Discard, moves.Discard,
         lambda seat, said: moves.Discard(seat, Position(said.position)),
         lambda move, _: wire.Discard(move.position)),
    _Row(wire.PullBack, moves.PullBack,
         lambda seat, said: moves.PullBack(seat, Seat(said.other), Position(said.position)),
         lambda move, _: wire.PullBack(move.other, move.position)),
)  # fmt: skip
_BY_MESSAGE: Final = {row.said: row for row in _ROWS}
_BY_MOVE: Final = {row.move: row for row in _ROWS}


def move_of(seat: int, payload: Said) -> Move | None:
    """Return the engine's move for an entry, which may be hostile, without judging the move.

    None if the entry is an answer that shows a tile with its high half first.
    """
    return _BY_MESSAGE[type(payload)].read(Seat(seat), payload)


def turn_entry(move: Move, proofs: MoveProofs = _NO_PROOFS) -> Said:
    """Return the entry for a move, with the octets that open its tiles and prove its claim.

    In a tile that is laid, the half that joins is written first. Octets for which the entry has no
    field are left out. Raises LocalMisuse for a move that has no entry, such as turning up a tile.
    """
    row = _BY_MOVE.get(type(move))
    if row is None:
        raise LocalMisuse("no entry says this move")
    return row.write(move, proofs)


def proofs_of(payload: Said) -> MoveProofs:
    """Return the proofs in a move's entry; those for which the entry has no field are empty."""
    return _BY_MESSAGE[type(payload)].proofs(payload)
