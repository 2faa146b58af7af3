"""Text measured in terminal cells, because some letters take two."""

from collections.abc import Iterable, Iterator
from typing import Final

import wcwidth
from msgspec import Struct

from cli.render.palette import Glyphs, Line, Paint, Span, plain_text
from cli.visible import visible

NARROW_COLUMNS: Final = 60
"""On a narrower canvas, parts that are side by side elsewhere are one below the other."""


class Canvas(Struct, frozen=True):
    """The surface of a drawing: columns, rows, and the glyphs it can show."""

    columns: int
    rows: int
    glyphs: Glyphs

    def row(self, text: str, paint: Paint = Paint.PLAIN) -> Line:
        """Return `text` as one line, cut if it does not fit."""
        return (Span(clip(text, self.columns, self.glyphs.cut), paint),)

    def prose(self, text: str, indent: str = " ", paint: Paint = Paint.PLAIN) -> tuple[Line, ...]:
        """Return `text` in as many lines as it takes; the first begins with one space.

        The others begin with `indent`. A word that is longer than a line sticks out.
        """
        return wrap_words(f" {text}", self.columns, indent, paint)


def text_cells(text: str) -> int:
    """Return the number of cells that `text` takes as `visible` writes it."""
    if text.isascii() and text.isprintable():
        return len(text)
    return int(wcwidth.wcswidth(visible(text)))


def line_cells(line: Line) -> int:
    """Return the number of cells in a line."""
    return sum(text_cells(span.text) for span in line)


def clip(text: str, cells: int, cut: str) -> str:
    """Return `text` if it fits into `cells`, else as much of it as fits before the sign `cut`.

    `cut` is one cell wide. The result is empty if a text has no cells to fit into.
    """
    if text_cells(text) <= cells:
        return text
    return wcwidth.clip(visible(text), 0, cells - 1) + cut if cells > 0 else ""


def pad(text: str, cells: int) -> str:
    """Return `text` padded on the right with spaces to `cells` cells; a longer one is unchanged."""
    return text + " " * (cells - text_cells(text))


def wrap_words(
    text: str, columns: int, indent: str = "", paint: Paint = Paint.PLAIN
) -> tuple[Line, ...]:
    """Return prose broken at spaces into lines, of which all but the first begin with `indent`.

    A word longer than a line sticks out. A text that fits, even an empty one, is one line. Raises
    `ValueError` for a text that does not fit if `columns` is below 1.
    """
    if text_cells(text) <= columns:
        return ((Span(text, paint),),)
    lines = wcwidth.wrap(
        visible(text),
        columns,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return tuple((Span(line, paint),) for line in lines)


def wrapped(text: str, columns: int, indent: str = "") -> Iterator[str]:
    """Yield the lines of a text as `wrap_words` breaks it, without colours."""
    return map(plain_text, wrap_words(text, columns, indent))


def hang(head: Span, lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return lines with `head` before the first one, and spaces of its width before the others.

    Empty without lines.
    """
    room = head._replace(text=" " * text_cells(head.text))
    return tuple((room if number else head, *line) for number, line in enumerate(lines))
