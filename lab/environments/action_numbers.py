"""A number for every move, so that one number means one thing throughout a game.

What a rule seldom asks for, such as a bullet train, has no number of its own. Such a move takes one
of the `SPARE` last numbers, in the order of the list of legal moves, so nothing is ever left out.
"""

from collections.abc import Iterable
from typing import Final

from engine.rules.spec import TableSpec
from engine.table.moves import (
    Catch,
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
from engine.table.table import Table
from engine.table.trains import Position, TrainId, train_index
from engine.tiles import Tile, full_set
from engine.view import SeatView
from lab.environments.open_game import OpenGame

MEXICANS: Final = 3
"""Mexican trains whose lays have numbers; rules with more of them are rare."""

ENDS: Final = 4
"""Ends of one train, joined by the same half, whose lays have numbers."""

SPARE: Final = 64
"""Numbers for moves that have none of their own: more than any list of legal moves holds of them.
"""

_WORDS: Final = (DrawTile, Pass, Done, NoDouble, Silent, Tap, Quiet, TurnUp, PullBack)
"""Kinds of move of which a seat never has two that differ to it."""


class ActionNumbers:
    """The numbers of all moves at tables of one kind."""

    def __init__(self, spec: TableSpec) -> None:
        """Blocks of numbers, one behind the other."""
        self._seats, self._pips = spec.seats, spec.pip_max + 1
        self._tile = {tile: number for number, tile in enumerate(full_set(spec.pip_max))}
        self._wild = spec.rules.wild_blanks.is_yes
        self._places = (spec.seats + MEXICANS) * ENDS
        tiles, places = len(self._tile), self._places
        covers = tiles * 2 if self._wild else self._pips
        sizes = {
            "word": len(_WORDS),
            "mark": 2,
            "catch": spec.seats,
            "hub": self._pips,
            "discard": tiles,
            "lay": tiles * 2 * places,
            "pair": self._pips * covers * places * 2,
            "spare": SPARE,
        }
        self._start: dict[str, int] = {}
        self.count = 0
        for block, size in sizes.items():
            self._start[block] = self.count
            self.count += size

    def legal(self, game: OpenGame) -> dict[int, Move]:
        """The moves of the seat that decides now; none where nobody does."""
        seat = game.seat
        return {} if seat is None else self.by_number(game.view(seat), game.legal())

    def by_number(self, view: SeatView, legal: Iterable[Move]) -> dict[int, Move]:
        """The legal moves by their numbers, in ascending order; of equal ones the first."""
        numbered: dict[int, Move] = {}
        held = dict(view.hand.tiles) if view.hand else {}
        spare = self._start["spare"]
        for move in legal:
            number = self._number(view.table, held, move)
            if number is None:
                number, spare = spare, min(spare + 1, self.count - 1)
            numbered.setdefault(number, move)
        return dict(sorted(numbered.items()))

    def _number(self, table: Table, held: dict[Position, Tile], move: Move) -> int | None:
        match move:
            case LayTile():
                return self._lay(table, move)
            case LayChain():
                return self._pair(table, move)
            case LayHub() | Declare():
                return self._start["hub"] + move.tile.high
            case Mark():
                return self._start["mark"] + move.up
            case Catch():
                return self._start["catch"] + move.offender
            case Discard():
                return self._start["discard"] + self._tile[held[move.position]]
            case _:
                return self._start["word"] + _WORDS.index(type(move))

    def _lay(self, table: Table, move: LayTile) -> int | None:
        place = self._place(table, move.train, move.on, move.tile, move.joined)
        if place is None:
            return None
        half = move.joined != move.tile.low
        return self._start["lay"] + (self._tile[move.tile] * 2 + half) * self._places + place

    def _pair(self, table: Table, move: LayChain) -> int | None:
        if len(move.lays) != 2 or move.bullet:
            return None
        double, cover = move.lays
        place = self._place(table, move.train, move.on, double.tile, double.joined)
        if place is None or not double.tile.is_double:
            return None
        far = cover.tile.other_end(cover.joined)
        pair = double.tile.high * self._pips + far
        if self._wild:  # the blank double takes any tile, so the far half does not tell which
            half = cover.joined != cover.tile.low
            pair = (double.tile.high * len(self._tile) + self._tile[cover.tile]) * 2 + half
        return self._start["pair"] + (pair * self._places + place) * 2 + move.back

    def _place(self, table: Table, train: TrainId, on: int, tile: Tile, joined: int) -> int | None:
        """Train and end, counted among the ends of that train that this half joins."""
        at = train_index(self._seats, train)
        joins = table.rules.wild_blanks.joins[tile]
        ends = sorted({end.on for end in table.trains[at].ends if joined in joins[end.pip]})
        if table.rules.mexican.arms:  # all places are on one train, which has many ends
            return ends.index(on) if on in ends[: self._places] else None
        if at >= self._seats + MEXICANS or on not in ends[:ENDS]:
            return None
        return at * ENDS + ends.index(on)
