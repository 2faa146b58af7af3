"""A strategy for random games: any legal move."""

from engine.chance import Entropy
from engine.table.moves import Move
from engine.view import SeatView
from lab.rounds.seeds import pick


def choose_any(view: SeatView, entropy: Entropy) -> Move:
    """Return any legal move, all equally likely.

    Raise IndexError if there is none, as for a seat that is not due.
    """
    moves = view.legal
    return pick(entropy, moves) if len(moves) > 1 else moves[0]
