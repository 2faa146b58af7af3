"""The levels of bots that a player may choose."""

from enum import Enum
from typing import Final, Self

from engine.bots.beginner import choose_simply
from engine.bots.effort import Effort
from engine.bots.house import choose
from engine.bots.pieces import Pieces, run_out
from engine.bots.search import Foresight, search
from engine.bots.strategy import Strategy
from engine.chance import Entropy, below
from engine.table.moves import Move
from engine.view import SeatView

CASUAL_SLIPS: Final = 60
STEADY_SLIPS: Final = 25
"""How many moves in 100 these levels play like a beginner. Each level then ends a round of double-9
about five points ahead of three bots of the level below it. [docs/decisions.md, Bots]"""

HARD_ROLLOUTS: Final = 250
EXPERT_ROLLOUTS: Final = 500
"""The most rounds played out for a move; each takes half a millisecond or so."""


def _slipping(percent: int) -> Strategy:
    """Return a bot that plays `percent` of 100 moves like a beginner, the rest like `normal`."""

    def chosen(view: SeatView, entropy: Entropy) -> Move:
        strategy = choose_simply if below(entropy, 100) < percent else choose
        return strategy(view, entropy)

    return chosen


class BotLevel(Enum):
    """The level of a bot, which makes its moves with `choose`; the value is the word to type."""

    _value_: str
    sentence: str
    """The description for players."""
    _plays: Strategy | int
    """A strategy that does not try out moves, or the most rounds to play out for a move."""

    EASY = ("easy", "Plays anything that fits, and has no plan.", choose_simply)
    CASUAL = ("casual", "Has a plan, and forgets it more often than not.", _slipping(CASUAL_SLIPS))
    STEADY = ("steady", "Plays like normal, but slips one move in four.", _slipping(STEADY_SLIPS))
    NORMAL = ("normal", "Plans its own train, sheds the rest, heaviest first.", choose)
    HARD = ("hard", "Plays like expert, with less time to think.", HARD_ROLLOUTS)
    EXPERT = (
        "expert",
        "Tries every move out on many deals that fit what it has seen.",
        EXPERT_ROLLOUTS,
    )

    def __new__(cls, word: str, sentence: str, plays: Strategy | int) -> Self:
        """Make a member whose value is its word."""
        member = object.__new__(cls)
        member._value_, member.sentence, member._plays = word, sentence, plays
        return member

    @property
    def thinks(self) -> bool:
        """True if this level tries out moves; its views should then contain the proved facts."""
        return isinstance(self._plays, int)

    def choose(
        self,
        view: SeatView,
        entropy: Entropy,
        effort: Effort | None = None,
        foresight: Foresight | None = None,
    ) -> Move:
        """Return the legal move that a bot of this level makes; it must be the bot's turn.

        A level that thinks begins no more trials once `effort` ends or it has played out its own
        number of rounds. Other levels ignore `effort` and `foresight`.
        """
        return run_out(self.choosing(view, entropy, effort, foresight))

    def choosing(
        self,
        view: SeatView,
        entropy: Entropy,
        effort: Effort | None = None,
        foresight: Foresight | None = None,
    ) -> Pieces[Move]:
        """Do the same as `choose`, in pieces."""
        if isinstance(self._plays, int):
            found = yield from search.pieces(view, entropy, self._plays, effort, foresight)
            return found.move
        return self._plays(view, entropy)


LEVELS: Final = {level.value: level for level in BotLevel}
"""The levels by the words that players type."""
