"""Bots: from what one seat may know to a legal move and its reason."""

from engine.longest import longest_chain
from engine.strategy.builder import choose
from engine.strategy.choice import Choice, Reason, Strategy, choose_any

__all__ = ["Choice", "Reason", "Strategy", "choose", "choose_any", "longest_chain"]
