"""The latest sentences, in the rows that a table leaves free above the prompt."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from cli.render.board import rule_line
from cli.render.cells import Canvas
from cli.render.palette import Line

Block: TypeAlias = Callable[[], Sequence[Line]]
"""Draws what is said in one go, for the window as it is."""

_RULED_ROWS: Final = 4
"""With so many rows the first is a rule, which parts the table from the talk."""


@dataclass(slots=True)
class TalkRows:
    """The sentences that stand below a table, until newer ones take their rows.

    A sentence stands here or goes by above the table, never both: who scrolls back reads it once.
    One that is longer than all the rows goes by, to be read there, and its end stands here, too.
    """

    _held: deque[Block] = field(default_factory=deque)
    _long: Block | None = None
    """The newest sentence, if it was too long."""

    @property
    def holds(self) -> bool:
        """Whether any sentence stands here."""
        return bool(self._held)

    def add(self, blocks: Iterable[Block]) -> None:
        """Take what is said, the newest last."""
        self._held.extend(blocks)

    def let_go(self, rows: int = 0) -> list[Block]:
        """Return, oldest first, what so many rows have no room for, and keep the rest."""
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
        """Draw so many rows, the newest at the foot, next to the prompt.

        An older sentence is there whole or not at all. Above them stands a rule, if there are four
        rows or more and anything to part.
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
    """Return how many of so many free rows have room for sentences; the rest is a rule."""
    return rows - 1 if rows >= _RULED_ROWS else max(0, rows)
