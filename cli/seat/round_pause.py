"""The pause at the card of a round: the table goes on, and this screen waits for Enter.

The program takes its part in the next deal meanwhile, and in a search for the engine. A move of
its owner waits, and what is played by others is told when the card has been read.
"""

from dataclasses import dataclass, field
from typing import Final

from cli.drawn.board import board_lines
from cli.scene import RoundCard, Scene
from cli.seat.frontend import FrontEnd
from cli.typed import intent as typed
from cli.typed.intent import Topic
from netgame.protocol import notices

_OF_PLAY: Final = (
    notices.Dealt | notices.Played | notices.YourTurn | notices.MayCall | notices.Reshuffled
    | notices.RoundOver | notices.GameOver
)  # fmt: skip

PRESS: Final = "Press Enter for the next round, or type review to go through your moves."
NOT_NOW: Final = (
    "The round is over. Press Enter for the next one, or type review to go through your moves."
)

_AT_CARD: Final = frozenset(
    {Topic.BOARD, Topic.HELP, Topic.REVIEW, Topic.RULES, Topic.SCORE, Topic.WHO}
)
"""What can be asked at a card; all else is about the next round, which has not been shown."""


@dataclass(slots=True)
class RoundPause:
    """Whether a card `stands`, and what is to be told once it has been read.

    There is none where nobody `reads`, or could press a key.
    """

    front: FrontEnd
    reads: bool
    _card: RoundCard | None = None
    _held: list[notices.Notice] = field(default_factory=list)

    @property
    def stands(self) -> bool:
        """Whether a card waits to be read."""
        return self._card is not None

    def begin(self, card: RoundCard) -> None:
        """A card has been shown."""
        if self.reads and not self.stands:
            self._card = card
            self.front.say(PRESS)

    def scene(self) -> Scene | None:
        """The table as the round left it, to be shown and typed about while its card stands."""
        if self._card is None:
            return None
        return Scene(self._card.end.table, None, self._card.names, self._card.seat, can_move=False)

    def show_again(self) -> None:
        """Show how the round ended, and its card, once more."""
        scene = self.scene()
        if self._card is not None and scene is not None:
            self.front.show(board_lines(scene, self.front.canvas()))
            self.front.tell(self._card)
            self.front.say(PRESS)

    def refuses(self, intent: typed.Show | typed.Why | typed.DeskIntent | typed.MoveIntent) -> bool:
        """Whether this has to wait until the card has been read."""
        return self.stands and not (isinstance(intent, typed.Show) and intent.topic in _AT_CARD)

    def holds(self, notice: notices.Notice) -> bool:
        """Whether this is kept until the card has been read; talk and trouble are not."""
        if self.stands and isinstance(notice, _OF_PLAY):
            self._held.append(notice)
            return True
        return False

    def end(self) -> list[notices.Notice]:
        """The card has been read; return what has happened meanwhile."""
        held, self._held, self._card = self._held, [], None
        return held
