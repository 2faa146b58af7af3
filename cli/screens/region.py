"""The table as it stands above the prompt, drawn in place, with answers and talk below it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import structs

from cli.render.board import whole_lines
from cli.render.cells import Canvas, text_cells
from cli.render.hand import BARE, Picture, passing_lines, region_rows, standing_lines
from cli.render.palette import Line, Paint
from cli.scene import CompletionContext, LobbyScene, Scene
from cli.screens.mouse import clicked_words
from cli.screens.page import Page
from cli.screens.talk import Block, TalkRows, talk_rows
from engine.table.table import ENDED
from engine.table.trains import TrainId

_ANSWER_ROWS: Final = 10
"""With so many rows an answer has enough, as most have nine lines at most."""

_TALK_ROWS: Final = 2
"""Rows that an answer leaves for what is said, if the table does not need them."""

_LOBBY_ROWS: Final = 4
"""In a lobby the prompt, the status line and what is said with an answer have so many rows."""

_ANSWER_ROWS_MIN: Final = 4
"""Where a window leaves less room, an answer covers more than what it should."""


@dataclass(slots=True)
class Region:
    """The rows above the prompt: a table, and an answer that covers plays and news until closed.

    While a round is played these are all rows of the window: the table stands at the top, and what
    is said in the rows that it leaves free.
    """

    is_off: bool
    """True if somebody wants nothing to change by itself: then there is no region."""
    scene: Scene | None = None
    _has_pages: bool = False
    """True for somebody who sits in a lobby, where an answer higher than the window opens."""
    _picture: Picture = BARE
    _page: Page = field(default_factory=Page)
    _question: str = ""
    _is_whole: bool = False
    """True if the answer is the trains that the table does not show whole."""
    _grown: frozenset[TrainId] = frozenset()
    """The trains that have grown, until `fade`."""
    _room: int = 0
    """The rows below hand and plan, as drawn last."""
    _talk: TalkRows = field(default_factory=TalkRows)
    _talk_rows: int = 0
    """The rows that the talk had when nothing covered it."""
    _lines: tuple[Line, ...] = ()
    """The last drawing."""
    _drawn: tuple[Canvas, int] | None = None
    """Its window and rows; None if it is not true any more."""

    def scene_is(self, place: CompletionContext, picture: Picture = BARE) -> bool:
        """Take what is to be drawn; True if a train has grown, which is seen until `fade`.

        A table is drawn unless the region is off; no other place is. An answer stays while a round
        is played, while its end stands, and in a lobby with pages; else it is closed.
        """
        before, was_over = self.scene, self.scene is not None and not self._in_play
        self.scene = place if isinstance(place, Scene) and not self.is_off else None
        is_lobby = isinstance(place, LobbyScene) and (place.view.sits or place.view.is_host)
        self._has_pages = is_lobby and not self.is_off
        grown = _grown(before, self.scene)
        if grown or not self._in_play:
            self._grown = grown
        self._picture, self._drawn = picture, None
        self._question = self._question if picture.asks else ""
        if not (self._has_pages or self._in_play or (was_over and self.scene is not None)):
            self.close()
        return bool(grown)

    def fade(self) -> None:
        """Let trains that have grown be like the others."""
        self._grown, self._drawn = frozenset(), None

    @property
    def _in_play(self) -> bool:
        return self.scene is not None and self.scene.table.phase not in ENDED

    @property
    def free_rows(self) -> int:
        """The rows below the hand and the plan, as drawn last; 0 unless a round is played."""
        return self._room if self._in_play else 0

    @property
    def is_covered(self) -> bool:
        """Whether an answer stands there."""
        return bool(self._page.shown)

    @property
    def enter_closes(self) -> bool:
        """Whether Enter closes the answer that stands: a question below it is answered instead."""
        return self.is_covered and not self.asks

    @property
    def heeds_mouse(self) -> bool:
        """Whether a click plays or the wheel rolls; else that one scrolls what has gone by."""
        return self._in_play or self.is_covered

    def answer(self, lines: Sequence[Line], window: Canvas) -> bool:
        """Show what was asked for below what is shown already; False where it is to be printed.

        That is where no table or answer stands, but for an answer in one's lobby that is higher
        than the window.
        """
        opens = self._has_pages and len(lines) > window.rows - _LOBBY_ROWS
        if opens or self.is_covered or self.scene is not None:
            self._page.add(lines)
            self._drawn, self._is_whole = None, False
        return self.is_covered

    def awaits(self, lines: Sequence[Line]) -> bool:
        """Have these lines stand below an answer until others do; False where no table stands."""
        if self.scene is not None:
            self._page.awaits(lines)
            self._drawn = None
        return self.scene is not None

    def show_whole(self, window: Canvas, typed_rows: int) -> bool:
        """Show whole the trains that are not, also as the round goes on; False without a table.

        An answer that stood there is closed.
        """
        self.close()
        if self.scene is not None:
            self.answer(whole_lines(self.scene, window, self.lines(window, typed_rows)), window)
            self._is_whole = self._in_play
        return self.is_covered

    def hear(self, blocks: Sequence[Block], window: Canvas, typed_rows: int) -> Sequence[Block]:
        """Take what is said; return what goes by above the region, oldest first.

        While a round is played that is what has no room below the table any more, but for what an
        answer covers; else it is all.
        """
        if not self._in_play:
            return (*self.hush(), *blocks)
        if blocks:
            self._talk.add(blocks)
            self._drawn = None
        self.lines(window, typed_rows)
        return self._talk.let_go(self._talk_rows)

    def hides(self, rows: int) -> bool:
        """Whether a sentence of so many rows would not be seen whole below the table of a round."""
        return self._in_play and rows > self._talk_rows

    def hush(self) -> Sequence[Block]:
        """Return all that stands in the talk, which goes by above now."""
        self._drawn = None
        return self._talk.let_go()

    @property
    def is_played(self) -> bool:
        """Whether the table of a round that is played stands here, and the talk below it."""
        return self._in_play

    @property
    def is_left_talking(self) -> bool:
        """Whether talk still stands though no round is played any more."""
        return self._talk.holds and not self._in_play

    def close(self) -> None:
        """Uncover what an answer covers."""
        self._page.close()
        self._drawn, self._is_whole = None, False

    def ask(self, question: str) -> bool:
        """Have this stand below all else until a picture asks nothing; False if region is off."""
        if not self.is_off:
            self._question, self._drawn = question, None
        return not self.is_off

    @property
    def asks(self) -> bool:
        """Whether a question stands below all else."""
        return bool(self._question)

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next answer take the place of the one that stands; False if none stands.

        Trains that are shown whole follow the round by themselves. If it is closed before, `closed`
        is called.
        """
        return not self._is_whole and self._page.renews(closed)

    def turn_page(self, by: int) -> None:
        """Turn over so many pages of an answer, back if below 0, as far as it has lines."""
        self._page.turn(by)
        self._drawn = None

    def roll(self, by: int) -> None:
        """Show lines of an answer so many further down, up if below 0, as far as it has any."""
        self._page.roll(by)
        self._drawn = None

    def clicked(self, column: int, row: int, typed: str) -> str:
        """Return what a click puts in the place of what is typed; empty for nothing.

        Column and row count from 0, from the upper left of what was drawn last.
        """
        if self.scene is None or not 0 <= row < len(self._lines):
            return ""
        about = None
        for span in self._lines[row]:
            if span.about is not None:
                about = span.about
            column -= text_cells(span.text)
            if column < 0:
                return clicked_words(self.scene, about, typed, self._picture.suggestion)
        return ""

    def lines(self, window: Canvas, typed_rows: int = 1) -> tuple[Line, ...]:
        """Return what is drawn; typed text of several rows takes its rows from it.

        Each key draws anew, so what is drawn is kept until something changes. Without a table or an
        answer that is a question, if one is asked, or else nothing.
        """
        scene = self.scene
        asked = self._asked(window)
        if scene is None and not self.is_covered:
            return asked
        rows = 0 if scene is None else region_rows(scene, window)
        whole = window.rows - 2
        if not self._in_play:
            page = 1 + len(self._page.shown) if self.is_covered else 0
            whole = rows = max(rows, min(whole, rows + page + len(asked)))
        elif self.is_covered:
            rows = max(rows, whole - _TALK_ROWS)
        rows, whole = (max(0, each - typed_rows + 1 - len(asked)) for each in (rows, whole))
        if self._drawn != (window, whole):
            stands = None if scene is None or not region_rows(scene, window) else scene
            lines = self._table_lines(stands, window, rows, whole)
            free, lesson = whole - len(lines), self._lesson_beside_answer(window)
            lesson = lesson if len(lesson) <= free else ()
            lines += self._talk.lines(window, free - len(lesson)) + lesson
            self._drawn, self._lines = (window, whole), (*lines, *asked)
        return self._lines

    def _table_lines(
        self, scene: Scene | None, window: Canvas, rows: int, whole: int
    ) -> tuple[Line, ...]:
        """Draw the table, and below it an answer or else news and plays, in so many `rows`.

        Of the `whole` region the rest is free, and how much that is when nothing covers it is kept.
        """
        since = structs.replace(self._picture.since, grown=self._grown)
        picture = structs.replace(self._picture, since=since)
        if self._is_whole and scene is not None:
            shown = standing_lines(scene, window, rows, picture)
            self._page.lines = whole_lines(scene, window, shown)
        lines = () if scene is None else self._standing(scene, window, rows, picture)
        self._room, left = whole - len(lines), rows - len(lines)
        if scene is None or self.is_covered:
            return (*lines, *self._page.drawn(structs.replace(window, rows=left)))
        lines += passing_lines(scene, window, left, picture)
        self._talk_rows = talk_rows(whole - len(lines))
        return lines

    def _asked(self, window: Canvas) -> tuple[Line, ...]:
        """Return what always has its rows above the prompt: a question, or a lesson without answer.

        Beside an answer a lesson only has the rows that are free.
        """
        lesson = "" if self.is_covered else self._picture.lesson
        text = self._question or lesson
        return window.prose(text, paint=Paint.ALERT) if text else ()

    def _lesson_beside_answer(self, window: Canvas) -> tuple[Line, ...]:
        """Return the lesson that stands below an answer of a round, where that leaves it rows."""
        stands = self.is_covered and self._in_play and not self._question and self._picture.lesson
        return window.prose(self._picture.lesson, paint=Paint.ALERT) if stands else ()

    def _standing(
        self, scene: Scene, window: Canvas, rows: int, picture: Picture
    ) -> tuple[Line, ...]:
        """Return what stays in sight; beside an answer no plan, and no heads if it has no room."""
        if not self.is_covered:
            return standing_lines(scene, window, rows, picture)
        picture, below = structs.replace(picture, notes=()), 1 + len(self._page.shown)
        lines = standing_lines(scene, window, rows, picture, below)
        if rows - len(lines) < min(_ANSWER_ROWS, below):
            lines = standing_lines(scene, window, rows, picture, below, heads=False)
        return lines[: max(0, rows - _ANSWER_ROWS_MIN)]


def _grown(before: Scene | None, scene: Scene | None) -> frozenset[TrainId]:
    """Return the trains that have more tiles than they had; none without both tables."""
    if before is None or scene is None:
        return frozenset()
    tiles = {train.id: len(train.lays) for train in before.table.trains}
    return frozenset(
        train.id for train in scene.table.trains if len(train.lays) > tiles.get(train.id, 0)
    )
