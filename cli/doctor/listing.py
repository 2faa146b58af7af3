"""Symptoms as lines: a column of levels, one of areas, and the sentences beside them."""

from collections.abc import Iterator, Sequence
from typing import Final

from cli.doctor.symptoms import Level, Symptom
from cli.language import say
from cli.render.cells import text_cells
from cli.render.grid import Column, Grid, Prose, Row
from cli.render.palette import plain_text
from cli.streams import window

_HEAD_CELLS: Final = 16
"""The least width of level and area together, so that most sentences begin in one column."""
_COLUMNS_MAX: Final = 100


def symptom_lines(found: Sequence[Symptom]) -> Iterator[str]:
    """Yield the lines of each symptom: level, area and sentence, then the advice.

    In a narrow window, sentence and advice are below level and area. No word is broken, so that
    commands can be copied.
    """
    rows: list[Row] = []
    for each in found:
        rows.append((say(each.level.value), each.area, each.text))
        if each.advice:
            rows.append(("", "", each.advice))
    columns_max = min(_COLUMNS_MAX, window((_COLUMNS_MAX, 24)).columns)
    levels = max(text_cells(say(each.value)) for each in Level)
    columns = (Column(gap=0, least=levels), Column(least=_HEAD_CELLS - levels))
    yield from map(plain_text, Grid(columns, rows, Prose(below=4)).lines(columns_max))
