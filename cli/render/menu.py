"""A list to choose from, drawn above the prompt or printed; never wider than the canvas."""

from collections.abc import Sequence

from msgspec import Struct

from cli.render.cells import Canvas, clip, wrap_words
from cli.render.palette import Line, Paint, Span


class Menu(Struct, frozen=True):
    """A menu: its subject, and the choices, each with its number.

    Those of the `values` are choices of their own: each is one of several values, and the number
    below zero goes back to the value before.
    """

    head: str
    rows: tuple[tuple[int, str], ...]
    foot: str = ""
    values: Sequence[int] = ()


def menu_lines(menu: Menu, canvas: Canvas, chosen: int | None = None) -> tuple[Line, ...]:
    """Write a row a choice, `>` before the `chosen` one; rows are cut where all do not fit."""
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
    return (*head, *lines, *foot)


def row_lines(rows: Sequence[tuple[int, str]], canvas: Canvas) -> tuple[Line, ...]:
    """Write these rows alone."""
    width = canvas.columns - 1
    texts = (_row_text(number, text) for number, text in rows)
    return tuple(line for text in texts for line in wrap_words(text, width, "    "))


def _row_text(number: int, text: str, mark: str = " ") -> str:
    return f"{mark}{number:>2} {text}"
