"""The beginner: has no plan, and plays anything that fits, or clings to its heavy tiles."""

from engine.bots.strategy import forced
from engine.chance import Entropy, below
from engine.table.moves import LayTile, Move
from engine.view import SeatView


def choose_simply(view: SeatView, entropy: Entropy) -> Move:
    """The lightest lay half of the time, else any, or the forced move; always legal.

    The seat must be in turn.
    """
    moves = view.legal
    move = forced(view, moves)
    if move is not None:
        return move
    lays = [move for move in moves if isinstance(move, LayTile)]
    if below(entropy, 2):
        return lays[below(entropy, len(lays))]
    return min(lays, key=lambda lay: lay.tile.pips)
