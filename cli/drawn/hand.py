"""A hand and the list of plays as lines, and all that somebody whose turn it is wants to see.

`+` marks a tile that can be played. Colour is on the halves of tiles, nowhere else.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from cli.drawn.board import board_lines, rule_line
from cli.drawn.cells import NARROW_COLUMNS, Canvas, hang, pad, text_cells, wrap_words
from cli.drawn.palette import Line, Paint, Span
from cli.said.moves import duty_sentences, move_text
from cli.scene import Scene, choices, lays
from engine.tiles import Tile

_BOXED_ROWS: Final = 30
_BOXED_COLUMNS: Final = 80


class HandOrder(Enum):
    """How a hand is laid out; `hand sort` goes on to the next."""

    VALUE = "by value"
    WEIGHT = "heaviest first"
    ENDS = "playable first"


def sorted_hand(scene: Scene, order: HandOrder) -> tuple[Tile, ...]:
    """Return one's own tiles in this order."""
    if scene.hand is None:
        return ()
    tiles = [tile for _, tile in scene.hand.tiles]
    playable = {move.tile for move in lays(scene)}
    match order:
        case HandOrder.VALUE:
            tiles.sort(key=lambda tile: (-tile.high, -tile.low))
        case HandOrder.WEIGHT:
            tiles.sort(key=lambda tile: (-tile.pips, -tile.high))
        case HandOrder.ENDS:
            tiles.sort(key=lambda tile: (tile not in playable, -tile.high, -tile.low))
    return tuple(tiles)


def hand_lines(scene: Scene, canvas: Canvas, order: HandOrder) -> tuple[Line, ...]:
    """Draw one's own tiles, the larger half first; boxed where there is room."""
    tiles = sorted_hand(scene, order)
    if not tiles:
        return ((Span(" Your hand is empty."),),) if scene.hand is not None else ()
    playable = frozenset(move.tile for move in lays(scene))
    if canvas.rows >= _BOXED_ROWS and canvas.columns >= _BOXED_COLUMNS:
        return _boxed_hand(tiles, playable, canvas)
    return _flat_hand(tiles, playable, canvas)


def _flat_hand(
    tiles: Sequence[Tile], playable: frozenset[Tile], canvas: Canvas
) -> tuple[Line, ...]:
    label = f" Hand {len(tiles):>2}  "
    gap = 1 if canvas.columns < NARROW_COLUMNS else 2
    lines: list[list[Span]] = [[Span(label)]]
    used = len(label)
    for tile in tiles:
        width = len(f"[{tile.high}|{tile.low}]") + gap
        if used + width > canvas.columns and used > len(label):
            lines.append([Span(" " * len(label))])
            used = len(label)
        lines[-1] += (
            Span("["),
            Span(str(tile.high), Paint.CHIP, tile.high),
            Span("|"),
            Span(str(tile.low), Paint.CHIP, tile.low),
            Span("]"),
            Span("+", Paint.STRONG) if tile in playable else Span(" "),
            Span(" " * (gap - 1)),
        )
        used += width
    return tuple(map(tuple, lines))


def _boxed_hand(
    tiles: Sequence[Tile], playable: frozenset[Tile], canvas: Canvas
) -> tuple[Line, ...]:
    """Draw boxes of seven cells; `+` under what can be played."""
    per_row = (canvas.columns - 1) // 8
    a, b, c, d, e, f = tuple(canvas.glyphs.corners)
    flat, upright = canvas.glyphs.rule * 2, Span(canvas.glyphs.upright)
    lines: list[Line] = [(Span(f" Hand {len(tiles)}"),)]
    for at in range(0, len(tiles), per_row):
        row = tiles[at : at + per_row]
        middle: list[Span] = []
        for tile in row:
            high, low = (Span(f"{pip:>2}", Paint.CHIP, pip) for pip in (tile.high, tile.low))
            middle += (Span(" "), upright, high, upright, low, upright)
        lines.append((Span(f" {a}{flat}{b}{flat}{c}" * len(row)),))
        lines.append(tuple(middle))
        lines.append((Span(f" {d}{flat}{e}{flat}{f}" * len(row)),))
        marks = "".join("    +   " if tile in playable else " " * 8 for tile in row).rstrip()
        lines += [(Span(marks, Paint.STRONG),)] if marks else []
    return tuple(lines)


def choice_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """List the legal plays with their numbers, in columns."""
    listed = [
        f"{number}: {move_text(scene, move)}" for number, move in enumerate(choices(scene), 1)
    ]
    if not listed:
        return ()
    label = " Play  "
    cell = max(text_cells(choice) for choice in listed) + 3
    per_row = max(1, (canvas.columns - len(label)) // cell)
    rows = [listed[at : at + per_row] for at in range(0, len(listed), per_row)]
    texts = ("".join(pad(choice, cell) for choice in row).rstrip() for row in rows)
    return hang(Span(label), ((Span(text),) for text in texts))


def turn_lines(scene: Scene, canvas: Canvas, order: HandOrder) -> tuple[Line, ...]:
    """Draw all that somebody whose turn it is wants to see."""
    rule = rule_line(canvas)
    duties = [
        (Span(line[0].text, Paint.ALERT),)
        for sentence in duty_sentences(scene)
        for line in wrap_words(f" {sentence}", canvas.columns, " ")
    ]
    return (
        rule,
        *board_lines(scene, canvas),
        rule,
        *hand_lines(scene, canvas, order),
        *duties,
        *choice_lines(scene, canvas),
    )
