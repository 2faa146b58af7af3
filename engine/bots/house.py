"""The house bot: keeps its longest train for itself and gets rid of the rest, heaviest first.

It knows what its seat knows and nothing more. Judged in this order: do not leave a double open
that the hand cannot cover; take the own marker down; keep the longest own train possible; lay
what that train does not need before what it does; then the heaviest tile.
"""

from typing import NamedTuple

from engine.bots.choice import Choice, Reason
from engine.chance import Entropy, below
from engine.longest_train import longest_chain
from engine.rules.switches import LastTile
from engine.table.moves import LayChain, LayTile, Move, Tap
from engine.table.table import Table
from engine.table.trains import own_train
from engine.tiles import PIP_BITS, Tile, tile_bit
from engine.view import SeatView


class _Worth(NamedTuple):
    """How good a lay is; more is better, earlier fields first."""

    no_open_double: bool
    marker_comes_down: bool
    train_length: int
    is_spare: bool
    pips: int


def choose(view: SeatView, entropy: Entropy) -> Choice:
    """The best lay by the rules above; a forced draw or pass; octets decide between equals.

    The seat must be in turn. Never illegal: it picks from `view.legal` only.
    """
    moves = view.legal
    taps = [move for move in moves if isinstance(move, Tap)]
    if taps and _has_to_tell(view, moves):
        return Choice(taps[0], Reason.LAST_TILE)
    lays = [move for move in moves if isinstance(move, LayTile)]
    if len(moves) == 1 or not lays:
        return Choice(moves[0], Reason.FORCED)
    judged = [(_worth(view, lay), lay) for lay in lays]
    best = max(worth for worth, _ in judged)
    equals = [lay for worth, lay in judged if worth == best]
    lay = equals[below(entropy, len(equals))] if len(equals) > 1 else equals[0]
    return Choice(lay, _reason(view.table, lay, best))


def _has_to_tell(view: SeatView, moves: tuple[Move, ...]) -> bool:
    """Whether a lay can leave one tile now, or has just left it. [docs/rules.md §7.7]"""
    table = view.table
    held = len(table.hands[table.to_move])
    if held == 1:
        return table.rules.last_tile is LastTile.TAP
    return any(
        (isinstance(move, LayTile) and held == 2)
        or (isinstance(move, LayChain) and held - len(move.lays) == 1)
        for move in moves
    )


def _worth(view: SeatView, lay: LayTile) -> _Worth:
    table, tile = view.table, lay.tile
    own = table.train(own_train(lay.seat))
    on_own = lay.train == own.id
    rest = tuple(held for _, held in view.hand.tiles if held != tile) if view.hand else ()
    end = tile.other_end(lay.joined) if on_own else own.ends[0].pip
    length = len(longest_chain(end, rest)) + on_own
    return _Worth(
        no_open_double=not tile.is_double or not rest or _can_cover(table, tile, rest),
        marker_comes_down=on_own and own.marker,
        train_length=length,
        is_spare=not on_own,
        pips=tile.pips,
    )


def _can_cover(table: Table, double: Tile, rest: tuple[Tile, ...]) -> bool:
    """Whether the rest of the hand covers the double, or nobody will ever have to."""
    if any(tile.has(double.high) for tile in rest):
        return True
    left = PIP_BITS[double.high] & table.unseen
    return left == tile_bit(double)


def _reason(table: Table, lay: LayTile, worth: _Worth) -> Reason:
    if table.owed:
        return Reason.COVER
    if worth.marker_comes_down:
        return Reason.OWN_MARKER
    return Reason.SPARE if worth.is_spare else Reason.OWN_TRAIN
