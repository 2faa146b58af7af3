"""Whoever stands behind a player and says what to do next: a screen before the real screen."""

from collections.abc import Sequence

import trio

from cli.drawn.cells import Canvas
from cli.drawn.hand import BARE, Picture
from cli.drawn.menu import Menu
from cli.drawn.palette import Line
from cli.language import say
from cli.learn.lessons import Lesson, lesson_for, play_text
from cli.scene import RoundCard
from cli.seat.frontend import FrontEnd, Happened, Occasion, TurnBegins
from cli.typed.complete import Place
from cli.typed.grammar import LEAVING
from engine.table.moves import Move


class Coach:
    """Passes everything on to `front`, and adds a lesson where a turn is good for one.

    After the round, or whenever the player wants to leave, `scope` is cancelled.
    """

    def __init__(self, front: FrontEnd, scope: trio.CancelScope) -> None:
        self.front = front
        self.scope = scope
        self.learnt: set[Lesson] = set()
        self._hint = ""
        self._told_off = False
        self.asks_back, self.has_keys = front.asks_back, front.has_keys

    @property
    def seen(self) -> tuple[Move, ...] | None:
        """As the screen has it."""
        return self.front.seen

    def canvas(self) -> Canvas:
        """Return the canvas of the screen."""
        return self.front.canvas()

    def say(self, sentence: str) -> None:
        """Pass it on; after a typed line it is the answer to that."""
        self._told_off = True
        if not self.scope.cancel_called:
            self.front.say(sentence)

    def show(self, lines: Sequence[Line]) -> None:
        """Pass it on."""
        self.front.show(lines)

    def offer(self, menu: Menu | None) -> None:
        """Pass it on."""
        self.front.offer(menu)

    def scene_is(self, place: Place, status: str, beside: Picture = BARE) -> None:
        """Pass it on."""
        self.front.scene_is(place, status, beside)

    def thinking(self, seconds: int | None, *, first: bool = False) -> None:
        """Pass it on."""
        self.front.thinking(seconds, first=first)

    def tell(self, occasion: Occasion) -> None:
        """Pass it on, and teach what it shows."""
        self.front.tell(occasion)
        match occasion:
            case TurnBegins(scene):
                found = lesson_for(scene, self.learnt)
                if found is None:
                    self._hint = ""
                    return
                lesson, move = found
                self._hint = play_text(scene, move)
                self._teach(lesson, self._hint)
            case Happened():
                self._told_off = False
            case RoundCard():
                self._hint = ""
                self._teach(Lesson.SCORE, "")
                self.scope.cancel()
            case _:
                pass

    def _teach(self, lesson: Lesson, play: str) -> None:
        self.learnt.add(lesson)
        facts = {"number": len(self.learnt), "lessons": len(Lesson), "title": lesson.title}
        text = "Lesson {number} of {lessons}, {title}: {sentence}"
        self.front.say(say(text, **facts, sentence=lesson.sentence(play)))

    async def next_line(self) -> str | None:
        """Return the next line; if something was said to the last one, say what would be a move."""
        if self._told_off and self._hint:
            self.front.say(say("It is still your turn. The lesson wants: {play}", play=self._hint))
        line = await self.front.next_line()
        if line is None or line.strip().lower() in LEAVING:
            self.scope.cancel()
            await trio.sleep_forever()
        self._told_off = False
        return line
