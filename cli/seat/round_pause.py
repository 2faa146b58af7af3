"""The pause at the card of a round: the table goes on, and this screen waits for Enter.

The program takes its part in the next deal meanwhile, and in a search for the engine. A move of
its owner waits, and what is played by others is told when the card has been read.
"""

from dataclasses import dataclass, field
from typing import Final

from cli.seat.frontend import FrontEnd
from netgame.protocol import notices

_OF_PLAY: Final = (
    notices.Dealt | notices.Played | notices.YourTurn | notices.MayCall | notices.Reshuffled
    | notices.RoundOver | notices.GameOver
)  # fmt: skip

PRESS: Final = "Press Enter for the next round, or type review to go through your moves."


@dataclass(slots=True)
class RoundPause:
    """Whether a card `stands`, and what is to be told once it has been read.

    There is none where nobody `reads`, or could press a key.
    """

    front: FrontEnd
    reads: bool
    stands: bool = False
    _held: list[notices.Notice] = field(default_factory=list)

    def begin(self) -> None:
        """A card has been shown."""
        if self.reads and not self.stands:
            self.stands = True
            self.front.say(PRESS)

    def holds(self, notice: notices.Notice) -> bool:
        """Whether this is kept until the card has been read; talk and trouble are not."""
        if self.stands and isinstance(notice, _OF_PLAY):
            self._held.append(notice)
            return True
        return False

    def end(self) -> list[notices.Notice]:
        """The card has been read; return what has happened meanwhile."""
        held, self._held, self.stands = self._held, [], False
        return held
