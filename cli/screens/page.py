"""An answer that covers something until it is closed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cli.language import say
from cli.render.cells import Canvas, clip, text_cells
from cli.render.palette import Line, Paint, Span


@dataclass(slots=True)
class Page:
    """An answer, shown as many lines at a time as have room; those that have none are turned to."""

    lines: tuple[Line, ...] = ()
    _awaited: tuple[Line, ...] = ()
    """Says below them that more is on its way."""
    _top: int = 0
    _rows: int = 1
    """How many lines had room when it was drawn last."""
    is_old: bool = False
    """Whether the lines that come next take the place of these."""
    _closed: Callable[[], None] | None = None
    """Called if old lines are closed before others come."""

    @property
    def shown(self) -> tuple[Line, ...]:
        """All lines that stand there."""
        return (*self.lines, *self._awaited)

    def add(self, lines: Sequence[Line]) -> None:
        """Show more below what is shown already, or in its place if that is old."""
        if self.is_old:
            self.lines = self._awaited = ()
        self.lines = (*self.lines, *lines)
        self.is_old, self._closed = False, None

    def awaits(self, lines: Sequence[Line]) -> None:
        """Say with these lines, below all others, that more is on its way; with none, no more."""
        self._awaited = (*lines,)

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next `add` replace these lines, at the same place; False if there are none.

        If they are closed before that, `closed` is called.
        """
        self.is_old = bool(self.shown)
        self._closed = closed if self.is_old else None
        return self.is_old

    def close(self) -> None:
        """Show nothing any more."""
        closed, self._closed = self._closed, None
        self.lines = self._awaited = ()
        self._top = 0
        self.is_old = False
        if closed is not None:
            closed()

    def turn(self, by: int) -> None:
        """Turn over so many pages, back if below 0, as far as there are lines."""
        self.roll(by * self._rows)

    def roll(self, by: int) -> None:
        """Show lines so many further down, up if below 0, as far as there are lines."""
        self._top = max(0, min(self._top + by, len(self.shown) - self._rows))

    def drawn(self, canvas: Canvas) -> tuple[Line, ...]:
        """Return a rule that says what keys do, and the lines that have room; empty without any."""
        lines = self.shown
        if not lines:
            return ()
        self._rows = max(1, canvas.rows - 1)
        self.roll(0)
        page = lines[self._top : self._top + self._rows]
        told = say("Esc closes")
        if len(page) < len(lines):
            text = "Esc closes; PgUp PgDn, {first}-{last} of {count}"
            told = say(text, first=self._top + 1, last=self._top + len(page), count=len(lines))
        flat = canvas.glyphs.rule
        text = clip(f"{flat * 2} {told} ", canvas.columns, canvas.glyphs.cut)
        rule = (Span(f"{text}{flat * (canvas.columns - text_cells(text))}", Paint.DIM),)
        return (rule, *page)[: canvas.rows]
