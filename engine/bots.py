"""Bots: from what one seat may know to a legal move.

The house bot keeps its longest train for itself and gets rid of the rest, heaviest first. It knows
what its seat knows and nothing more. Judged in this order: do not leave a double open that the
hand cannot cover; take the own marker down; keep the longest own train possible; lay what that
train does not need before what it does; then the heaviest tile.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from engine.chance import Entropy, below
from engine.longest_train import HandChains
from engine.table.moves import LayChain, LayTile, Move, Tap
from engine.table.trains import TrainId
from engine.tiles import PIP_BITS, TILE_BITS, Tile
from engine.view import SeatView

Strategy: TypeAlias = Callable[[SeatView, Entropy], Move]
"""What every bot is: a function from what its seat may know, and octets, to a choice."""


class _Worth(NamedTuple):
    """How good a lay is; more is better, earlier fields first."""

    no_open_double: bool
    marker_comes_down: bool
    train_length: int
    is_spare: bool
    pips: int


def choose(view: SeatView, entropy: Entropy) -> Move:
    """The best lay by the rules above; a forced draw or pass; octets decide between equals.

    The seat must be in turn. Never illegal: it picks from `view.legal` only.
    """
    moves = view.legal
    taps = [move for move in moves if isinstance(move, Tap)]
    if taps and _has_to_tell(view, moves):
        return taps[0]
    lays = [move for move in moves if isinstance(move, LayTile)]
    if len(moves) == 1 or not lays:
        return moves[0]
    worths = _Worths(view)
    judged = [(worths.of(lay), lay) for lay in lays]
    best = max(worth for worth, _ in judged)
    equals = [lay for worth, lay in judged if worth == best]
    return equals[below(entropy, len(equals))] if len(equals) > 1 else equals[0]


def _has_to_tell(view: SeatView, moves: tuple[Move, ...]) -> bool:
    """Whether a lay can leave one tile now, or has just left it. [docs/rules.md §7.7]"""
    table = view.table
    held = len(table.hands[table.to_move])
    if held == 1:
        return table.rules.last_tile.is_told_after
    return any(
        (isinstance(move, LayTile) and held == 2)
        or (isinstance(move, LayChain) and held - len(move.lays) == 1)
        for move in moves
    )


class _Worths:
    """What lays are worth; the longest train that is left without a tile is searched for once."""

    def __init__(self, view: SeatView) -> None:
        self._table = view.table
        self._held = [tile for _, tile in view.hand.tiles] if view.hand else []
        self._chains = HandChains(self._held)
        self._lengths: dict[tuple[int, Tile], int] = {}

    def of(self, lay: LayTile) -> _Worth:
        """How good this lay is."""
        table, tile = self._table, lay.tile
        own = table.train(TrainId(lay.seat))
        on_own = lay.train == own.id
        end = tile.other_end(lay.joined) if on_own else own.ends[0].pip
        if (end, tile) not in self._lengths:
            self._lengths[end, tile] = len(self._chains.longest(end, without=tile))
        return _Worth(
            no_open_double=not tile.is_double or self._can_cover(tile),
            marker_comes_down=on_own and own.marker,
            train_length=self._lengths[end, tile] + on_own,
            is_spare=not on_own,
            pips=tile.pips,
        )

    def _can_cover(self, double: Tile) -> bool:
        """Whether the rest of the hand covers the double, or nobody will ever have to."""
        rest = [tile for tile in self._held if tile != double]
        if not rest or any(tile.has(double.high) for tile in rest):
            return True
        return PIP_BITS[double.high] & self._table.unseen == TILE_BITS[double]
