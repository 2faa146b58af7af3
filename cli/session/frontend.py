"""The interface that the loop needs of a screen, whichever screen it is."""

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
    """Something happened at the table."""

    notice: Notice
    sentence: str
    """What happened; it may be empty."""
    told: str | None = None
    """What a reader is told of it, with all that belongs to it.

    None for the sentence as it is, empty for nothing now.
    """
    is_past: bool = False
    """True if it happened while this program was away, nobody knows when."""


class TableShown(Struct, frozen=True):
    """The table is to be shown, with what lies before this seat, and its choices if it can move."""

    scene: Scene
    picture: Picture = BARE


class ScoresShown(Struct, frozen=True):
    """The scores are to be read: a round is over, or somebody has asked."""

    scene: Scene


class EveningShown(Struct, frozen=True):
    """The games of one company are to be read, added up."""

    games: tuple[Summary, ...]


class OddsShown(Struct, frozen=True):
    """Somebody has asked how likely others can play."""

    scene: Scene
    odds: TableOdds


class ReviewShown(Struct, frozen=True):
    """Somebody has asked how they played a round; the names are those of its seats."""

    review: RoundReview
    names: tuple[str, ...]


ForReaders: TypeAlias = (
    ScoresShown | RoundCard | GameEnd | EveningShown | OddsShown | ReviewShown | LobbyScene
)
"""Pages, which all screens that are read show alike."""

Occasion: TypeAlias = NoticeShown | TableShown | ForReaders
"""The occasions that each front end tells in its own way."""

REDRAW: Final = "\f"
"""The line of a key that asks for everything to be shown again; nobody can type it."""

LEAVE: Final = "\x03"
"""The line of a key that leaves without a question; nobody can type it."""


class RunEnd(Protocol):
    """The end of the program's run, which the system may ask for."""

    leave: Callable[[], None] | None
    """Has the table be left then; None while nobody sits at one. `sit` sets it."""

    @property
    def is_asked(self) -> bool:
        """Whether the end has been asked for: nothing more is begun."""


class FrontEnd(Protocol):
    """A screen and a keyboard, whatever they are made of. All methods run in the loop's thread."""

    asks_back: bool
    """Whether somebody is there to answer a question, such as after `quit`."""

    has_keys: bool
    """Whether single keys are read, such as Tab."""

    keeps_board: bool
    """Whether the table always stands on the screen, as `scene_is` has told it."""

    resumable: bool
    """Whether one can come back to the table sat at; `sit` sets it."""

    @property
    def ending(self) -> RunEnd:
        """The end of this run."""

    @property
    def saw_question(self) -> bool:
        """Whether the last question stood on the screen when the last line was begun."""

    @property
    def seen(self) -> tuple[Move, ...] | None:
        """The plays on the screen when the last line was begun; None for lines of a script."""

    def canvas(self) -> Canvas:
        """Return what is drawn on, as it is now."""

    def say(self, sentence: str) -> None:
        """Tell one sentence."""

    def recount(self, sentence: str) -> None:
        """Tell a sentence about what happened at a time that nobody knows."""

    def ask(self, sentence: str) -> None:
        """Tell a sentence that asks for a yes or a no."""

    def show(self, lines: Sequence[Line]) -> None:
        """Show a block of lines that somebody has asked for."""

    def shows_whole(self) -> bool:
        """Show all trains whole where the table stands; False if they are to be shown as lines."""

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next block take the place of the one that stands; False if none stands.

        If somebody closes it before, `closed` is called.
        """

    def working(self, sentence: str | None) -> None:
        """Tell a person at once that an answer is on its way; None when it is there.

        Where the table always stands, the sentence stands beside it until then, or until a line is
        typed or somebody closes it. A script hears nothing: it waits anyway.
        """

    def tell(self, occasion: Occasion) -> None:
        """Tell what happens at the table, or show what is needed to move now."""

    def offer(self, menu: Menu | None) -> None:
        """Offer a list to choose from, until another or None is: a choice comes as its number."""

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Learn what completion, status line and prompt are about; `beside` is shown with them."""

    def thinking(self, seconds: int | None, *, first: bool = False) -> None:
        """Tell how long this turn has taken, in seconds; None when it is over.

        The `first` time in a turn it calls the person, too.
        """

    async def next_line(self, back: str = "") -> str | None:
        """Return the next typed line; None when there will be no more.

        Where single keys are read, Esc stands for the line `back`: for none if that is empty.
        """


def tell_reader(
    front: FrontEnd,
    occasion: NoticeShown | ForReaders,
    show: Callable[[Sequence[Line]], None] | None = None,
) -> None:
    """Tell somebody who reads, on whichever screen: say a sentence, or show a page.

    A page is shown by `show`, if that is given, else by the screen. Nothing is told of a notice
    without words, or of the end of a round or game that has a card. Of a lobby with `news` these
    are said, and no page is shown.
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
    """Return the lines of a page for the canvas of `front` as it is now; nothing is shown.

    A lobby with `news` has no lines: `front` says the news.
    """
    lines = list[Line]()
    tell_reader(front, page, lines.extend)
    return lines


def explain(front: FrontEnd, sentence: str) -> None:
    """Tell a sentence that was asked for: beside the board if a screen keeps it, else said."""
    if front.keeps_board:
        front.show(front.canvas().prose(sentence))
    else:
        front.say(sentence)
