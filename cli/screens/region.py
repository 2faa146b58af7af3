"""The table above the prompt, drawn in place, with answers and talk below it."""

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
"""Enough rows for an answer: most have nine lines or fewer."""

_TALK_ROWS: Final = 2
"""The rows that an answer leaves for talk, if the table does not need them."""

_LOBBY_ROWS: Final = 4
"""The rows in a lobby for the prompt, the status line and a sentence said with an answer."""

_ANSWER_ROWS_MIN: Final = 4
"""The fewest rows of an answer; in a small window the answer covers lines of the table to get them.
"""


@dataclass(slots=True)
class Region:
    """The rows above the prompt: a table, and an answer that covers plays and news until closed.

    During a round the region takes all rows of the window: the table is at the top, and talk in the
    rows that it leaves free.
    """

    is_off: bool
    """True if the player wants nothing to change by itself; then there is no region."""
    scene: Scene | None = None
    _has_pages: bool = False
    """True for a seated player or host in a lobby; an answer higher than the window then opens as
    pages."""
    _picture: Picture = BARE
    _page: Page = field(default_factory=Page)
    _question: str = ""
    _is_whole: bool = False
    """True if the answer shows the trains that the table cuts short."""
    _grown: frozenset[TrainId] = frozenset()
    """The trains that have grown, until `fade`."""
    _room: int = 0
    """The rows below hand and plan, as drawn last."""
    _talk: TalkRows = field(default_factory=TalkRows)
    _talk_rows: int = 0
    """The rows for talk when the table was last drawn without an answer."""
    _lines: tuple[Line, ...] = ()
    """The last drawing."""
    _drawn: tuple[Canvas, int] | None = None
    """The window and rows of the last drawing; None if it is out of date."""

    def scene_is(self, place: CompletionContext, picture: Picture = BARE) -> bool:
        """Take the place and picture to draw; return True if a train has grown.

        A grown train is highlighted until `fade`. Draw the place only if it is a table and the
        region is not off. An answer stays open during a round, while the end of one is shown, and
        in a lobby with pages; otherwise close it.
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
        """Stop highlighting the trains that have grown."""
        self._grown, self._drawn = frozenset(), None

    @property
    def _in_play(self) -> bool:
        return self.scene is not None and self.scene.table.phase not in ENDED

    @property
    def free_rows(self) -> int:
        """The rows below the hand and the plan, as drawn last; 0 except during a round."""
        return self._room if self._in_play else 0

    @property
    def is_covered(self) -> bool:
        """True while an answer is open."""
        return bool(self._page.shown)

    @property
    def enter_closes(self) -> bool:
        """True if Enter closes the open answer; False while a question waits for that Enter."""
        return self.is_covered and not self.asks

    @property
    def heeds_mouse(self) -> bool:
        """True if this program uses the mouse: for clicks on the table and to scroll an answer.

        If False, the terminal keeps the mouse and scrolls its own text.
        """
        return self._in_play or self.is_covered

    def answer(self, lines: Sequence[Line], window: Canvas) -> bool:
        """Show lines as an answer, or below the open one; return False if they must be printed.

        They must be printed if there is no table and no open answer. In a lobby with pages, lines
        that are higher than the window open an answer anyway.
        """
        opens = self._has_pages and len(lines) > window.rows - _LOBBY_ROWS
        if opens or self.is_covered or self.scene is not None:
            self._page.add(lines)
            self._drawn, self._is_whole = None, False
        return self.is_covered

    def awaits(self, lines: Sequence[Line]) -> bool:
        """Show these lines below any answer until others replace them.

        Without a table, do nothing and return False.
        """
        if self.scene is not None:
            self._page.awaits(lines)
            self._drawn = None
        return self.scene is not None

    def show_whole(self, window: Canvas, typed_rows: int) -> bool:
        """Show in full the trains that the table cuts short; return False without a table.

        Close any open answer. During a round the shown trains follow the play.
        """
        self.close()
        if self.scene is not None:
            self.answer(whole_lines(self.scene, window, self.lines(window, typed_rows)), window)
            self._is_whole = self._in_play
        return self.is_covered

    def hear(self, blocks: Sequence[Block], window: Canvas, typed_rows: int) -> Sequence[Block]:
        """Take new talk; return the blocks to print above the region, oldest first.

        During a round those are the blocks that would not fit below the table even without an open
        answer; otherwise all blocks, old ones included.
        """
        if not self._in_play:
            return (*self.hush(), *blocks)
        if blocks:
            self._talk.add(blocks)
            self._drawn = None
        self.lines(window, typed_rows)
        return self._talk.let_go(self._talk_rows)

    def hides(self, rows: int) -> bool:
        """Return True during a round if this many rows of talk do not fit below the table."""
        return self._in_play and rows > self._talk_rows

    def hush(self) -> Sequence[Block]:
        """Remove and return all talk, to be printed above."""
        self._drawn = None
        return self._talk.let_go()

    @property
    def is_played(self) -> bool:
        """True during a round, when the table is in the region, and the talk below it."""
        return self._in_play

    @property
    def is_left_talking(self) -> bool:
        """True if there is still talk here although the round is over."""
        return self._talk.holds and not self._in_play

    def close(self) -> None:
        """Close the open answer."""
        self._page.close()
        self._drawn, self._is_whole = None, False

    def ask(self, question: str) -> bool:
        """Show a question at the bottom until `scene_is` gets a picture that asks nothing.

        If the region is off, do nothing and return False.
        """
        if not self.is_off:
            self._question, self._drawn = question, None
        return not self.is_off

    @property
    def asks(self) -> bool:
        """True if a question is shown at the bottom."""
        return bool(self._question)

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next answer replace the open one; return False if none is open.

        Also False for trains shown whole, which follow the round by themselves. Call `closed` if
        the answer is closed before that.
        """
        return not self._is_whole and self._page.renews(closed)

    def turn_page(self, by: int) -> None:
        """Turn `by` pages of an answer, or back if negative, but not beyond its ends."""
        self._page.turn(by)
        self._drawn = None

    def roll(self, by: int) -> None:
        """Scroll an answer down `by` lines, or up if negative, but not beyond its ends."""
        self._page.roll(by)
        self._drawn = None

    def clicked(self, column: int, row: int, typed: str) -> str:
        """Return the line with which a click replaces the `typed` one; empty for no change.

        Column and row count from 0, from the upper left of the last drawing.
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
        """Return the lines of the region, fewer if the typed line takes several rows.

        Every key redraws, so the lines are cached until something changes. Without a table or an
        answer, return only an open question, if any.
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
        """Draw the table, and below it an answer, or else news and plays, in this many `rows`.

        The rest of the `whole` region is free for talk; note its rows unless an answer is open.
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
        """Return the lines that always have rows above the prompt: a question, or else a lesson.

        While an answer is open, a lesson gets only free rows (`_lesson_beside_answer`).
        """
        lesson = "" if self.is_covered else self._picture.lesson
        text = self._question or lesson
        return window.prose(text, paint=Paint.ALERT) if text else ()

    def _lesson_beside_answer(self, window: Canvas) -> tuple[Line, ...]:
        """Return the lesson to show below an open answer during a round.

        Empty if no answer is open, if a question is asked, or without a lesson.
        """
        stands = self.is_covered and self._in_play and not self._question and self._picture.lesson
        return window.prose(self._picture.lesson, paint=Paint.ALERT) if stands else ()

    def _standing(
        self, scene: Scene, window: Canvas, rows: int, picture: Picture
    ) -> tuple[Line, ...]:
        """Return the lines of the table; while an answer is open, without the plan.

        Leave out the rule and the column heads, too, if the answer needs the rows.
        """
        if not self.is_covered:
            return standing_lines(scene, window, rows, picture)
        picture, below = structs.replace(picture, notes=()), 1 + len(self._page.shown)
        lines = standing_lines(scene, window, rows, picture, below)
        if rows - len(lines) < min(_ANSWER_ROWS, below):
            lines = standing_lines(scene, window, rows, picture, below, heads=False)
        return lines[: max(0, rows - _ANSWER_ROWS_MIN)]


def _grown(before: Scene | None, scene: Scene | None) -> frozenset[TrainId]:
    """Return the trains that have more tiles than before; none if either scene is None."""
    if before is None or scene is None:
        return frozenset()
    tiles = {train.id: len(train.lays) for train in before.table.trains}
    return frozenset(
        train.id for train in scene.table.trains if len(train.lays) > tiles.get(train.id, 0)
    )
