"""The player that games at random have: any legal move."""

from engine.chance import Entropy
from engine.table.moves import Move
from engine.view import SeatView
from lab.rounds.seeds import pick


def choose_any(view: SeatView, entropy: Entropy) -> Move:
    """Any legal move, all equally likely. The seat must be in turn."""
    moves = view.legal
    return pick(entropy, moves) if len(moves) > 1 else moves[0]
