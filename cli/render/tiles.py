"""Trains as tiles, above the prompt and on the wall, and tiles in frames; pure.

A train has as many rows as there is room for. In one a tile is `[12│1]`; from two on a double lies
across its train; from three on the end is large; in five each tile has a frame. The newest tiles
are drawn, and `+4` says that as many lie before them.
"""

from collections.abc import Sequence
from typing import Final

from cli.language import say
from cli.render.big import big_rows, half_rows
from cli.render.board import chain_of, ends_of, ends_sign, in_rows, owner_spans
from cli.render.cells import Canvas, line_cells
from cli.render.palette import Glyphs, Line, Paint, Span
from cli.scene import Scene
from cli.wording.since import NOTHING_YET, Since
from engine.table.trains import Laid, Train

TALL: Final = (5, 3, 2)
"""Rows of a train that are more than one, the most first."""

_LARGE_CHARACTERS: Final = 5
"""Of ends that are large; a train with many branches has small ones."""

_Block = Sequence[Line]
"""Lines of one width, from the top."""


def tiled_lines(
    scene: Scene, canvas: Canvas, tall: int, since: Since = NOTHING_YET, *, has_totals: bool = True
) -> tuple[Line, ...]:
    """Draw every train in so many rows, the Mexican ones first; what has come `since` is bold."""
    trains = in_rows(scene)
    ends = [_end_rows(scene, train, canvas.glyphs, tall) for train in trains]
    cells = max(len(rows[0]) for rows in ends)
    lines: list[Line] = []
    for train, rows in zip(trains, ends, strict=True):
        paint = Paint.ALERT if train.id in since.grown else Paint.CHIP
        blank = Span(" " * (cells - len(rows[0])))
        blocks: list[_Block] = [
            [owner_spans(scene, train, canvas, has_totals=has_totals)],
            [(blank, Span(row, paint, train.id)) for row in rows],
            [(ends_sign(scene, train), Span(" "))],
        ]
        room = canvas.columns - sum(line_cells(block[0]) for block in blocks)
        blocks += _chain_blocks(scene, train, canvas.glyphs, room, tall, since)
        columns = [_raised(block, tall) for block in blocks]
        lines += (
            (Span("", about=train.id), *(span for part in row for span in part))
            for row in zip(*columns, strict=True)
        )
    return tuple(lines)


def _raised(block: _Block, tall: int) -> _Block:
    """Put a block into the middle of so many rows; the upper one of two."""
    blank = (Span(" " * line_cells(block[0])),)
    above = (tall - len(block)) // 2
    return (*[blank] * above, *block, *[blank] * (tall - above - len(block)))


def _end_rows(scene: Scene, train: Train, glyphs: Glyphs, tall: int) -> Sequence[str]:
    """Write the ends of a train, as large as its rows allow."""
    text = " ".join(map(str, ends_of(scene, train))) or "-"
    large: Sequence[str] = ()
    if len(text) <= _LARGE_CHARACTERS and tall >= 3:
        large = big_rows(text, glyphs, 1) if tall >= 5 else half_rows(text, glyphs)
    return [f" {row} " for row in large] or [f"{text:>2}"]


def _chain_blocks(
    scene: Scene, train: Train, glyphs: Glyphs, room: int, tall: int, since: Since
) -> list[_Block]:
    """Draw the newest tiles of a train, as many as have room, and count those before them."""
    if not train.lays:
        return [[(Span(say("not started"), Paint.DIM),)]]
    wide = len(str(scene.table.spec.pip_max)) if tall > 1 else 1
    old = since.lengths.get(train.id, len(train.lays))
    shown, chain = list[_Block](), chain_of(train)
    for at in reversed(chain):
        rows = _tile_rows(train.lays[at], wide, glyphs, tall)
        left = len(chain) - len(shown)
        if len(rows[0]) + (len(_left_text(left)) if left > 1 else 0) > room:
            return [[(Span(_left_text(left), Paint.DIM),)], *reversed(shown)]
        paint = Paint.STRONG if at >= old else Paint.PLAIN
        shown.append([(Span(row, paint),) for row in rows])
        room -= len(rows[0])
    return shown[::-1]


def _left_text(count: int) -> str:
    return f"+{count} "


def _tile_rows(laid: Laid, wide: int, glyphs: Glyphs, tall: int) -> Sequence[str]:
    """Draw a tile of a train in at most so many rows."""
    first, second = f"{laid.joined:>{wide}}", f"{laid.end:>{wide}}"
    is_double = laid.tile.is_double
    if tall >= 5:
        return (framed_across if is_double else framed)([first], [second], glyphs)
    if not is_double or tall < 2:
        return [f"[{first}{'=' if is_double else glyphs.upright}{second}]"]
    rows = [first, second] if tall == 2 else [first, glyphs.rule * wide, second]
    return [f"[{row}]" for row in rows]


def framed(first: Sequence[str], second: Sequence[str], glyphs: Glyphs) -> Sequence[str]:
    """Draw the rows of two halves side by side in a frame."""
    a, b, c, d, e, f = tuple(glyphs.corners)
    flat, upright = glyphs.rule * len(first[0]), glyphs.upright
    halves = zip(first, second, strict=True)
    rows = (f"{upright}{one}{upright}{two}{upright}" for one, two in halves)
    return [f"{a}{flat}{b}{flat}{c}", *rows, f"{d}{flat}{e}{flat}{f}"]


def framed_across(
    first: Sequence[str], second: Sequence[str], glyphs: Glyphs, heads: tuple[str, str] = ("", "")
) -> Sequence[str]:
    """Draw the rows of two halves one above the other in a frame, which may have their numbers."""
    a, _, c, d, _, f = tuple(glyphs.corners)
    cells, rule, upright = len(first[0]), glyphs.rule, glyphs.upright
    rows = (f"{upright}{row}{upright}" for row in (*first, rule * cells, *second))
    above, below = (head.center(cells, rule) for head in heads)
    return [f"{a}{above}{c}", *rows, f"{d}{below}{f}"]


PIPS_MAX: Final = 15
"""More pips than these cannot be told apart."""

_PIPS: Final = "000010607617202212303313323333424434444535545555"
_PIP_ROWS: Final = ("     ", "  #  ", "#   #", "# # #", "## ##", "#####", "#    ", "    #")
"""The three rows of each half by their numbers, and how each of them looks."""


def standing(pair: tuple[int, int], glyphs: Glyphs) -> Sequence[str]:
    """Draw a tile that stands, with its pips and their numbers."""
    rows = (_PIPS[3 * pips : 3 * pips + 3] for pips in pair)
    first, second = (
        [_PIP_ROWS[int(row)].replace("#", glyphs.open_end) for row in half] for half in rows
    )
    return framed_across(first, second, glyphs, (str(pair[0]), str(pair[1])))
