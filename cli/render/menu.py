"""A list to choose from, drawn above the prompt or printed; never wider than the canvas."""

from collections.abc import Sequence

from msgspec import Struct

from cli.render.cells import Canvas, clip, wrap_words
from cli.render.palette import Line, Paint, Span


class Menu(Struct, frozen=True):
    """A list to choose from: its question, its rows, and what can be typed."""

    head: str
    rows: tuple[tuple[int, str], ...]
    """The number to type for each row, and its text."""
    foot: str = ""
    values: Sequence[int] = ()
    """The numbers of rows that show one of several values.

    Typing 2 moves row 2 to its next value, and typing -2 to the previous one.
    """
    first: int = 0
    """The number of the row selected at first; 0 for the first row."""


def menu_lines(menu: Menu, canvas: Canvas, chosen: int | None = None) -> tuple[Line, ...]:
    """Draw the head, the rows, and the foot, with `>` before the row numbered `chosen`.

    Rows are wrapped, but cut to one line each if they do not all fit with two rows to spare. If
    even that does not fit and a row is chosen, the foot is left out, and if need be the rows
    furthest from the chosen one.
    """
    width = canvas.columns - 1
    head = wrap_words(f" {menu.head}", width, " ", Paint.STRONG)
    foot = wrap_words(f" {menu.foot}", width, " ") if menu.foot else ()
    rows = [
        (_row_text(*row), Paint.PLAIN) if row[0] != chosen else (_row_text(*row, ">"), Paint.STRONG)
        for row in menu.rows
    ]
    lines = [line for text, paint in rows for line in wrap_words(text, width, "    ", paint)]
    if len(head) + len(lines) + len(foot) + 2 > canvas.rows:
        lines = [(Span(clip(text, width, canvas.glyphs.cut), paint),) for text, paint in rows]
    room = max(1, canvas.rows - 2 - len(head))
    if chosen is None or len(lines) + len(foot) <= room:
        return (*head, *lines, *foot)
    at = [number for number, _ in menu.rows].index(chosen)
    top = max(0, min(at - room // 2, len(lines) - room))
    return (*head, *lines[top : top + room])


def row_lines(rows: Sequence[tuple[int, str]], canvas: Canvas) -> tuple[Line, ...]:
    """Draw rows of a menu, wrapped, without head, foot or mark."""
    width = canvas.columns - 1
    texts = (_row_text(number, text) for number, text in rows)
    return tuple(line for text in texts for line in wrap_words(text, width, "    "))


def _row_text(number: int, text: str, mark: str = " ") -> str:
    return f"{mark}{number:>2} {text}"
