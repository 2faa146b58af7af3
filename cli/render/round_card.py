"""The end of a round as a card, and of a game as a plot: who held what, and how totals grew."""

from collections.abc import Iterator, Sequence
from typing import Final

from cli.language import say
from cli.render.cells import NARROW_COLUMNS, Canvas, clip, hang, pad, text_cells, wrap_words
from cli.render.palette import Line, Paint, Span
from cli.scene import RoundCard
from cli.wording.round_end import held_text, longest_text, round_title
from engine.scoring import places, totals

_NAME_CELLS: Final = 12
_PLOT_ROWS: Final = 8
_STEP_CELLS: Final = 5
"""The most cells between two rounds of a plot."""


def card_lines(card: RoundCard, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the end of a round, whose outcome has been said: a row a seat, the leader first."""
    table, end = card.end.table, canvas.columns
    title = f" {round_title(card)} "
    rule = canvas.glyphs.rule
    head = f"{rule * 2}{title}".ljust(max(0, end - 1), rule)
    lines = [canvas.row(head, Paint.STRONG)]
    width = min(_NAME_CELLS, max(text_cells(name) for name in card.names))
    stand, total, scores = places(table), totals(table), table.past[-1] if table.past else ()
    heads = [f"{say('round'):>5}", f"{say('total'):>5}"]
    cells = [text_cells(each) for each in heads]
    heads += [say("held")] if end >= NARROW_COLUMNS else []
    lines.append((Span("  ".join([f"   {pad('', width)}", *heads]), Paint.DIM),))
    order = sorted(range(table.spec.seats), key=lambda seat: (stand[seat] or 99, seat))
    for seat in order:
        own = Paint.STRONG if seat == card.seat else Paint.PLAIN
        place = "-" if stand[seat] is None else str(stand[seat])
        name = pad(clip(card.names[seat], width, canvas.glyphs.cut), width)
        points = str(scores[seat]) if scores else "-"
        row = Span(f"{place:>2} {name}  {points:>{cells[0]}}  {total[seat]:>{cells[1]}}  ", own)
        held = held_text(card, seat)
        if end >= NARROW_COLUMNS:
            room = end - 1 - text_cells(row.text)
            lines += hang(row, wrap_words(held, room))
        else:
            lines += ((row,), *wrap_words(f"     {held}", end - 1, "     "))
    return (*lines, *wrap_words(f" {longest_text(card)}", end - 1, " "))


def plot_lines(
    names: Sequence[str], rounds: Sequence[Sequence[int]], canvas: Canvas
) -> tuple[Line, ...]:
    """Plot the totals after each round, a letter or number a seat; nothing for a single round."""
    if len(rounds) < 2:
        return ()
    sums = [tuple(map(sum, zip(*rounds[: at + 1], strict=True))) for at in range(len(rounds))]
    marks = _marks(names)
    low, high = min(0, *map(min, sums)), max(1, *map(max, sums))
    scale = max(len(str(low)), len(str(high)))
    room = canvas.columns - scale - 4
    step = max(1, min(_STEP_CELLS, room // len(rounds)))
    shown = [at * len(sums) // min(len(sums), room) for at in range(min(len(sums), room))]
    grid = [[" "] * (step * len(shown)) for _ in range(_PLOT_ROWS)]
    for column, at in enumerate(shown):
        for seat, total in enumerate(sums[at]):
            row = grid[round((high - total) * (_PLOT_ROWS - 1) / (high - low))]
            free = next((c for c in range(step) if row[column * step + c] == " "), step - 1)
            row[column * step + free] = marks[seat]
    lines: list[Line] = [(Span(f" {say('Totals by round')}", Paint.STRONG),)]
    for number, row in enumerate(grid):
        value = round(high - number * (high - low) / (_PLOT_ROWS - 1))
        said = f"{value:>{scale}}" if number in (0, _PLOT_ROWS - 1) else " " * scale
        lines.append((Span(f" {said} {canvas.glyphs.upright}{''.join(row)}".rstrip()),))
    axis = "".join(_axis(shown, step))
    lines.append((Span(f" {' ' * scale}  {axis}".rstrip(), Paint.DIM),))
    legend = ", ".join(f"{mark} {name}" for mark, name in zip(marks, names, strict=True))
    return (*lines, *wrap_words(f" {legend}", canvas.columns - 1, " "))


def _marks(names: Sequence[str]) -> tuple[str, ...]:
    """A mark a seat: the first letters of the names where these differ, else numbers, then more."""
    initials = tuple(name[:1].upper() for name in names)
    plain = all(text_cells(each) == 1 for each in initials)
    if plain and len(set(initials)) == len(names):
        return initials
    return tuple("123456789abcdefghijkl"[: len(names)])


def _axis(shown: Sequence[int], step: int) -> Iterator[str]:
    """Number the rounds below a plot, where there is room for the number."""
    left = 0
    for column, at in enumerate(shown):
        if left > column * step:
            continue
        number = str(at + 1)
        yield " " * (column * step - left) + number
        left = column * step + len(number)
        left += 0 if step > len(number) else 1
        yield " " * (left - column * step - len(number))
