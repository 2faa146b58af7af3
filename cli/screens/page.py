"""An answer that covers part of the screen until it is closed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cli.language import say
from cli.render.cells import Canvas, clip, text_cells
from cli.render.palette import Line, Paint, Span


@dataclass(slots=True)
class Page:
    """An answer, shown a page of lines at a time."""

    lines: tuple[Line, ...] = ()
    _awaited: tuple[Line, ...] = ()
    """Lines below the others which say that more is on its way."""
    _top: int = 0
    _rows: int = 1
    """The number of lines on a page, as drawn last."""
    is_old: bool = False
    """True if the next lines replace these."""
    _closed: Callable[[], None] | None = None
    """Called if old lines are closed before new ones come."""

    @property
    def shown(self) -> tuple[Line, ...]:
        """All lines of the answer, on this page or not."""
        return (*self.lines, *self._awaited)

    def add(self, lines: Sequence[Line]) -> None:
        """Add lines below the others, or replace the others if they are old."""
        if self.is_old:
            self.lines = self._awaited = ()
        self.lines = (*self.lines, *lines)
        self.is_old, self._closed = False, None

    def awaits(self, lines: Sequence[Line]) -> None:
        """Show these lines below all others; the next call replaces them, perhaps with none."""
        self._awaited = (*lines,)

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next `add` replace these lines in place; return False if there are no lines.

        Call `closed` if the lines are closed before that.
        """
        self.is_old = bool(self.shown)
        self._closed = closed if self.is_old else None
        return self.is_old

    def close(self) -> None:
        """Remove all lines; call the `closed` of `renews` if no new lines have come since."""
        closed, self._closed = self._closed, None
        self.lines = self._awaited = ()
        self._top = 0
        self.is_old = False
        if closed is not None:
            closed()

    def turn(self, by: int) -> None:
        """Turn `by` pages, or back if negative, but not beyond the first or last line."""
        self.roll(by * self._rows)

    def roll(self, by: int) -> None:
        """Scroll down `by` lines, or up if negative, but not beyond the first or last line."""
        self._top = max(0, min(self._top + by, len(self.shown) - self._rows))

    def drawn(self, canvas: Canvas) -> tuple[Line, ...]:
        """Return a rule that explains the keys, and the lines that fit; empty without lines."""
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
