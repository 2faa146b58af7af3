"""The end of a game: its winner, the places and highlights, and how the totals grew."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from string import ascii_uppercase
from typing import Final

from cli.language import say
from cli.render.cells import Canvas, pad, text_cells, wrap_words
from cli.render.grid import Column, Grid, Row, painted
from cli.render.palette import Line, Paint, Span, hued
from cli.render.round_card import BESIDE, place_columns, placed
from cli.results.points import totals_of
from cli.results.summary import Summary
from cli.wording.game_end import (
    GameEnd,
    evening_rows,
    evening_title,
    foot_of_game_text,
    highlight_texts,
    met_texts,
    winner_text,
)
from cli.wording.round_end import by_place

_PLOT_ROWS_MIN: Final = 4
_PLOT_ROWS_MAX: Final = 8
_OTHER_ROWS: Final = 14
"""The rows of a window besides the plot and the players: the winner, and the record."""
_PROMPT_ROWS: Final = 2
"""The rows of a window for the prompt and the status line."""
_RECORD_ROWS: Final = 4
"""The rows of a window for the text on the record, below the end of a game."""
_STEP_CELLS: Final = 5
"""The most cells between two rounds of a plot."""


def end_lines(end: GameEnd, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the end of a game: the plot, the winner in a box, a row per seat by place, the foot.

    Nothing is cut to the canvas. The plot comes first, because a window that is too low shows only
    the last lines. If even the rest does not fit, the winner moves below the seats. Highlights that
    need rows of their own are left out if these are too many. A single round has no plot.
    """
    told = end.told
    names = [each.name for each in told.players]
    texts = highlight_texts(told)
    rows: list[Row] = []
    for seat in by_place(told.places):
        own = Paint.STRONG if seat == end.scene.seat else Paint.PLAIN
        name = placed(told.places[seat], names[seat], own, seat)
        rows.append((*name, Span(str(told.totals[seat]), own), texts[seat]))
    columns = (*place_columns(canvas), Column(right=True, least=5))
    seats = Grid(columns, rows, BESIDE).lines(canvas.columns)
    foot = wrap_words(f" {foot_of_game_text(end)}", canvas.columns - 1, " ")
    winner = tuple(_banner(winner_text(end), canvas))
    beside = len(winner) + len(foot) + _PROMPT_ROWS
    if len(seats) + beside > canvas.rows:
        bare = Grid(columns, [row[:-1] for row in rows]).lines()
        seats = bare if len(bare) < len(seats) else seats
    is_low = len(seats) + beside + _RECORD_ROWS > canvas.rows
    above = (*seats, *winner) if is_low else (*winner, *seats)
    return (*plot_lines(names, told.scores, canvas, told.absent), *above, *foot)


def _banner(text: str, canvas: Canvas) -> Iterator[Line]:
    """Yield the lines of a box around a text, so that nobody misses it."""
    left, _, right, below, _, last = tuple(canvas.glyphs.corners)
    rule, upright = canvas.glyphs.rule, canvas.glyphs.upright
    rows = [line[0].text for line in wrap_words(text, canvas.columns - 9)]
    inner = max(map(text_cells, rows)) + 6
    yield canvas.row(f" {left}{rule * inner}{right}", Paint.ALERT)
    for row in rows:
        yield canvas.row(f" {upright}   {pad(row, inner - 3)}{upright}", Paint.ALERT)
    yield canvas.row(f" {below}{rule * inner}{last}", Paint.ALERT)


def evening_lines(games: Sequence[Summary], canvas: Canvas) -> tuple[Line, ...]:
    """Draw the results of an evening's games, a row per player.

    A row has games, wins and points, and how the player has done against each of the others.
    """
    heads = painted(("", "", say("games"), say("won"), say("points")), Paint.DIM)
    rows: list[Row] = [(*heads, say("ahead and behind"))]
    for each, met in evening_rows(games):
        counts = map(str, (each.games, each.won, each.points))
        pairs = (text.replace(" ", "\N{NO-BREAK SPACE}") for text in met_texts(met))
        rows.append((*placed(each.place, each.name), *counts, ", ".join(pairs)))
    columns = (*place_columns(canvas), *[Column(right=True, least=4)] * 3)
    title = canvas.prose(evening_title(games), paint=Paint.STRONG)
    return (*title, *Grid(columns, rows, BESIDE).lines(canvas.columns))


def plot_lines(
    names: Sequence[str],
    rounds: Sequence[Sequence[int]],
    canvas: Canvas,
    absent: Sequence[int] = (),
) -> tuple[Line, ...]:
    """Plot each player's total after each round, with names; empty for fewer than two rounds.

    For each round, `rounds` has the points by seat, and `absent` the bit set of the seats that did
    not play. A line begins where its player came, and ends where they left. If the names do not fit
    beside their lines, they go below the plot. Raises `ValueError` if the rounds have unequal
    lengths.
    """
    if len(rounds) < 2:
        return ()
    rows = max(_PLOT_ROWS_MIN, min(_PLOT_ROWS_MAX, canvas.rows - len(names) - _OTHER_ROWS))
    sums = [tuple(map(sum, zip(*rounds[: at + 1], strict=True))) for at in range(len(rounds))]
    marks = _marks(names)
    totals = [[*totals_of(seat, rounds, absent)] for seat in range(len(names))]
    low, high = min(0, *map(min, sums)), max(1, *map(max, sums))
    scale = max(len(str(low)), len(str(high)))
    ends: dict[int, str] = {}
    for seat in sorted(range(len(names)), key=lambda seat: sums[-1][seat]):
        at = round((high - sums[-1][seat]) * (rows - 1) / (high - low))
        label = names[seat] if marks[seat] == names[seat][:1] else f"{marks[seat]} {names[seat]}"
        ends[at] = f"{ends[at]}, {label}" if at in ends else f" {label}"
    beside = max(map(text_cells, ends.values()))
    if beside > canvas.columns // 3:
        ends, beside = {}, 0
    room = canvas.columns - scale - 4 - beside
    step = max(1, min(_STEP_CELLS, room // len(rounds)))
    shown = [at * len(sums) // min(len(sums), room) for at in range(min(len(sums), room))]
    grid = [[" "] * (step * len(shown)) for _ in range(rows)]
    for column, at in enumerate(shown):
        for seat, own in enumerate(totals):
            if (total := own[at]) is None:
                continue
            row = grid[round((high - total) * (rows - 1) / (high - low))]
            free = next((c for c in range(step) if row[column * step + c] == " "), step - 1)
            row[column * step + free] = marks[seat]
    lines: list[Line] = [(Span(f" {say('Totals by round')}", Paint.STRONG),)]
    for number, row in enumerate(grid):
        value = round(high - number * (high - low) / (rows - 1))
        said = f"{value:>{scale}}" if number in (0, rows - 1) else " " * scale
        drawn = f" {said} {canvas.glyphs.upright}{''.join(row)}".rstrip()
        lines.append((Span(f"{drawn}{ends.get(number, '')}"),))
    axis = "".join(_axis(shown, step))
    lines.append((Span(f" {' ' * scale}  {axis}".rstrip(), Paint.DIM),))
    legend = ", ".join(f"{mark} {name}" for mark, name in zip(marks, names, strict=True))
    if not ends:
        lines += wrap_words(f" {legend}", canvas.columns - 1, " ")
    return hued(lines, names, within=True)


def _marks(names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each seat: the first free one of its name, or else of the alphabet.

    No two seats have the same letter.
    """
    letters = [
        "".join(char for char in name.upper() if char.isalpha() and text_cells(char) == 1)
        + ascii_uppercase
        for name in names
    ]
    marks: dict[int, str] = {}
    for column in zip_longest(*letters):
        for seat, letter in enumerate(column):
            if letter and seat not in marks and letter not in marks.values():
                marks[seat] = letter
    return tuple(marks[seat] for seat in range(len(names)))


def _axis(shown: Sequence[int], step: int) -> Iterator[str]:
    """Yield the pieces of the line below a plot: the numbers of rounds that fit, and blanks."""
    left = 0
    for column, at in enumerate(shown):
        if left > column * step:
            continue
        number = str(at + 1)
        yield " " * (column * step - left) + number
        left = column * step + len(number)
        if step <= len(number):
            left += 1
        yield " " * (left - column * step - len(number))
