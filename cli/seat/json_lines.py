"""JSON out, for programs: one object a line, with `type`, `seq`, and what belongs to it."""

import json
from collections.abc import Sequence
from typing import Any

from cli.drawn.cells import Canvas
from cli.drawn.palette import ASCII_GLYPHS, Line, plain_text
from cli.scene import Scene
from cli.seat.frontend import Occasion
from cli.seat.json_words import facts_of
from cli.seat.plain import COLUMNS, LineReader


class JsonFront:
    """One JSON object a line on standard output; input as in plain mode."""

    asks_back = False

    def __init__(self) -> None:
        self._reader = LineReader(0)
        self._count = 0

    def _emit(self, kind: str, facts: dict[str, Any]) -> None:
        self._count += 1
        line = {"type": kind, "seq": self._count, **facts}
        print(json.dumps(line, default=lambda each: each.value), flush=True)

    def canvas(self) -> Canvas:
        """Return a page of fixed width in ASCII."""
        return Canvas(COLUMNS, 24, ASCII_GLYPHS)

    def say(self, sentence: str) -> None:
        """Emit `{"type": "say", "text": …}`."""
        self._emit("say", {"text": sentence})

    def show(self, lines: Sequence[Line]) -> None:
        """Emit `{"type": "show", "lines": […]}`."""
        self._emit("show", {"lines": [plain_text(line).rstrip() for line in lines]})

    def tell(self, occasion: Occasion) -> None:
        """Emit what `facts_of` says."""
        self._emit(*facts_of(occasion))

    def scene_is(self, scene: Scene | None, status: str) -> None:
        """Ignore it: there is no status line here."""

    async def next_line(self) -> str | None:
        """Return the next line of standard input."""
        return await self._reader.next_line()
