"""The end of a round as a card: who won it, who held what, and the totals."""

from typing import Final

from cli.language import say
from cli.render.cells import NARROW_COLUMNS, Canvas, wrap_words
from cli.render.grid import Column, Grid, Prose, Row, painted
from cli.render.palette import Line, Paint, Span
from cli.scene import RoundCard
from cli.wording.round_end import by_place, foot_text, held_text, round_title, scored, won_text
from engine.scoring import places, totals

_NAME_CELLS: Final = 12

BESIDE: Final = Prose(below=5)
"""The layout of the text beside a place and its numbers."""


def card_lines(card: RoundCard, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the end of a round: title, winner, a row per seat, the leader first, and the foot.

    A round that was called off has a dash for the points of each seat.
    """
    table, end = card.end.table, canvas.columns
    title = f" {round_title(card)} "
    rule = canvas.glyphs.rule
    head = f"{rule * 2}{title}".ljust(max(0, end - 1), rule)
    lines = [canvas.row(head, Paint.STRONG)]
    lines += wrap_words(f" {won_text(card)}", end - 1, " ", Paint.STRONG)
    stand, total, scores = places(table), totals(table), scored(table)
    held = say("held") if end >= NARROW_COLUMNS else ""
    rows: list[Row] = [painted(("", "", say("round"), say("total"), held), Paint.DIM)]
    for seat in by_place(stand):
        own = Paint.STRONG if seat == card.seat else Paint.PLAIN
        points = (str(scores[seat]) if scores else "-", str(total[seat]))
        name = placed(stand[seat], card.names[seat], own, seat)
        rows.append((*name, *painted(points, own), held_text(card, seat)))
    sums = Column(right=True, least=5)
    columns = (*place_columns(canvas), sums, sums)
    lines += Grid(columns, rows, BESIDE).lines(end)
    return (*lines, *wrap_words(f" {foot_text(card)}", end - 1, " "))


def place_columns(canvas: Canvas) -> tuple[Column, Column]:
    """Return the columns of a place and of a name, which is cut to 12 cells."""
    name = Column(gap=1, most=_NAME_CELLS, cut=canvas.glyphs.cut)
    return Column(gap=0, right=True, least=2), name


def placed(
    place: int | None, name: str, paint: Paint = Paint.PLAIN, seat: int = -1
) -> tuple[Span, Span]:
    """Return a cell with the place, or a dash if the seat left, and one with the coloured name."""
    return Span("-" if place is None else str(place), paint), Span(name, paint, seat)
