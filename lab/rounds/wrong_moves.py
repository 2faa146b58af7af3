"""Moves of every kind, most of them illegal, for the judge to refuse.

Some differ from a legal move in one thing only: the seat, the tile, the train, the end or the
moment. A few are legal by chance; `is_as_listed` checks those.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from msgspec.structs import replace

from engine.chance import Entropy, below
from engine.play.apply import apply
from engine.play.hub_search import asks_heaviest
from engine.play.judge import why_illegal, why_illegal_step
from engine.play.legal_moves import legal_moves
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
    Show,
    Silent,
    Tap,
    TurnUp,
)
from engine.table.table import Hand, Table
from engine.table.trains import HUB, End, Position, Seat, TrainId
from engine.tiles import TILES, Tile
from lab.rounds.seeds import pick

T = TypeVar("T")

CHAIN_MAX: Final = 4
"""Tiles of the longest chain to try."""


def wrong_moves(
    table: Table, tiles: Mapping[Position, Tile], seat: Seat, entropy: Entropy
) -> tuple[Move, ...]:
    """Return six moves of this seat, most of them illegal.

    They are two lays, two moves without a tile, a chain, and a move of a rarer kind.
    """
    tries = _Tries(table, tiles, seat, entropy)
    words = [tries.any_of(WORDS)(seat) for _ in range(2)]
    return (tries.lay(), tries.lay(), *words, tries.chain(), tries.answer())


WORDS: Final[tuple[Callable[[Seat], Move], ...]] = (
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
"""The moves that a seat may make without a tile."""


class _Tries(NamedTuple):
    """The moves that one seat may try at a table, with all tiles known."""

    table: Table
    tiles: Mapping[Position, Tile]
    seat: Seat
    entropy: Entropy

    def any_of(self, values: Sequence[T]) -> T:
        return pick(self.entropy, values)

    def _below(self, bound: int) -> int:
        return below(self.entropy, bound)

    def _seldom(self) -> bool:
        return self._below(6) == 0

    def _own(self, seat: Seat) -> tuple[Position, ...]:
        return self.table.hands[seat] if seat < self.table.spec.seats else ()

    def _held(self, seat: Seat) -> tuple[Position, Tile]:
        """Return a tile in this seat's hand and its position; sometimes either or both are wrong.

        If the hand is empty, the tile comes from anywhere in the deck.
        """
        own = self._own(seat)
        position = self.any_of(tuple(self.tiles) if not own or self._seldom() else own)
        tile = self.tiles[position]
        if self._seldom():
            tile = self.any_of(TILES)
        if self._seldom():
            position = Position(self._below(len(self.tiles) + 2) - 1)
        return position, tile

    def _end(self) -> End:
        """Return an end of some train; sometimes one that does not exist."""
        train, seats = self.any_of(self.table.trains), self.table.spec.seats
        end = self.any_of(train.ends) if train.ends else End(train.id, HUB, 0)
        id_, on, pip = end.train, end.on, end.pip
        if self._seldom():
            on = self._below(len(train.lays) + 3) - 2
        if self._seldom():
            pip = self._below(self.table.spec.pip_max + 2)
        if self._seldom():
            id_ = TrainId(self._below(2 * seats + 1) - seats)
        return End(id_, on, pip)

    def lay(self) -> LayTile:
        """Return a lay of one tile on some end, which it need not join."""
        position, tile = self._held(self.seat)
        end = self._end()
        joined = end.pip if end.pip in tile or self._seldom() else self.any_of(tile)
        return LayTile(self.seat, position, tile, end.train, end.on, joined)

    def chain(self) -> LayChain:
        """Return a chain of tiles in hand that fit; sometimes it is empty, or some do not fit."""
        end, trains = self._end(), self.table.trains
        if not self._seldom() and self.seat < len(trains):
            own_end = self.any_of(trains[self.seat].ends or (end,))
            end = End(TrainId(self.seat), own_end.on, own_end.pip)
        pip, links = end.pip, list[ChainLink]()
        for _ in range(self._below(CHAIN_MAX + 1)):
            used = {link.position for link in links}
            own = self._own(self.seat)
            fitting = [at for at in own if at not in used and pip in self.tiles[at]]
            if fitting and not self._seldom():
                position = self.any_of(fitting)
                tile = self.tiles[position]
            else:
                position, tile = self._held(self.seat)
            joined = pip if pip in tile else self.any_of(tile)
            links.append(ChainLink(position, tile, joined))
            pip = tile.other_end(joined)
        bullet, back = self._seldom(), self._seldom()
        return LayChain(self.seat, end.train, tuple(links), on=end.on, bullet=bullet, back=back)

    def answer(self) -> Move:
        """Return a rare move: catch, fill the hub, turn up, discard or pull back."""
        seats = self.table.spec.seats
        match self._below(5):
            case 0:
                return Catch(self.seat, Seat(self._below(seats + 2) - 1))
            case 1:
                return self._hub()
            case 2:
                if not self.table.boneyard or self._seldom():
                    return TurnUp(self.seat, *self._held(self.seat))
                position = self.any_of(self.table.boneyard[:seats])
                return TurnUp(self.seat, position, self.tiles[position] if self._below(2) else None)
            case 3:
                return Discard(self.seat, self._held(self.seat)[0])
            case _:
                other = Seat(self._below(seats + 1))
                return PullBack(self.seat, other, self._held(other)[0])

    def _hub(self) -> LayHub | Declare | Show:
        """Return a move that fills the hub, usually with a double, or one that shows a tile."""
        position, tile = self._held(self.seat)
        if asks_heaviest(self.table) and not self._seldom():
            return Show(self.seat, position, tile)
        doubles = [at for at in self.tiles if self.tiles[at].is_double]
        if doubles and not self._seldom():
            position = self.any_of(doubles)
            tile = self.tiles[position]
        kinds: tuple[type[LayHub | Declare | Show], ...] = (LayHub, Declare, Show)
        kind = self.any_of(kinds)
        return kind(self.seat, position, tile)


def is_as_listed(table: Table, hand: Hand, move: Move) -> bool:
    """Return True if a legal move is listed, or is equivalent to a listed one.

    A chain may be laid tile by tile, and a pair or bullet train in more than one way; a seat may
    call without being due.
    """
    listed = legal_moves(table, hand)
    if move in listed:
        return True
    after, _ = apply(table, move)
    if isinstance(move, Tap | Catch | Quiet):
        return after == replace(
            replace(table, hands=after.hands, boneyard=after.boneyard),
            memory=after.memory,
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
    """Return the table after a chain laid step by step, then `Done`; None if a step is illegal."""
    on = move.on
    for link in move.lays:
        lay = LayTile(move.seat, link.position, link.tile, move.train, on, link.joined)
        if why_illegal_step(table, lay) is not None:
            return None
        table, _ = apply(table, lay)
        on = len(table.train(move.train).lays) - 1
    done = Done(move.seat)
    return table if why_illegal(table, done) is not None else apply(table, done)[0]
