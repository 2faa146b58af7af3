"""Moves that hardly any table allows, of every kind, for a judge to refuse.

Some differ from a legal move in one thing only: the seat, the tile, the train, the end, the
moment. A few are legal by chance; `is_as_listed` says whether that is as it should be.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from engine.chance import Entropy, below
from engine.play.apply import apply
from engine.play.judge import why_illegal, why_illegal_step
from engine.play.legal_moves import legal_moves
from engine.struct import replace
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
    Move,
    NoDouble,
    Pass,
    PullBack,
    Quiet,
    Silent,
    Tap,
    TurnUp,
)
from engine.table.table import Hand, Table
from engine.table.trains import HUB, End, Position, Seat, TrainId
from engine.tiles import TILES, Tile

T = TypeVar("T")

CHAIN_MAX: Final = 4
"""Tiles of the longest chain that is tried."""


def wrong_moves(
    table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy
) -> tuple[Move, ...]:
    """A handful of moves of this seat: two lays, two words, a chain and an answer."""
    words = [_any_of(entropy, _WORDS)(seat) for _ in range(2)]
    return (
        _lay(table, tiles, seat, entropy),
        _lay(table, tiles, seat, entropy),
        *words,
        _chain(table, tiles, seat, entropy),
        _any_of(entropy, _BESIDE)(table, tiles, seat, entropy),
    )


def _any_of(entropy: Entropy, values: Sequence[T]) -> T:
    return values[below(entropy, len(values))]


def _seldom(entropy: Entropy) -> bool:
    return below(entropy, 6) == 0


_WORDS: Final[tuple[Callable[[Seat], Move], ...]] = (
    DrawTile,
    Pass,
    Done,
    Tap,
    Quiet,
    NoDouble,
    Silent,
    lambda seat: Mark(seat, up=True),
    lambda seat: Mark(seat, up=False),
)


def _held(
    table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy
) -> tuple[Position, Tile]:
    """A tile of the hand; seldom one of another place, of no place, or where it is not."""
    own = table.hands[seat] if seat < table.spec.seats else ()
    if not own or _seldom(entropy):
        position = _any_of(entropy, tuple(tiles))
        tile = tiles[position]
    else:
        position = _any_of(entropy, own)
        tile = tiles[position]
    if _seldom(entropy):
        tile = _any_of(entropy, TILES)
    if _seldom(entropy):
        position = Position(below(entropy, len(tiles) + 2) - 1)
    return position, tile


def _end(table: Table, entropy: Entropy) -> tuple[TrainId, int, int]:
    """An end of some train, seldom one that is none: train, what it hangs on, its pips."""
    train = _any_of(entropy, table.trains)
    end = _any_of(entropy, train.ends) if train.ends else End(train.id, HUB, 0)
    id_, on, pip = end.train, end.on, end.pip
    if _seldom(entropy):
        on = below(entropy, len(train.lays) + 3) - 2
    if _seldom(entropy):
        pip = below(entropy, table.spec.pip_max + 2)
    if _seldom(entropy):
        id_ = TrainId(below(entropy, 2 * table.spec.seats + 1) - table.spec.seats)
    return id_, on, pip


def _lay(table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy) -> LayTile:
    position, tile = _held(table, tiles, seat, entropy)
    train, on, pip = _end(table, entropy)
    joined = pip if pip in tile or _seldom(entropy) else _any_of(entropy, tile)
    return LayTile(seat, position, tile, train, on, joined)


def _chain(table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy) -> LayChain:
    """Tiles of the hand one after another where they fit, or a chain of none or any tiles."""
    train, on, pip = _end(table, entropy)
    if not _seldom(entropy) and seat < len(table.trains):
        train = TrainId(seat)
        end = _any_of(entropy, table.trains[seat].ends or (End(train, on, pip),))
        on, pip = end.on, end.pip
    links: list[ChainLink] = []
    for _ in range(below(entropy, CHAIN_MAX + 1)):
        own = table.hands[seat] if seat < table.spec.seats else ()
        used = {link.position for link in links}
        fitting = [at for at in own if at not in used and pip in tiles[at]]
        if fitting and not _seldom(entropy):
            position = _any_of(entropy, fitting)
            tile = tiles[position]
        else:
            position, tile = _held(table, tiles, seat, entropy)
        joined = pip if pip in tile else _any_of(entropy, tile)
        links.append(ChainLink(position, tile, joined))
        pip = tile.other_end(joined)
    bullet, back = _seldom(entropy), _seldom(entropy)
    return LayChain(seat, train, tuple(links), on=on, bullet=bullet, back=back)


def _catch(table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy) -> Catch:
    del tiles
    return Catch(seat, Seat(below(entropy, table.spec.seats + 2) - 1))


def _hub(
    table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy
) -> LayHub | Declare:
    position, tile = _held(table, tiles, seat, entropy)
    doubles = [at for at in tiles if tiles[at].is_double]
    if doubles and not _seldom(entropy):
        position = _any_of(entropy, doubles)
        tile = tiles[position]
    kind = LayHub if below(entropy, 2) else Declare
    return kind(seat, position, tile)


def _turned(table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy) -> TurnUp:
    if not table.boneyard or _seldom(entropy):
        return TurnUp(seat, *_held(table, tiles, seat, entropy))
    position = _any_of(entropy, table.boneyard[: table.spec.seats])
    return TurnUp(seat, position, tiles[position] if below(entropy, 2) else None)


def _discard(table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy) -> Discard:
    return Discard(seat, _held(table, tiles, seat, entropy)[0])


def _pull(table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy) -> PullBack:
    other = Seat(below(entropy, table.spec.seats + 1))
    return PullBack(seat, other, _held(table, tiles, other, entropy)[0])


_BESIDE: Final[tuple[Callable[[Table, Mapping[Position, Tile], Seat, Entropy], Move], ...]] = (
    _catch,
    _hub,
    _turned,
    _discard,
    _pull,
)


def is_as_listed(table: Table, hand: Hand, move: Move) -> bool:
    """Whether a legal move is listed, or is another way to say what is.

    A chain may be laid tile by tile, and one pair or bullet train in more than one way; a seat
    that nobody asks may still call.
    """
    listed = legal_moves(table, hand)
    if move in listed:
        return True
    after, _ = apply(table, move)
    if isinstance(move, Tap | Catch | Quiet):
        return after == replace(
            replace(table, hands=after.hands, boneyard=after.boneyard),
            aside=after.aside,
            turn=after.turn,
        )
    if not isinstance(move, LayChain):
        return False
    if any(apply(table, other)[0] == after for other in listed if isinstance(other, LayChain)):
        return True
    if move.bullet:
        return {link.tile for link in move.lays} == {tile for _, tile in hand.tiles}
    return _tile_by_tile(table, move) == after


def _tile_by_tile(table: Table, move: LayChain) -> Table | None:
    """The table when a chain is laid as single steps, each of them legal; None if one is not."""
    on = move.on
    for link in move.lays:
        lay = LayTile(move.seat, link.position, link.tile, move.train, on, link.joined)
        if why_illegal_step(table, lay) is not None:
            return None
        table, _ = apply(table, lay)
        on = len(table.train(move.train).lays) - 1
    done = Done(move.seat)
    return table if why_illegal(table, done) is not None else apply(table, done)[0]
