"""The interface between a session and its screen."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias, assert_never

from msgspec import Struct

from cli.render.cells import Canvas
from cli.render.game_end import end_lines, evening_lines
from cli.render.hand import BARE, Picture
from cli.render.menu import Menu
from cli.render.odds import odds_lines
from cli.render.palette import Line
from cli.render.review import review_lines
from cli.render.round_card import card_lines
from cli.render.sheets import lobby_lines, score_lines
from cli.results.summary import Summary
from cli.scene import CompletionContext, LobbyScene, RoundCard, Scene
from cli.wording.game_end import GameEnd
from engine.bots.odds import TableOdds
from engine.bots.review import RoundReview
from engine.table.moves import Move
from netgame.protocol import notices
from netgame.protocol.notices import LaidOpen, Notice


class NoticeShown(Struct, frozen=True):
    """A notice of something that happened at the table, with the sentences that tell it."""

    notice: Notice
    sentence: str
    """A sentence on what happened; it may be empty."""
    told: str | None = None
    """The sentence for a reader, which may also tell of draws that were not told before.

    None means to tell `sentence` as it is; an empty text means to tell nothing for now.
    """
    is_past: bool = False
    """True if it happened while the person was away, at an unknown time."""


class TableShown(Struct, frozen=True):
    """The table to show, with this seat's hand, and the moves to choose from if it can move."""

    scene: Scene
    picture: Picture = BARE


class ScoresShown(Struct, frozen=True):
    """The score sheet to show, on request or where there is no card to show."""

    scene: Scene


class EveningShown(Struct, frozen=True):
    """The games that one company has played, which are shown with their totals."""

    games: tuple[Summary, ...]


class OddsShown(Struct, frozen=True):
    """The odds that the other players can play; somebody has asked for them."""

    scene: Scene
    odds: TableOdds


class ReviewShown(Struct, frozen=True):
    """A review of a round that somebody has asked for, and the names of the players by seat."""

    review: RoundReview
    names: tuple[str, ...]


ForReaders: TypeAlias = (
    ScoresShown | RoundCard | GameEnd | EveningShown | OddsShown | ReviewShown | LobbyScene
)
"""Pages for readers: `tell_reader` shows them, but a screen may have a form of its own for some."""

Occasion: TypeAlias = NoticeShown | TableShown | ForReaders
"""The occasions that each front end tells in its own way."""

REDRAW: Final = "\f"
"""The line that a key sends to show everything again; nobody can type it."""

LEAVE: Final = "\x03"
"""The line that a key sends to leave without a question; nobody can type it."""


class RunEnd(Protocol):
    """The end of the program's run, which the operating system may ask for."""

    leave: Callable[[], None] | None
    """Leaves the table at the end; None while nobody sits at one. `sit` sets it."""

    @property
    def is_asked(self) -> bool:
        """True once the end has been asked for; the program begins nothing more after that."""


class FrontEnd(Protocol):
    """A screen and a keyboard of any kind. All methods run in the loop's thread."""

    asks_back: bool
    """True if somebody is there to answer a question, such as after `quit`."""

    has_keys: bool
    """True if single keys are read, such as Tab."""

    keeps_board: bool
    """True if the screen always shows the table, as of the last `scene_is`."""

    resumable: bool
    """True if the person can come back to this table later; `sit` sets it."""

    @property
    def ending(self) -> RunEnd:
        """The end of the program's run, which may have been asked for."""

    @property
    def saw_question(self) -> bool:
        """True if the last question was on the screen when the typing of the last line began."""

    @property
    def seen(self) -> tuple[Move, ...] | None:
        """The plays on the screen when the typing of the last line began; None in a script."""

    def canvas(self) -> Canvas:
        """Return the canvas to draw on, at its present size."""

    def say(self, sentence: str) -> None:
        """Tell the person one sentence."""

    def recount(self, sentence: str) -> None:
        """Tell the person a sentence about something that happened at an unknown time."""

    def ask(self, sentence: str) -> None:
        """Ask the person a question to be answered with yes or no."""

    def show(self, lines: Sequence[Line]) -> None:
        """Show a block of lines that somebody has asked for."""

    def shows_whole(self) -> bool:
        """Show all trains in full on the screen's own board; return False if this screen cannot."""

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next block replace the one on the screen; return False if there is none.

        Call `closed` if somebody closes the old block before that.
        """

    def working(self, sentence: str | None) -> None:
        """Tell a person at once that an answer is on its way; None means that it has come.

        A screen that keeps the board shows the sentence beside it until the answer comes. A typed
        line, or the key that closes an answer, also removes the sentence. Tell a script nothing: it
        waits anyway.
        """

    def tell(self, occasion: Occasion) -> None:
        """Report an event at the table, show a page, or show what the person needs to move now."""

    def offer(self, menu: Menu | None) -> None:
        """Offer a menu until another one, or None, is offered.

        What the person chooses is typed as a line: the number of the choice.
        """

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Take the new place to complete words for, the new status line, and the new picture."""

    def thinking(self, seconds: int | None, *, first: bool = False) -> None:
        """Show for how many seconds this turn has lasted; None means that it is over.

        The `first` time in a turn, also call for the person's attention.
        """

    async def next_line(self, back: str = "") -> str | None:
        """Return the next typed line, or None when there will be no more.

        Where single keys are read, Esc types the line `back`, or nothing if that is empty.
        """


def tell_reader(
    front: FrontEnd,
    occasion: NoticeShown | ForReaders,
    show: Callable[[Sequence[Line]], None] | None = None,
) -> None:
    """Tell a reader about an occasion, on any screen: say a sentence, or show a page.

    Show a page with `show`, if given, else with `front`. Say nothing for a notice without words,
    or at the end of a round or game that has a card. For a lobby with `news`, say the news and
    show no page.
    """
    show = show or front.show
    match occasion:
        case NoticeShown(notices.RoundOver(end=LaidOpen()) | notices.GameOver(end=LaidOpen())):
            pass  # the card says it
        case NoticeShown(is_past=is_past):
            said = occasion.sentence if occasion.told is None else occasion.told
            if said:
                (front.recount if is_past else front.say)(said)
        case ScoresShown():
            show(score_lines(occasion.scene, front.canvas()))
        case RoundCard():
            show(card_lines(occasion, front.canvas()))
        case GameEnd():
            show(end_lines(occasion, front.canvas()))
        case EveningShown():
            show(evening_lines(occasion.games, front.canvas()))
        case OddsShown():
            show(odds_lines(occasion.scene, occasion.odds, front.canvas()))
        case ReviewShown():
            show(review_lines(occasion.review, occasion.names, front.canvas()))
        case LobbyScene(news=""):
            show(lobby_lines(occasion, front.canvas()))
        case LobbyScene(news=news):
            front.say(news)
        case _:
            assert_never(occasion)


def page_lines(front: FrontEnd, page: ForReaders) -> Sequence[Line]:
    """Return the lines of a page for the canvas of `front` as it is now, without showing them.

    A lobby with `news` has no lines: `front` says the news.
    """
    lines = list[Line]()
    tell_reader(front, page, lines.extend)
    return lines


def explain(front: FrontEnd, sentence: str) -> None:
    """Answer a question with a sentence.

    Show it beside the board if the screen always shows the board, else say it.
    """
    if front.keeps_board:
        front.show(front.canvas().prose(sentence))
    else:
        front.say(sentence)
