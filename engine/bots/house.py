"""The house bot, which plans its train.

It keeps its longest train for itself and sheds the rest, heaviest first. It knows only what its
seat knows. It ranks lays by these aims, in this order: leave no double open that the hand cannot
cover; take its own marker down; keep its own train as long as possible; lay tiles on other trains
before its own; lay the heaviest tile.
"""

from typing import NamedTuple

from engine.bots.strategy import forced
from engine.chance import Entropy, below
from engine.longest_train import HandTrains
from engine.play.playable import dies
from engine.play.reach import own_ends, own_trains
from engine.table.moves import LayTile, Move
from engine.tiles import TILE_BITS, Tile, tile_bits
from engine.view import SeatView


class _Worth(NamedTuple):
    """The worth of a lay; more is better, earlier fields first."""

    no_open_double: bool
    marker_comes_down: bool
    train_length: int
    """How many tiles the seat's own train can still get, including this lay; 0 with arms."""
    is_spare: bool
    """True if the tile goes on another train."""
    pips: int


def choose(view: SeatView, entropy: Entropy) -> Move:
    """Return the forced move if there is one, else the best lay by the module's aims.

    It must be the seat's turn. The move is always legal, because it comes from `view.legal`.
    `entropy` decides between equally good lays.
    """
    moves = view.legal
    move = forced(view, moves)
    if move is not None:
        return move
    lays = [move for move in moves if isinstance(move, LayTile)]
    worths = _Worths(view)
    judged = [(worths.of(lay), lay) for lay in lays]
    best = max(worth for worth, _ in judged)
    equals = [lay for worth, lay in judged if worth == best]
    return equals[below(entropy, len(equals))] if len(equals) > 1 else equals[0]


def ranked(view: SeatView, lays: list[LayTile]) -> list[Move]:
    """Return the lays, best first; equal ones stay in order. The hand must have their tiles."""
    worths = _Worths(view)
    return [*sorted(lays, key=worths.of, reverse=True)]


class _Worths:
    """Computes the worths of one hand's lays, and remembers the longest trains found for them."""

    def __init__(self, view: SeatView) -> None:
        self._table = view.table
        held = tuple(tile for _, tile in view.hand.tiles) if view.hand else ()
        self._held = tile_bits(held)
        self._trains = HandTrains(held)

    def of(self, lay: LayTile) -> _Worth:
        """Return the worth of this lay; worths compare like tuples."""
        table, tile = self._table, lay.tile
        own = own_trains(table, lay.seat)
        on_own = lay.train in own
        if on_own:
            pips = [tile.other_end(lay.joined)]
        else:  # two ends for partners, and none with arms
            pips = [end.pip for end in own_ends(table, lay.seat)]
        lengths = [self._trains.length(pip, without=tile) for pip in pips]
        return _Worth(
            no_open_double=not tile.is_double or self._can_cover(tile),
            marker_comes_down=on_own and table.train(lay.train).marker,
            train_length=max(lengths, default=0) + on_own,
            is_spare=not on_own,
            pips=tile.pips,
        )

    def _can_cover(self, double: Tile) -> bool:
        """Return True if the rest of the hand can cover this double, or need not.

        It need not if it is empty, or if nobody can cover the double.
        """
        rest = self._held & ~TILE_BITS[double]
        fits = self._table.rules.wild_blanks.fits[double.high]
        return not rest or bool(rest & fits) or dies(self._table, double)
