"""The player that games at random have: any legal move."""

from engine.chance import Entropy, below
from engine.table.moves import Move
from engine.view import SeatView


def choose_any(view: SeatView, entropy: Entropy) -> Move:
    """Any legal move, all equally likely. The seat must be in turn."""
    moves = view.legal
    return moves[below(entropy, len(moves))] if len(moves) > 1 else moves[0]
