"""The player that games at random have: any legal move."""

from engine.bots import Choice, Reason
from engine.chance import Entropy, below
from engine.view import SeatView


def choose_any(view: SeatView, entropy: Entropy) -> Choice:
    """Any legal move, all equally likely. The seat must be in turn."""
    moves = view.legal
    if len(moves) == 1:
        return Choice(moves[0], Reason.FORCED)
    return Choice(moves[below(entropy, len(moves))], Reason.CHANCE)
