"""A list to choose from, drawn above the prompt or printed; never wider than the canvas."""

from collections.abc import Sequence

from msgspec import Struct

from cli.drawn.cells import Canvas, clip, wrap_words
from cli.drawn.palette import Line, Paint, Span, plain_text


class Menu(Struct, frozen=True):
    """What it is about, and the choices, each with the number that means it."""

    head: str
    rows: tuple[tuple[int, str], ...]
    foot: str = ""


def menu_lines(menu: Menu, canvas: Canvas, chosen: int | None = None) -> tuple[Line, ...]:
    """Write a row a choice, `>` before the `chosen` one; rows are cut where all do not fit."""
    width = canvas.columns - 1
    head = wrap_words(f" {menu.head}", width, " ")
    foot = wrap_words(f" {menu.foot}", width, " ") if menu.foot else ()
    rows = [
        (_row_text(number, text, at=number == chosen), number == chosen)
        for number, text in menu.rows
    ]
    lines = [(line, strong) for text, strong in rows for line in wrap_words(text, width, "    ")]
    if len(head) + len(lines) + len(foot) + 2 > canvas.rows:
        lines = [((Span(clip(text, width, canvas.glyphs.cut)),), strong) for text, strong in rows]
    return (
        *(_painted(line) for line in head),
        *(_painted(line) if strong else line for line, strong in lines),
        *foot,
    )


def row_lines(rows: Sequence[tuple[int, str]], canvas: Canvas) -> tuple[Line, ...]:
    """Write these rows alone."""
    width = canvas.columns - 1
    texts = (_row_text(number, text) for number, text in rows)
    return tuple(line for text in texts for line in wrap_words(text, width, "    "))


def _row_text(number: int, text: str, *, at: bool = False) -> str:
    return f"{'>' if at else ' '}{number:>2} {text}"


def _painted(line: Line) -> Line:
    return (Span(plain_text(line), Paint.STRONG),)
