"""A review as a table: each choice, what was played, what was best, what that cost."""

from typing import Final

from cli.drawn.cells import Canvas, clip, pad, text_cells, wrap_words
from cli.drawn.palette import Line, Paint, Span
from cli.said.moves import move_text
from cli.said.review import review_sentences, scene_then
from engine.bots.review import MoveReview, RoundReview

_HEADS: Final = ("played", "best found")
_COST_CELLS: Final = 7
_TURN_CELLS: Final = 6


def review_lines(review: RoundReview, names: tuple[str, ...], canvas: Canvas) -> tuple[Line, ...]:
    """Draw every choice of a round, then say what it came to and what is worth remembering."""
    name = names[review.seat]
    lines: list[Line] = [
        (
            Span(
                clip(f" Round {review.number}, {name}", canvas.columns, canvas.glyphs.cut),
                Paint.STRONG,
            ),
        )
    ]
    rows = [_row(each, names) for each in review.choices]
    if rows:
        room = (canvas.columns - _TURN_CELLS - _COST_CELLS - 3) // 2
        widths = [min(room, max(text_cells(row[at]) for row in [_HEADS, *rows])) for at in range(2)]
        head = "".join(f"{pad(text, width)} " for text, width in zip(_HEADS, widths, strict=True))
        lines.append((Span(f" turn {head}{'points':>{_COST_CELLS}}", Paint.DIM),))
        for each, row in zip(review.choices, rows, strict=True):
            cells = "".join(
                f"{pad(clip(text, width, canvas.glyphs.cut), width)} "
                for text, width in zip(row, widths, strict=True)
            )
            cost = f"-{each.cost:.1f}" if each.cost else ""
            lines.append((Span(f"{each.own.turn:>5} {cells}{cost:>{_COST_CELLS}}".rstrip()),))
    for sentence in review_sentences(review, names):
        lines += wrap_words(f" {sentence}", canvas.columns - 1, "   ")
    return tuple(lines)


def _row(review: MoveReview, names: tuple[str, ...]) -> tuple[str, str]:
    """Both moves as they could be typed; a dash where what was played is the best."""
    scene = scene_then(review, names)
    return move_text(scene, review.own.played), "" if review.is_best else move_text(
        scene, review.best
    )
