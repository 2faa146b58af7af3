"""The latest sentences, in the rows that a table leaves free above the prompt."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from cli.render.board import rule_line
from cli.render.cells import Canvas
from cli.render.palette import Line

Block: TypeAlias = Callable[[], Sequence[Line]]
"""Draws one piece of talk, for the window as it is at the call."""

_RULED_ROWS: Final = 4
"""From this many rows on, the first is a rule that separates the table from the talk."""


@dataclass(slots=True)
class TalkRows:
    """The sentences below a table, until newer ones take their rows.

    A sentence is either here or above the table, in the scrolled text, so that somebody who scrolls
    back reads it once. Only a sentence longer than all the rows is printed above and has its end
    here, too.
    """

    _held: deque[Block] = field(default_factory=deque)
    _long: Block | None = None
    """The newest sentence, if it was too long."""

    @property
    def holds(self) -> bool:
        """True if there are any sentences here."""
        return bool(self._held)

    def add(self, blocks: Iterable[Block]) -> None:
        """Add blocks, the newest last."""
        self._held.extend(blocks)

    def let_go(self, rows: int = 0) -> list[Block]:
        """Remove and return, oldest first, the blocks that do not fit in this many rows."""
        room, kept = rows, 0
        for block in reversed(self._held):
            room -= len(block())
            if room < 0:
                break
            kept += 1
        if self._held or not rows:
            self._long = self._held[-1] if rows and self._held and not kept else None
        return [self._held.popleft() for _ in range(len(self._held) - kept)]

    def lines(self, canvas: Canvas, rows: int) -> tuple[Line, ...]:
        """Draw this many rows, the newest sentence at the bottom, next to the prompt.

        An older sentence is there whole or not at all. If there are four rows or more, and any
        sentence, a rule is above the sentences.
        """
        room, lines = talk_rows(rows), list[Line]()
        held = self._held if self._held or self._long is None else (self._long,)
        for block in reversed(held):
            drawn = block()
            if lines and len(lines) + len(drawn) > room:
                break
            lines[:0] = drawn
        lines = lines[max(0, len(lines) - room) :]
        rule = (rule_line(canvas),) if lines and rows > room else ()
        return (*rule, *[()] * (rows - len(rule) - len(lines)), *lines)


def talk_rows(rows: int) -> int:
    """Return how many of the free rows are for sentences; from four on, one is for a rule."""
    return rows - 1 if rows >= _RULED_ROWS else max(0, rows)
