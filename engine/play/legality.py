"""What is legal: the judge, the list of legal moves, and what a move claims about a hidden hand.

The parts stand in files of their own: `judge` answers for one move, `legal_moves` lists them all,
`ends` knows where tiles may go.
"""

from engine.play.ends import open_ends
from engine.play.judge import (
    hidden_claim,
    playable_tiles,
    unseen_tiles,
    why_illegal,
    why_illegal_holding,
    why_illegal_written,
)
from engine.play.legal_moves import legal_moves
from engine.play.playable import draw_due, playable_bits
from engine.refusals import RANK, Fact, Refusal, RefusalCode, RefusalReason

__all__ = [
    "RANK",
    "Fact",
    "Refusal",
    "RefusalCode",
    "RefusalReason",
    "draw_due",
    "hidden_claim",
    "legal_moves",
    "open_ends",
    "playable_bits",
    "playable_tiles",
    "unseen_tiles",
    "why_illegal",
    "why_illegal_holding",
    "why_illegal_written",
]
