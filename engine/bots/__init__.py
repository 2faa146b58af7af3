"""Bots: from what one seat may know to a legal move and its reason."""

from engine.bots.choice import Choice, Reason, Strategy
from engine.bots.house import choose
from engine.longest_train import longest_chain

__all__ = ["Choice", "Reason", "Strategy", "choose", "longest_chain"]
