"""The beginner bot, which has no plan: it plays any tile that fits, or keeps its heavy tiles."""

from engine.bots.strategy import forced
from engine.chance import Entropy, below
from engine.table.moves import LayTile, Move
from engine.view import SeatView


def choose_simply(view: SeatView, entropy: Entropy) -> Move:
    """Return the forced move if there is one; else, at even odds, a random lay or the lightest one.

    The move is always legal. It must be the seat's turn.
    """
    moves = view.legal
    move = forced(view, moves)
    if move is not None:
        return move
    lays = [move for move in moves if isinstance(move, LayTile)]
    if below(entropy, 2):
        return lays[below(entropy, len(lays))]
    return min(lays, key=lambda lay: lay.tile.pips)
