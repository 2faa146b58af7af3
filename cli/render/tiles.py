"""Trains as tiles, above the prompt and on the wall, and tiles in frames. Pure.

A train takes as many rows as there is room for. In one row a tile is `[12│1]`; from two rows on, a
double lies across its train; from three on, the end is large; in five, each tile has a frame. The
newest tiles are drawn, and `+4` counts the tiles before them.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from cli.language import say
from cli.render.big import half_rows
from cli.render.board import ends_of, ends_sign, in_rows, owner_spans
from cli.render.cells import Canvas, line_cells
from cli.render.chains import chain_of
from cli.render.palette import Glyphs, Line, Paint, Span
from cli.scene import Scene
from cli.wording.since import NOTHING_YET, Since
from engine.table.trains import Laid, Train

TALL: Final = (5, 3, 2)
"""The heights in rows that a train can have besides 1, the largest first."""

_LARGE_CHARACTERS: Final = 5
"""Ends longer than this are drawn small; only a train with many branches has them."""


class _Block(NamedTuple):
    """A part of a train in one style; all blocks have the same number of rows."""

    rows: Sequence[str]
    paint: Paint = Paint.PLAIN
    seat: int = -1


def tiled_lines(
    scene: Scene, canvas: Canvas, tall: int, since: Since = NOTHING_YET, *, has_totals: bool = True
) -> tuple[Line, ...]:
    """Draw every train in `tall` rows, the Mexican ones first; highlight what is new `since`.

    With `has_totals`, draw each seat's points, too, as `owner_spans` does.
    """
    trains = in_rows(scene)
    ends = [_raised(_end_rows(scene, train, canvas.glyphs, tall), tall) for train in trains]
    widest = max(len(rows[0]) for rows in ends)
    lines: list[Line] = []
    for train, rows in zip(trains, ends, strict=True):
        owner = owner_spans(scene, train, canvas, has_totals=has_totals)
        sign, paint = ends_sign(scene, train), Paint.CHIP
        if train.id in since.grown:
            paint = Paint.ALERT
        cells = line_cells(owner)
        gap = Span(" " * (widest - len(rows[0])))
        room = canvas.columns - cells - widest - 2
        blocks = (
            _Block(rows, paint, train.id),
            _Block(_raised([f"{sign.text} "], tall), sign.paint),
            *_chain_blocks(scene, train, canvas.glyphs, room, tall, since),
        )
        blank: Line = (Span(" " * cells),)
        for row in range(tall):
            head = owner if row == (tall - 1) // 2 else blank
            spans = (Span(block.rows[row], block.paint, block.seat) for block in blocks)
            lines.append((Span("", about=train.id), *head, gap, *spans))
    return tuple(lines)


def _raised(rows: Sequence[str], tall: int) -> Sequence[str]:
    """Center these rows in `tall` rows; an odd blank row goes below them."""
    blank, above = " " * len(rows[0]), (tall - len(rows)) // 2
    return [*[blank] * above, *rows, *[blank] * (tall - above - len(rows))]


def _end_rows(scene: Scene, train: Train, glyphs: Glyphs, tall: int) -> Sequence[str]:
    """Return the ends of a train in three rows if large ones fit, else one; `-` for no end."""
    text = " ".join(map(str, ends_of(scene, train))) or "-"
    large = half_rows(text, glyphs) if len(text) <= _LARGE_CHARACTERS and tall >= 3 else ()
    return [f" {row} " for row in large or (f"{text:>2}",)]


def _chain_blocks(
    scene: Scene, train: Train, glyphs: Glyphs, room: int, tall: int, since: Since
) -> list[_Block]:
    """Draw the newest tiles of a train, as many as fit, and count those before them.

    For a train without tiles, "not started" is drawn instead.
    """
    if not train.lays:
        return [_Block(_raised([say("not started")], tall), Paint.DIM)]
    wide = len(str(scene.table.spec.pip_max)) if tall > 1 else 1
    chain, shown = chain_of(train), list[tuple[Paint, Sequence[str]]]()
    old = since.lengths.get(train.id, len(train.lays))
    for left in range(len(chain), 0, -1):
        at, count = chain[left - 1], f"+{left} "
        rows = _tile_rows(train.lays[at], wide, glyphs, tall)
        if len(rows[0]) + (len(count) if left > 1 else 0) > room:
            shown.append((Paint.DIM, _raised([count], tall)))
            break
        shown.append((Paint.STRONG if at >= old else Paint.PLAIN, _raised(rows, tall)))
        room -= len(rows[0])
    runs = groupby(reversed(shown), itemgetter(0))
    return [
        _Block(["".join(row) for row in zip(*(rows for _, rows in run), strict=True)], paint)
        for paint, run in runs
    ]


def _tile_rows(laid: Laid, wide: int, glyphs: Glyphs, tall: int) -> Sequence[str]:
    """Draw a tile of a train in at most `tall` rows."""
    first, second = f"{laid.joined:>{wide}}", f"{laid.end:>{wide}}"
    is_double = laid.tile.is_double
    if tall >= 5:
        return (_framed_across if is_double else _framed)([first], [second], glyphs)
    if not is_double or tall < 2:
        return [f"[{first}{'=' if is_double else glyphs.upright}{second}]"]
    rows = [first, second] if tall == 2 else [first, glyphs.rule * wide, second]
    return [f"[{row}]" for row in rows]


def _framed(first: Sequence[str], second: Sequence[str], glyphs: Glyphs) -> Sequence[str]:
    """Draw the rows of two halves side by side in a frame."""
    a, b, c, d, e, f = tuple(glyphs.corners)
    flat, upright = glyphs.rule * len(first[0]), glyphs.upright
    halves = zip(first, second, strict=True)
    rows = (f"{upright}{one}{upright}{two}{upright}" for one, two in halves)
    return [f"{a}{flat}{b}{flat}{c}", *rows, f"{d}{flat}{e}{flat}{f}"]


def _framed_across(
    first: Sequence[str], second: Sequence[str], glyphs: Glyphs, heads: tuple[str, str] = ("", "")
) -> Sequence[str]:
    """Draw the rows of two halves one above the other in a frame, with `heads` in its edges."""
    a, _, c, d, _, f = tuple(glyphs.corners)
    cells, rule, upright = len(first[0]), glyphs.rule, glyphs.upright
    rows = (f"{upright}{row}{upright}" for row in (*first, rule * cells, *second))
    above, below = (head.center(cells, rule) for head in heads)
    return [f"{a}{above}{c}", *rows, f"{d}{below}{f}"]


PIPS_MAX: Final = 15
"""A half with more pips would be unreadable."""

_PIPS: Final = "000010607617202212303313323333424434444535545555"
_PIP_ROWS: Final = ("     ", "  #  ", "#   #", "# # #", "## ##", "#####", "#    ", "    #")
"""The three rows of each half, as indexes of `_PIP_ROWS`, and the look of each row."""


def lying(pair: tuple[int, int], glyphs: Glyphs) -> Sequence[str]:
    """Draw a tile lying flat, in three rows, with its numbers."""
    first, second = ([f"{pips:>2}"] for pips in pair)
    return _framed(first, second, glyphs)


def standing(pair: tuple[int, int], glyphs: Glyphs) -> Sequence[str]:
    """Draw an upright tile in nine rows, with pips and numbers; neither half may exceed 15."""
    rows = (_PIPS[3 * pips : 3 * pips + 3] for pips in pair)
    first, second = (
        [_PIP_ROWS[int(row)].replace("#", glyphs.open_end) for row in half] for half in rows
    )
    return _framed_across(first, second, glyphs, (str(pair[0]), str(pair[1])))
