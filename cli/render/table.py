"""A table of names and numbers as lines, for whatever width there is."""

from collections.abc import Iterator, Sequence
from typing import Final

from cli.render.cells import pad, text_cells, wrap_words
from cli.render.palette import plain_text

_NAME_CELLS: Final = 12
"""Of the first column of a table; where it has less room, each row is a sentence."""


def table_lines(rows: Sequence[tuple[str, ...]], columns: int) -> Iterator[str]:
    """Yield the lines of a table, whose first row is the heads; there must be one.

    The first column stands to the left, the others to the right. If that is too wide the first
    column gives way, and a name for which it has no room stands above its row. Where it would be
    too narrow for that, each row is a sentence. No line is wider than `columns`, but for a longer
    word.
    """
    widths = [max(text_cells(row[at]) for row in rows) for at in range(len(rows[0]))]
    room = columns - sum(widths[1:]) - 2 * len(widths[1:])
    first = min(widths[0], room)
    if first < min(widths[0], _NAME_CELLS):
        heads = rows[0][1:]
        yield f"{rows[0][0]}:"
        for name, *cells in rows[1:]:
            told = (f"{head} {cell}" for head, cell in zip(heads, cells, strict=True))
            yield from wrapped(f"  {name}: {', '.join(told)}", columns, "    ")
        return
    for name, *cells in rows:
        texts = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        if text_cells(name) > first:
            yield from wrapped(name, columns, "    ")
        yield "  ".join((pad("" if text_cells(name) > first else name, first), *texts))


def wrapped(text: str, columns: int, indent: str = "") -> Iterator[str]:
    """Yield the lines of a text as `wrap_words` breaks it, without colours."""
    return map(plain_text, wrap_words(text, columns, indent))
