"""A review as a table: each choice, what was played, what was best, what that cost."""

from collections.abc import Sequence

from cli.language import say
from cli.render.cells import Canvas, text_cells, wrap_words
from cli.render.grid import Column, Grid, Row, painted
from cli.render.palette import Line, Paint
from cli.wording.moves import move_text
from cli.wording.review import points_sentence, review_sentences, scene_then
from engine.bots.review import MoveReview, RoundReview


def review_lines(review: RoundReview, names: tuple[str, ...], canvas: Canvas) -> tuple[Line, ...]:
    """Draw every choice of one's own, then say what it came to and what is worth remembering."""
    head = review_head(review.number, names[review.seat], canvas)
    return (head, *review_body(review, names, canvas, own=True))


def review_head(number: int, name: str, canvas: Canvas) -> Line:
    """Draw the line that tells the number of the round, and the player whose choices follow."""
    return canvas.row(f" {say('Round {number}, {name}', number=number, name=name)}", Paint.STRONG)


def review_body(
    review: RoundReview, names: tuple[str, ...], canvas: Canvas, *, own: bool
) -> tuple[Line, ...]:
    """Draw what stands below the head: the choices as a table, if there were any, and sentences.

    These say `you` where the choices are one's `own`.
    """
    lines: list[Line] = []
    rows = [_row(each, names) for each in review.choices]
    if rows:
        lines += wrap_words(f" {points_sentence()}", canvas.columns - 1, "   ")
        lines += _choices(review, rows, canvas)
    for sentence in review_sentences(review, names, own=own):
        lines += wrap_words(f" {sentence}", canvas.columns - 1, "   ")
    return tuple(lines)


def _choices(
    review: RoundReview, moves: Sequence[tuple[str, str]], canvas: Canvas
) -> tuple[Line, ...]:
    """Draw the choices, of which `moves` are the one played and the best, and what each cost."""
    turn, points = say("turn"), say("points")
    room = (canvas.columns - text_cells(f" {turn}   {points}  ")) // 2
    rows: list[Row] = [painted((turn, say("played"), say("best found"), points), Paint.DIM)]
    for each, found in zip(review.choices, moves, strict=True):
        cost = f"-{each.cost:.1f}" if each.cost else "" if each.is_best else "~0"
        rows.append((str(each.own.turn), *found, cost))
    move = Column(gap=1, most=room, cut=canvas.glyphs.cut)
    return Grid((Column(gap=1, right=True), move, move, Column(right=True)), rows).lines()


def _row(review: MoveReview, names: tuple[str, ...]) -> tuple[str, str]:
    """Return the move played and the best as they could be typed; this empty if it was played."""
    scene = scene_then(review, names)
    best = "" if review.is_best else move_text(scene, review.best)
    return move_text(scene, review.own.played), best
