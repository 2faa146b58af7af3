"""A review as a table: each choice, what was played, what was best, what that cost."""

from cli.language import say
from cli.render.cells import Canvas, clip, pad, text_cells, wrap_words
from cli.render.palette import Line, Paint, Span
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
        turn, points = f" {say('turn')}", f" {say('points')}"
        room = (canvas.columns - text_cells(turn) - text_cells(points) - 4) // 2
        heads = (say("played"), say("best found"))
        widths = [min(room, max(text_cells(row[at]) for row in [heads, *rows])) for at in range(2)]
        head = "".join(f"{pad(text, width)} " for text, width in zip(heads, widths, strict=True))
        lines.append((Span(f"{turn} {head}{points}", Paint.DIM),))
        for each, row in zip(review.choices, rows, strict=True):
            cells = "".join(
                f"{pad(clip(text, width, canvas.glyphs.cut), width)} "
                for text, width in zip(row, widths, strict=True)
            )
            cost = f"-{each.cost:.1f}" if each.cost else "" if each.is_best else "~0"
            number = f"{each.own.turn:>{text_cells(turn)}}"
            lines.append((Span(f"{number} {cells}{cost:>{text_cells(points)}}".rstrip()),))
    for sentence in review_sentences(review, names, own=own):
        lines += wrap_words(f" {sentence}", canvas.columns - 1, "   ")
    return tuple(lines)


def _row(review: MoveReview, names: tuple[str, ...]) -> tuple[str, str]:
    """Return the move played and the best as they could be typed; this empty if it was played."""
    scene = scene_then(review, names)
    best = "" if review.is_best else move_text(scene, review.best)
    return move_text(scene, review.own.played), best
