"""The pause at the card of a round: the table goes on, and this screen waits for Enter.

Meanwhile the program takes part in the next deal, and in a search for the engine. The person's own
move waits, and the plays of others are told once the card has been read. If other people are at
the table, the card is taken away after a while.
"""

from dataclasses import dataclass, field
from typing import Final

from cli.language import say
from cli.render.board import board_lines
from cli.render.round_card import card_lines
from cli.scene import RoundCard, Scene
from cli.session.answers import show_board
from cli.session.frontend import FrontEnd
from cli.wording.game_end import GameEnd
from netgame.protocol import notices

_OF_PLAY: Final = (
    notices.Dealt
    | notices.Played
    | notices.YourTurn
    | notices.MayCall
    | notices.Reshuffled
    | notices.RoundOver
    | notices.GameOver
)

CARD_S: Final = 30
"""How long a card stays up while others wait for its reader; the next round begins then."""

PRESS: Final = "Press Enter for the next round, or type review to go through your moves."
_PRESS_OR_WAIT: Final = (
    "Press Enter for the next round, which begins by itself in {seconds} seconds, or type review "
    "to go through your moves."
)
_PRESS_NEW: Final = "Press Enter for the next round, which begins by itself in {seconds} seconds."
"""The words for somebody without a seat in that round, who has no moves to go through."""

NOT_NOW: Final = (
    "The round is over. Press Enter for the next one, or type review to go through your moves."
)


@dataclass(slots=True)
class RoundPause:
    """The card of a round that one person has yet to read, and the notices held until then.

    `begin` puts it up, and only `end` takes it away.
    """

    front: FrontEnd
    reads: bool
    """True if a person reads here; otherwise no card waits."""
    card: RoundCard | None = None
    ends: bool = False
    """True if the caller takes the card away after `CARD_S` seconds."""
    last: RoundCard | None = None
    """The last card of a finished game; no notice waits for it to be read."""
    seen: RoundCard | None = None
    """The card of a round that was shown last, to be shown again."""
    result: GameEnd | None = None
    """The result of the finished game."""
    _held: list[notices.Notice] = field(default_factory=list)

    @property
    def stands(self) -> bool:
        """True while a card waits to be read."""
        return self.card is not None

    @property
    def _press(self) -> str:
        if self.card is None or not self.ends:
            return say(PRESS)
        sat = self.card.seat is not None
        return say(_PRESS_OR_WAIT if sat else _PRESS_NEW, seconds=CARD_S)

    def begin(self, card: RoundCard, *, ends: bool = False) -> None:
        """Keep a card that has been shown until it is read, and say what to press.

        With `ends`, also say that the next round begins by itself; the caller sees to that. Do
        nothing if nobody reads, or if a card waits already.
        """
        if self.reads and not self.stands:
            self.card, self.ends = card, ends
            self.front.say(self._press)

    def scene(self) -> Scene | None:
        """Return the table at the end of the round whose card waits, or None."""
        return None if self.card is None else self.card.scene

    def show_again(self, *, whole: bool = False) -> bool:
        """Show the waiting card again, or the last card of a finished game; return False if none.

        A screen that keeps no board shows the board first; the result of a finished game follows
        its card. With `whole`, a screen that keeps the board also shows all its trains whole, in
        case there was no room beside the card.
        """
        card = self.card or self.last
        if card is None:
            return False
        if not self.front.keeps_board:
            self.front.show(board_lines(card.scene, self.front.canvas()))
        self.front.tell(card)
        if self.result is not None:
            self.front.tell(self.result)
        if self.stands:
            self.front.say(self._press)
        if whole and self.front.keeps_board:
            self.front.shows_whole()
        return True

    def shows_board(self, named: str | None) -> bool:
        """Show the board of a round or a game that is over; return False if there is none.

        Without a name, show the card again, too. Show `named` trains only while the card of a round
        waits.
        """
        scene = self.scene()
        if named is None or scene is None:
            return named is None and self.show_again(whole=True)
        show_board(self.front, named, scene)
        return True

    def shows_last(self) -> bool:
        """Show the card of the last round again, even if it has been read; return False if none."""
        if not self.show_again() and self.seen is not None:
            self.front.show(card_lines(self.seen, self.front.canvas()))
        return self.seen is not None or self.last is not None

    def holds(self, notice: notices.Notice) -> bool:
        """Keep a notice of play until the card has been read; return whether it was kept.

        Talk and trouble are never kept, and nothing is kept while no card waits.
        """
        if self.stands and isinstance(notice, _OF_PLAY):
            self._held.append(notice)
            return True
        return False

    def end(self) -> list[notices.Notice]:
        """Take the card away; return the notices held until then, oldest first, and forget them."""
        held, self._held, self.card = self._held, [], None
        return held
