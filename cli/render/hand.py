"""A hand and the list of plays as lines, and all that somebody whose turn it is wants to see.

`+` marks a tile that can be played, `n` one that has just been drawn. Colour is on the halves of
tiles, nowhere else.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct, structs

from cli.language import say
from cli.render.board import TRAINS_FULL, board_lines, rule_line
from cli.render.cells import NARROW_COLUMNS, Canvas, hang, pad, text_cells
from cli.render.layout import AS_DEALT, Group, HandLayout, hand_groups
from cli.render.palette import Line, Paint, Span
from cli.scene import Scene, choices, lays
from cli.wording.moves import duty_sentences, move_text
from cli.wording.since import NOTHING_YET, Since, one_left_sentences, since_sentence
from engine.table.table import ENDED
from engine.tiles import Tile, make_tile

_BOXED_ROWS: Final = 30
_BOXED_COLUMNS: Final = 80
_BOX_ROWS_MAX: Final = 3
"""More rows of boxes, as for a hand in many groups, would leave no room for the board."""

_FLAT_REST: Final = 14
_BOXED_REST: Final = 20
"""What stands in sight beside the trains: heads, hand, plan, what has happened, and plays."""

_PASSING_ROWS: Final = 10
"""Boxes leave so many rows for all but trains and hand, or there are none."""

_PASSING_ROWS_MIN: Final = 6
"""So many rows are kept for plan, history and plays where trains are many."""

_HEADS: Final = 3
"""The rule and the two lines above the trains."""

_LOG_ROWS: Final = 2
_LOG_FROM_ROWS: Final = 12
"""So many rows are left for what is said, unless a window is lower than this."""


def hand_lines(scene: Scene, canvas: Canvas, layout: HandLayout = AS_DEALT) -> tuple[Line, ...]:
    """Draw one's own tiles in their groups; boxed where there is room."""
    groups = hand_groups(scene, layout)
    if not groups:
        return ((Span(f" {say('Your hand is empty.')}"),),) if scene.hand is not None else ()
    marks = _Marks(frozenset(move.tile for move in lays(scene)), layout.new)
    if canvas.rows >= _BOXED_ROWS and canvas.columns >= _BOXED_COLUMNS:
        per_row = (canvas.columns - 1) // 8
        rows = [each[at : at + per_row] for each in groups for at in range(0, len(each), per_row)]
        if len(rows) <= _BOX_ROWS_MAX:
            return _boxed_hand(rows, marks, canvas)
    return _flat_hand(groups, marks, canvas)


class _Marks(NamedTuple):
    """Which tiles can be played, and which have just come."""

    playable: frozenset[Tile]
    new: frozenset[Tile]

    def on(self, pair: tuple[int, int]) -> str:
        """Return what stands behind a tile."""
        tile = make_tile(*pair)
        return f"{'+' if tile in self.playable else ''}{'n' if tile in self.new else ''}"


def _flat_hand(groups: Sequence[Group], marks: _Marks, canvas: Canvas) -> tuple[Line, ...]:
    label = f" {say('Hand')} {sum(map(len, groups)):>2}  "
    gap = 1 if canvas.columns < NARROW_COLUMNS else 2
    lines: list[list[Span]] = [[Span(label)]]
    used = start = text_cells(label)
    for number, group in enumerate(groups):
        for at, pair in enumerate(group):
            mark = marks.on(pair)
            divider = "| " if number and not at else ""
            width = len(f"{divider}[{pair[0]}|{pair[1]}]") + max(gap, len(mark) + gap - 1)
            if used + width > canvas.columns and used > start:
                lines.append([Span(" " * start)])
                used = start
            lines[-1] += (
                *([Span(divider, Paint.DIM)] if divider else []),
                *_tile_spans(pair),
                Span(mark or " ", Paint.STRONG if mark else Paint.PLAIN),
                Span(" " * (gap - 1)),
            )
            used += width
    return tuple(map(tuple, lines))


def _tile_spans(pair: tuple[int, int]) -> Line:
    first, second = (Span(str(pip), Paint.CHIP, pip) for pip in pair)
    return (Span("["), first, Span("|"), second, Span("]"))


def _boxed_hand(rows: Sequence[Group], marks: _Marks, canvas: Canvas) -> tuple[Line, ...]:
    """Draw boxes of seven cells in these rows; `+` under what can be played."""
    a, b, c, d, e, f = tuple(canvas.glyphs.corners)
    flat, upright = canvas.glyphs.rule * 2, Span(canvas.glyphs.upright)
    lines: list[Line] = [(Span(f" {say('Hand')} {sum(map(len, rows))}"),)]
    for row in rows:
        middle: list[Span] = []
        for pair in row:
            first, second = (Span(f"{pip:>2}", Paint.CHIP, pip) for pip in pair)
            middle += (Span(" "), upright, first, upright, second, upright)
        lines.append((Span(f" {a}{flat}{b}{flat}{c}" * len(row)),))
        lines.append(tuple(middle))
        lines.append((Span(f" {d}{flat}{e}{flat}{f}" * len(row)),))
        under = "".join(f"    {marks.on(pair):<4}" for pair in row).rstrip()
        lines += [(Span(under, Paint.STRONG),)] if under else []
    return tuple(lines)


def choice_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """List the legal plays with their numbers, in columns."""
    listed = [
        f"{number}: {move_text(scene, move)}" for number, move in enumerate(choices(scene), 1)
    ]
    if not listed:
        return ()
    label = f" {say('Play')}  "
    cell = max(text_cells(choice) for choice in listed) + 3
    per_row = max(1, (canvas.columns - text_cells(label)) // cell)
    rows = [listed[at : at + per_row] for at in range(0, len(listed), per_row)]
    texts = ("".join(pad(choice, cell) for choice in row).rstrip() for row in rows)
    return hang(Span(label), ((Span(text),) for text in texts))


class Suggestion(NamedTuple):
    """What may be typed next; Enter `plays` it at an empty prompt, if it is planned."""

    text: str
    plays: bool


class Picture(Struct, frozen=True):
    """What a seat has before it beside the table: its hand, its plan, and what it has missed."""

    layout: HandLayout = AS_DEALT
    notes: tuple[str, ...] = ()
    """What is planned or could be, a sentence each."""
    since: Since = NOTHING_YET
    suggestion: Suggestion | None = None


BARE: Final = Picture()


def turn_lines(scene: Scene, canvas: Canvas, picture: Picture = BARE) -> tuple[Line, ...]:
    """Draw all that somebody wants to see who has to move, or will have to."""
    rule = rule_line(canvas)
    return (
        rule,
        *board_lines(scene, canvas, picture.since),
        *_digest_lines(scene, canvas, picture),
        rule,
        *hand_lines(scene, canvas, picture.layout),
        *_plan_lines(canvas, picture),
        *_loud_lines(scene, canvas),
        *choice_lines(scene, canvas),
    )


def _digest_lines(scene: Scene, canvas: Canvas, picture: Picture) -> tuple[Line, ...]:
    digest = since_sentence(scene, picture.since)
    return canvas.prose(digest, "   ") if digest else ()


def _plan_lines(canvas: Canvas, picture: Picture) -> tuple[Line, ...]:
    return tuple(line for note in picture.notes for line in canvas.prose(note, "   "))


def _loud_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """Say who is about to go out, and what must be done first."""
    loud = [*one_left_sentences(scene), *(duty_sentences(scene) if scene.can_move else ())]
    return tuple(line for text in loud for line in canvas.prose(text, paint=Paint.ALERT))


# ---- what stays in sight --------------------------------------------------------------------


def region_rows(scene: Scene, canvas: Canvas) -> int:
    """How many rows table and hand have in a window; the same for as long as a round is played.

    Above them what is said goes by, below them are the prompt and the status line. After a round
    the board alone stays, for the card to have room.
    """
    rest = _FLAT_REST
    if canvas.rows >= _BOXED_ROWS and canvas.columns >= _BOXED_COLUMNS:
        rest = _BOXED_REST
    if scene.table.phase in ENDED:
        rest = _HEADS
    elif scene.hand is None:
        rest = _HEADS + _PASSING_ROWS
    room = canvas.rows - 2
    return max(
        0, min(len(scene.table.trains) + rest, room if room < _LOG_FROM_ROWS else room - _LOG_ROWS)
    )


def standing_lines(
    scene: Scene, canvas: Canvas, rows: int, picture: Picture = BARE
) -> tuple[Line, ...]:
    """Draw table, hand and plan in at most so many rows, for what always stays in sight.

    Where they are too few, the plan goes first, then closed trains of others; these go before all
    else where there are more than nine trains.
    """
    loud = _loud_lines(scene, canvas)
    hand = hand_lines(scene, canvas, picture.layout)
    if len(scene.table.trains) + len(loud) + len(hand) + _PASSING_ROWS > rows:
        hand = hand_lines(scene, structs.replace(canvas, rows=0), picture.layout)
    is_dealing = scene.is_mixing and scene.hand is not None and not scene.hand.tiles
    if scene.table.phase in ENDED or is_dealing:
        hand = ()
    room = rows - 1 - len(loud) - len(hand)
    if hand and len(scene.table.trains) > TRAINS_FULL:
        room -= _PASSING_ROWS_MIN
    board = board_lines(scene, canvas, picture.since, rows=max(3, room))
    plan = _plan_lines(canvas, picture)
    if 1 + len(board) + len(loud) + len(hand) + len(plan) > rows - _PASSING_ROWS_MIN:
        plan = tuple(canvas.row(f" {note}") for note in picture.notes)
    return (rule_line(canvas), *board, *loud, *hand, *plan)[:rows]


def passing_lines(scene: Scene, canvas: Canvas, picture: Picture = BARE) -> tuple[Line, ...]:
    """Draw what has happened since one's turn, and what can be played."""
    return (rule_line(canvas), *_digest_lines(scene, canvas, picture), *choice_lines(scene, canvas))
