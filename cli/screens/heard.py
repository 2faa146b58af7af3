"""A drawn screen, and beside it the sentences of the plain one, for a screen reader.

A browser tab draws a terminal, whose cells a screen reader cannot make sense of. So the streams
there have a `hears`, which is called with each line that `--plain` would print.
"""

import io
from collections.abc import Callable, Sequence
from typing import Any

from cli.render.cells import Canvas
from cli.render.hand import BARE, Picture
from cli.render.menu import Menu
from cli.render.palette import Line
from cli.scene import CompletionContext
from cli.screens.guest import HostedFront
from cli.screens.plain import PlainFront
from cli.session.frontend import Occasion, RunEnd
from engine.table.moves import Move


class Lines(io.TextIOBase):
    """A text stream that passes its lines to `hears` one by one, except empty ones."""

    encoding = "utf-8"

    def __init__(self, hears: Callable[[str], None]) -> None:
        self._hears = hears

    def write(self, text: str) -> int:
        """Pass on each line of a text, and return the length of the text.

        The end of the text also ends a line.
        """
        for line in filter(None, map(str.strip, text.splitlines())):
            self._hears(line)
        return len(text)


class HeardFront:
    """A drawn front end that also passes everything the session tells it to a plain one."""

    def __init__(self, drawn: HostedFront, hears: Callable[[str], None]) -> None:
        self._drawn = drawn
        self._plain = PlainFront(out=Lines(hears))  # type: ignore[arg-type]
        self.loop = drawn.loop
        self.asks_back, self.has_keys = drawn.asks_back, drawn.has_keys
        self.keeps_board = drawn.keeps_board

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        """Return an attribute that only the drawn screen has, such as `above` of a terminal."""
        return getattr(self._drawn, name)

    # ---- passed to both ---------------------------------------------------------------------

    def say(self, sentence: str) -> None:
        """Tell one sentence."""
        self._drawn.say(sentence)
        self._plain.say(sentence)

    def recount(self, sentence: str) -> None:
        """Tell a sentence about something that happened at an unknown time."""
        self._drawn.recount(sentence)
        self._plain.recount(sentence)

    def ask(self, sentence: str) -> None:
        """Tell a sentence that asks for a yes or a no."""
        self._drawn.ask(sentence)
        self._plain.ask(sentence)

    def show(self, lines: Sequence[Line]) -> None:
        """Show a block of lines that somebody has asked for."""
        self._drawn.show(lines)
        self._plain.show(lines)

    def working(self, sentence: str | None) -> None:
        """Tell a person at once that an answer is on its way; with None, that it has come."""
        self._drawn.working(sentence)
        self._plain.working(sentence)

    def tell(self, occasion: Occasion) -> None:
        """Tell an event of the table, or show what the person needs to move now."""
        self._drawn.tell(occasion)
        self._plain.tell(occasion)

    def offer(self, menu: Menu | None) -> None:
        """Offer a list, until another one or None is offered."""
        self._drawn.offer(menu)
        self._plain.offer(menu)

    def thinking(self, seconds: int | None, *, first: bool = False) -> None:
        """Tell how long this turn has taken, in seconds; None when the turn is over.

        The `first` time in a turn, also call for the person's attention.
        """
        self._drawn.thinking(seconds, first=first)
        self._plain.thinking(seconds, first=first)

    # ---- passed to the drawn one only -------------------------------------------------------

    @property
    def resumable(self) -> bool:
        """True if the person can come back to this table later."""
        return self._drawn.resumable

    @resumable.setter
    def resumable(self, resumable: bool) -> None:
        self._drawn.resumable = resumable

    @property
    def ending(self) -> RunEnd:
        """The end of this run."""
        return self._drawn.ending

    @property
    def saw_question(self) -> bool:
        """True if the last question was on the screen when the last line was begun."""
        return self._drawn.saw_question

    @property
    def seen(self) -> tuple[Move, ...] | None:
        """The plays on the screen when the last line was begun."""
        return self._drawn.seen

    def canvas(self) -> Canvas:
        """Return the canvas to draw on, at its present size."""
        return self._drawn.canvas()

    def shows_whole(self) -> bool:
        """Show all trains in full on the screen's own board; return False if it has none."""
        return self._drawn.shows_whole()

    def renews(self, closed: Callable[[], None]) -> bool:
        """Have the next block replace the one on the screen; return False if there is none."""
        return self._drawn.renews(closed)

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Pass the place, the status line and the picture to the drawn screen only."""
        self._drawn.scene_is(place, status, beside)

    async def next_line(self, back: str = "") -> str | None:
        """Return the next typed line, or None when there will be no more."""
        return await self._drawn.next_line(back)

    async def read_lines(self) -> None:
        """Read keys until the front end is closed."""
        await self._drawn.read_lines()

    async def print_lines(self) -> None:
        """Print until the front end is closed."""
        await self._drawn.print_lines()

    def close(self) -> None:
        """End reading now, and printing once everything is printed."""
        self._drawn.close()
