"""A review as a table: each choice, the move played, the best one, and the cost."""

from cli.language import say
from cli.render.cells import Canvas, text_cells, wrap_words
from cli.render.grid import Column, Grid, Row, painted
from cli.render.palette import Line, Paint
from cli.wording.moves import move_text
from cli.wording.review import points_sentence, review_sentences, scene_then
from engine.bots.review import RoundReview


def review_lines(review: RoundReview, names: tuple[str, ...], canvas: Canvas) -> tuple[Line, ...]:
    """Draw every choice that the reader made, then sentences on the result and the main moments."""
    head = review_head(review.number, names[review.seat], canvas)
    return (head, *review_body(review, names, canvas, own=True))


def review_head(number: int, name: str, canvas: Canvas) -> Line:
    """Draw the line with the number of the round, and the player whose choices follow."""
    return canvas.row(f" {say('Round {number}, {name}', number=number, name=name)}", Paint.STRONG)


def review_body(
    review: RoundReview, names: tuple[str, ...], canvas: Canvas, *, own: bool
) -> tuple[Line, ...]:
    """Draw the part below the head: the choices as a table, if there were any, and sentences.

    The sentences say `you` if the choices are the reader's `own`.
    """
    lines: list[Line] = []
    if review.choices:
        lines += wrap_words(f" {points_sentence()}", canvas.columns - 1, "   ")
        lines += _choices(review, names, canvas)
    for sentence in review_sentences(review, names, own=own):
        lines += wrap_words(f" {sentence}", canvas.columns - 1, "   ")
    return tuple(lines)


def _choices(review: RoundReview, names: tuple[str, ...], canvas: Canvas) -> tuple[Line, ...]:
    """Draw each choice: the move played, the best one if it is different, and the cost."""
    turn, points = say("turn"), say("points")
    room = (canvas.columns - text_cells(f" {turn}   {points}  ")) // 2
    rows: list[Row] = [painted((turn, say("played"), say("best found"), points), Paint.DIM)]
    for each in review.choices:
        scene = scene_then(each, names)
        played = move_text(scene, each.own.played)
        best = "" if each.is_best else move_text(scene, each.best)
        cost = f"-{each.cost:.1f}" if each.cost else "" if each.is_best else "~0"
        rows.append((str(each.own.turn), played, best, cost))
    move = Column(gap=1, most=room, cut=canvas.glyphs.cut)
    return Grid((Column(gap=1, right=True), move, move, Column(right=True)), rows).lines()
