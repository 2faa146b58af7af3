"""Text in columns, in windows of any width.

A grid can be drawn in three ways, which differ when the window is too narrow:

    lines         the sentences of the last column are wrapped, or move below their row
    blocks        columns that do not fit go into further blocks, each with the labels at its left
    or_sentences  the first column is narrowed; if that is not enough, each row is a sentence

Widths are counted in cells of the terminal, because some letters take two. The padding around a
text has the text's paint, so that the hue of a seat is a bar. No line ends in blanks without a hue.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from cli.render.cells import NARROW_COLUMNS, clip, hang, line_cells, wrap_words
from cli.render.palette import Line, Paint, Span, plain_text

_NAME_CELLS: Final = 12
"""The least width of the first column in cells; if it were narrower, rows become sentences."""

Cell: TypeAlias = str | Span | Line
"""The content of one column of a row; a `Line` has parts of different paints."""

Row: TypeAlias = Sequence[Cell]


class Column(Struct, frozen=True):
    """A column, as wide as its widest cell."""

    gap: int = 2
    """The blanks before it."""
    right: bool = False
    """True if its cells are aligned on the right, like numbers; else on the left."""
    least: int = 0
    """Its least width."""
    most: int = sys.maxsize
    """Its greatest width; a longer text of one paint is cut."""
    cut: str = ""
    """The sign at the end of a text that is cut, one cell wide."""

    def drawn(self, cell: Cell, width: int) -> Line:
        """Draw a cell after its gap, cut or padded to the width."""
        line = as_line(cell)
        if len(line) == 1:
            line = (line[0]._replace(text=clip(line[0].text, width, self.cut)),)
        blanks = " " * (width - line_cells(line))
        before, behind = (blanks, "") if self.right else ("", blanks)
        start = line[0]._replace(text=f"{' ' * self.gap}{before}")
        return (start, *line, line[-1]._replace(text=behind))


class Prose(Struct, frozen=True):
    """A last column of sentences, wrapped in the room that the other columns leave."""

    gap: int = 2
    """The blanks before it."""
    below: int | None = None
    """The indent of sentences below their row in a narrow window; None keeps them beside it."""
    free: int = 1
    """The cells at the right end of the window that stay free."""
    least: int = 1
    """With less room than this, the sentences are left out."""

    def drawn(self, row: Line, cell: Cell, window: int) -> tuple[Line, ...]:
        """Draw a row with its sentences beside or below it, all the sentences in one paint.

        If the sentences go below a row that is blank, the blank row is left out.
        """
        line = as_line(cell)
        text, paint = plain_text(line), line[0].paint
        if self.below is not None and window < NARROW_COLUMNS:
            indent = " " * self.below
            room = window - self.free
            below = wrap_words(f"{indent}{text}", room, indent, paint) if text else ()
            return (row, *below) if plain_text(row).strip() else below
        head = (*row, row[-1]._replace(text=" " * self.gap))
        room = window - self.free - line_cells(head)
        if room < self.least:
            return (row,)
        first, *rest = wrap_words(text, room, "", paint)
        return ((*head, *first), *hang(Span(" " * line_cells(head)), rest))


class Grid(Struct, frozen=True):
    """Rows with a cell for each column and, if there is `prose`, one more for the sentences."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    prose: Prose | None = None

    @property
    def widths(self) -> list[int]:
        """The width of each column, without its gap."""
        widths: list[int] = []
        for at, column in enumerate(self.columns):
            widest = max((line_cells(as_line(row[at])) for row in self.rows), default=0)
            widths.append(min(column.most, max(column.least, widest)))
        return widths

    def lines(self, window: int = sys.maxsize) -> tuple[Line, ...]:
        """Draw all columns side by side; without prose they may be wider than the window."""
        widths, every = self.widths, range(len(self.columns))
        lines: list[Line] = []
        for row in self.rows:
            line = self._side_by_side(row, widths, every)
            lines += (line,) if self.prose is None else self.prose.drawn(line, row[-1], window)
        return tuple(map(_tidied, lines))

    def blocks(self, window: int, labels: int = 1) -> tuple[Line, ...]:
        """Draw all rows with the columns that fit, then again with the next columns.

        Each block begins with the first `labels` columns, and has at least one other.
        """
        widths = self.widths
        taken = [column.gap + width for column, width in zip(self.columns, widths, strict=True)]
        room = window - sum(taken[:labels])
        lines: list[Line] = []
        first = labels
        while first < len(taken):
            end = first + 1
            while end < len(taken) and sum(taken[first : end + 1]) <= room:
                end += 1
            shown = (*range(labels), *range(first, end))
            lines += (_tidied(self._side_by_side(row, widths, shown)) for row in self.rows)
            first = end
        return tuple(lines)

    def or_sentences(self, window: int) -> Iterator[Line]:
        """Yield a line for each row, the first with the heads, or sentences in a narrow window.

        The first column is narrowed until the others fit, and a text too long for it goes above its
        row. If the column would become too narrow, the rows become sentences. No line is wider than
        the window, unless a single word is.
        """
        widths = self.widths
        others = zip(self.columns[1:], widths[1:], strict=True)
        room = window - self.columns[0].gap - sum(column.gap + width for column, width in others)
        if room < min(widths[0], _NAME_CELLS):
            yield from self._sentences(window)
            return
        widths[0] = min(widths[0], room)
        for name, *cells in self.rows:
            if line_cells(as_line(name)) > widths[0]:
                yield from wrap_words(plain_text(as_line(name)), window, "    ")
                name = ""
            row = self._side_by_side((name, *cells), widths, range(len(widths)))
            yield _tidied(row)

    def _sentences(self, window: int) -> Iterator[Line]:
        """Yield the head of the first column, then each row with a head before each cell."""
        (head, *heads), *rows = ([plain_text(as_line(cell)) for cell in row] for row in self.rows)
        yield (Span(f"{head}:", as_line(self.rows[0][0])[0].paint),)
        for name, *cells in rows:
            told = (f"{head} {cell}" for head, cell in zip(heads, cells, strict=True))
            yield from wrap_words(f"  {name}: {', '.join(told)}", window, "    ")

    def _side_by_side(self, row: Row, widths: Sequence[int], shown: Iterable[int]) -> Line:
        cells = (self.columns[at].drawn(row[at], widths[at]) for at in shown)
        return tuple(span for cell in cells for span in cell)


def named(rows: Sequence[Row]) -> Grid:
    """Return a grid of rows whose first cell is a name and whose others are numbers."""
    return Grid((Column(gap=0), *[Column(right=True)] * (len(rows[0]) - 1)), rows)


def as_line(cell: Cell) -> Line:
    """Return a cell as a line of one or more parts."""
    if isinstance(cell, str):
        return (Span(cell),)
    return (cell,) if isinstance(cell, Span) else cell


def painted(cells: Iterable[str], paint: Paint) -> tuple[Span, ...]:
    """Return the cells of a row, all with the same paint."""
    return tuple(Span(cell, paint) for cell in cells)


def _tidied(line: Line) -> Line:
    """Return a line with neighbours of the same style joined, and without blanks at its end.

    Blanks that have a hue are kept.
    """
    joined: list[Span] = []
    for span in line:
        if joined and joined[-1][1:] == span[1:]:
            joined[-1] = span._replace(text=f"{joined[-1].text}{span.text}")
        elif span.text:
            joined.append(span)
    while joined and joined[-1].seat < 0:
        last = joined.pop()
        if text := last.text.rstrip():
            joined.append(last._replace(text=text))
            break
    return tuple(joined)
