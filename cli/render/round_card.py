"""The end of a round as a card: who won it, who held what, and how the totals stand."""

from collections.abc import Iterable
from typing import Final

from cli.language import say
from cli.render.cells import (
    NARROW_COLUMNS,
    Canvas,
    clip,
    hang,
    line_cells,
    pad,
    text_cells,
    wrap_words,
)
from cli.render.palette import Line, Paint, Span
from cli.scene import RoundCard
from cli.wording.round_end import by_place, foot_text, held_text, round_title, scored, won_text
from engine.scoring import places, totals

_NAME_CELLS: Final = 12


def card_lines(card: RoundCard, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the end of a round: title, who won it, a row a seat, the leader first, and the foot.

    A round that was called off has a dash for the points of each seat.
    """
    table, end = card.end.table, canvas.columns
    title = f" {round_title(card)} "
    rule = canvas.glyphs.rule
    head = f"{rule * 2}{title}".ljust(max(0, end - 1), rule)
    lines = [canvas.row(head, Paint.STRONG)]
    lines += wrap_words(f" {won_text(card)}", end - 1, " ", Paint.STRONG)
    width = name_cells(card.names)
    stand, total, scores = places(table), totals(table), scored(table)
    heads = [f"{say('round'):>5}", f"{say('total'):>5}"]
    cells = [text_cells(each) for each in heads]
    heads += [say("held")] if end >= NARROW_COLUMNS else []
    lines.append((Span("  ".join([f"   {pad('', width)}", *heads]), Paint.DIM),))
    for seat in by_place(stand):
        points = str(scores[seat]) if scores else "-"
        own = Paint.STRONG if seat == card.seat else Paint.PLAIN
        row = Span(f"  {points:>{cells[0]}}  {total[seat]:>{cells[1]}}  ", own)
        name = placed(stand[seat], card.names[seat], width, canvas, own, seat)
        lines += row_lines((*name, row), held_text(card, seat), canvas)
    return (*lines, *wrap_words(f" {foot_text(card)}", end - 1, " "))


def name_cells(names: Iterable[str]) -> int:
    """Return how many cells a column of names takes, 12 at most, as longer ones are cut.

    Raise `ValueError` without names.
    """
    return min(_NAME_CELLS, max(map(text_cells, names)))


def placed(
    place: int | None,
    name: str,
    width: int,
    canvas: Canvas,
    paint: Paint = Paint.PLAIN,
    seat: int = -1,
) -> Line:
    """Write a place, a dash for whoever has left, and a name cut or filled to `width` cells.

    The name has the hue of the seat, if one is given.
    """
    number = "-" if place is None else str(place)
    shown = pad(clip(name, width, canvas.glyphs.cut), width)
    return (Span(f"{number:>2}", paint), Span(f" {shown}", paint, seat))


def row_lines(row: Line, text: str, canvas: Canvas) -> tuple[Line, ...]:
    """Put a text beside a row, wrapped; below it, if not empty, where the canvas is narrow."""
    if canvas.columns >= NARROW_COLUMNS:
        first, *more = wrap_words(text, canvas.columns - 1 - line_cells(row))
        return ((*row, *first), *hang(Span(" " * line_cells(row)), more))
    below = wrap_words(f"     {text}", canvas.columns - 1, "     ") if text else ()
    return (row, *below)
