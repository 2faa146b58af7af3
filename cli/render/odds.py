"""The odds as a table: a row per end, a column per seat, never wider than the canvas. Pure."""

from typing import Final

from cli.language import say
from cli.render.cells import NARROW_COLUMNS, Canvas, clip, pad, text_cells, wrap_words
from cli.render.grid import Column, Grid, Row, painted
from cli.render.palette import Line, Paint, Span
from cli.scene import Scene, own_train, train_name, train_number
from cli.wording.odds import likelihood_text, odds_sentences
from engine.bots.odds import EndOdds, TableOdds
from engine.table.trains import Seat

_CELL_MIN: Final = 6
_CELL_MAX: Final = 10
_CLOSED: Final = "-"


def odds_lines(scene: Scene, odds: TableOdds, canvas: Canvas) -> tuple[Line, ...]:
    """Draw how likely each other seat can play on each end, and the meaning of the signs.

    A last column is for the next tile of the boneyard, unless the boneyard is empty. Seats that do
    not fit side by side follow in further blocks. There must be an end, as there always is in play.
    """
    seats = list(odds.ends[0].seats)
    draws = any(end.next_tile is not None for end in odds.ends)
    columns: list[Seat | None] = [*seats, *([None] if draws else [])]
    widest = max(text_cells(train_name(scene, end.train)) for end in odds.ends)
    label = min(widest, 8 if canvas.columns < NARROW_COLUMNS else 14)
    names = [_name(scene, seat) for seat in columns]
    cell = min(max([_CELL_MIN, *(text_cells(name) + 2 for name in names)]), _CELL_MAX)
    room = label + len(" 10  12!")
    if room + cell * len(columns) > canvas.columns:
        cell = _CELL_MIN
    names = [_name(scene, seat, cell) for seat in columns]
    end_head = f"{say('end')} "  # to the right of the train's head, above the numbers
    head = pad(say("Train"), label + len("10  12!") - text_cells(end_head)) + end_head
    ends = sorted(odds.ends, key=lambda end: end.train >= 0)  # as on the board
    rows: list[Row] = [painted((head, *names), Paint.STRONG)]
    for end in ends:
        found = (end.next_tile if seat is None else end.seats[seat] for seat in columns)
        texts = (_CLOSED if chance is None else likelihood_text(chance) for chance in found)
        rows.append((_label(scene, end, label, canvas.glyphs.cut), *texts))
    width = cell - 1
    chance = Column(gap=1, right=True, least=width, most=width, cut=canvas.glyphs.cut)
    lines = Grid((Column(gap=1), *[chance] * len(columns)), rows).blocks(canvas.columns)
    said = " ".join(odds_sentences(odds))
    return (*lines, *wrap_words(f" {said}", canvas.columns - 1, " "))


def _name(scene: Scene, seat: Seat | None, cell: int = _CELL_MAX) -> str:
    """Return the head of a column: a seat's name or, for None, a word for the boneyard.

    The shorter word is used if the longer one does not fit.
    """
    if seat is not None:
        return scene.names[seat]
    return say("boneyard") if text_cells(say("boneyard")) < cell else say("yard")


def _label(scene: Scene, end: EndOdds, cells: int, cut: str) -> Line:
    """Return a train's number, its name in `cells` cells, its end, and `!` if a cover is owed."""
    name = say("you") if end.train == own_train(scene) else train_name(scene, end.train)
    return (
        Span(f"{train_number(end.train):>2} {pad(clip(name, cells, cut), cells)} "),
        Span(f"{end.pip:>2}", Paint.CHIP, end.train),
        Span("!", Paint.ALERT) if end.is_owed else Span(" "),
    )
