"""The table as it stands above the prompt, drawn in place, and what was asked for below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import structs

from cli.language import say
from cli.render.cells import Canvas, clip, text_cells
from cli.render.hand import BARE, Picture, passing_lines, region_rows, standing_lines
from cli.render.palette import Line, Paint, Span
from cli.scene import CompletionContext, Scene
from engine.table.table import ENDED
from engine.table.trains import TrainId

_ANSWER_ROWS_MIN: Final = 3
"""Where a window leaves less room, an answer covers more than what it should."""


@dataclass(slots=True)
class Region:
    """A table; an answer covers what has happened and the plays until it is closed."""

    is_off: bool
    """Whether somebody wants nothing to change by itself: then there is no region."""
    scene: Scene | None = None
    _picture: Picture = BARE
    _answer: tuple[Line, ...] = ()
    _grown: frozenset[TrainId] = frozenset()
    _top: int = 0
    _room: int = 0
    _drawn: tuple[Canvas, int, tuple[Line, ...]] | None = None

    def scene_is(self, place: CompletionContext, picture: Picture = BARE) -> bool:
        """Draw this table, if it is one; whether a train has grown, which is seen until `fade`."""
        before = self.scene
        self.scene = place if isinstance(place, Scene) and not self.is_off else None
        grown = _grown(before, self.scene)
        if grown or not self._in_play:
            self._grown = grown
        self._picture, self._drawn = picture, None
        if _ends(before, self.scene):
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
        """The rows below the hand and the plan."""
        return self._room if self._in_play else 0

    @property
    def is_covered(self) -> bool:
        """Whether an answer stands there."""
        return bool(self._answer)

    def answer(self, lines: Sequence[Line]) -> bool:
        """Show what was asked for below what is shown already; False where no table stands."""
        if self.scene is not None:
            self._answer, self._drawn = (*self._answer, *lines), None
        return self.scene is not None

    def close(self) -> None:
        """Uncover what an answer covers."""
        self._answer, self._top, self._drawn = (), 0, None

    def turn_page(self, by: int) -> None:
        """Show other lines of an answer that has no room."""
        page = max(1, self._room - 1)
        self._top, self._drawn = max(0, min(self._top + by * page, len(self._answer) - page)), None

    def lines(self, window: Canvas, typed_rows: int = 1) -> tuple[Line, ...]:
        """Return what is drawn; typed text of several rows takes its rows from it.

        Each key draws anew, so what is drawn is kept until something changes.
        """
        if self.scene is None:
            return ()
        rows = region_rows(self.scene, window)
        if self._answer and not self._in_play:
            rows = max(rows, min(window.rows - 2, rows + 1 + len(self._answer)))
        rows = max(0, rows - typed_rows + 1)
        if self._drawn is None or self._drawn[:2] != (window, rows):
            since = structs.replace(self._picture.since, grown=self._grown)
            picture = structs.replace(self._picture, since=since)
            below = len(self._answer) + 1
            lines = standing_lines(self.scene, window, rows, picture, below)
            if self._answer:
                lines = lines[: max(0, rows - _ANSWER_ROWS_MIN)]
            self._room = rows - len(lines)
            lines += self._page(window) or passing_lines(self.scene, window, self._room, picture)
            self._drawn = window, rows, (*lines, *[()] * (rows - len(lines)))
        return self._drawn[2]

    def _page(self, canvas: Canvas) -> tuple[Line, ...]:
        """Return the lines of an answer that have room, below a rule that says what keys do."""
        if not self._answer:
            return ()
        page = self._answer[self._top : self._top + max(1, self._room - 1)]
        told = say("Esc closes")
        if len(page) < len(self._answer):
            numbers = {"first": self._top + 1, "last": self._top + len(page)}
            text = "{first}-{last} of {count}, PgUp PgDn, Esc closes"
            told = say(text, **numbers, count=len(self._answer))
        flat = canvas.glyphs.rule
        text = clip(f"{flat * 2} {told} ", canvas.columns, canvas.glyphs.cut)
        rule = (Span(f"{text}{flat * (canvas.columns - text_cells(text))}", Paint.DIM),)
        return (rule, *page)


def _ends(before: Scene | None, scene: Scene | None) -> bool:
    """Whether a round ends, or its table is left, with what was asked for there."""
    return scene is None or (
        scene.table.phase in ENDED and (before is None or before.table.phase not in ENDED)
    )


def _grown(before: Scene | None, scene: Scene | None) -> frozenset[TrainId]:
    """Return the trains that have more tiles than they had."""
    if before is None or scene is None:
        return frozenset()
    tiles = {train.id: len(train.lays) for train in before.table.trains}
    return frozenset(
        train.id for train in scene.table.trains if len(train.lays) > tiles.get(train.id, 0)
    )
