"""How well bots play: every level that a person may choose, declared once."""

from enum import Enum
from typing import Self

from engine.bots.beginner import choose_simply
from engine.bots.house import choose
from engine.bots.strategy import Strategy
from engine.chance import Entropy
from engine.table.moves import Move
from engine.view import SeatView


class BotLevel(Enum):
    """How well a bot plays. A member's value is the word that a person types for it."""

    _value_: str
    sentence: str
    """What players are told of it."""
    _strategy: Strategy

    EASY = ("easy", "Plays what fits, heavy tiles first, and has no plan.", choose_simply)
    NORMAL = ("normal", "Plans its own train, sheds the rest, heaviest first.", choose)

    def __new__(cls, word: str, sentence: str, strategy: Strategy) -> Self:
        """Make a member whose value is its word."""
        member = object.__new__(cls)
        member._value_, member.sentence, member._strategy = word, sentence, strategy
        return member

    def choose(self, view: SeatView, entropy: Entropy) -> Move:
        """The move of a bot of this level, which must be in turn; always legal."""
        return self._strategy(view, entropy)
